import { agentNamed } from "../agents/agents.ts";
import type { Ask, Delivery } from "../core/ask/ask.ts";
import { ENDS_DELIVERY } from "../core/ask/event-lists.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import type { Store } from "../store/store.ts";
import type { Channel, Sent } from "./channel.ts";
import type { Hold, Holds } from "./holds.ts";

type Reveal = (ask: Ask) => Outcome | undefined;
type Deps = {
  store: Store;
  holds: Holds;
  /** The outcome with what is not stored of it. */
  reveal?: Reveal;
  outputFor?: (ask: Ask, hold: Hold) => Promise<unknown>;
};
export type HookChannel = Channel & {
  /** How many were handed out and not confirmed yet. */
  unconfirmed(): number;
};

/**
 * Answers the hooks that wait for an Ask, once its outcome is on disk.
 * Contract: of several hooks of one delivery only the first gets the outcome; the others are let go silently.
 */
export function createHookChannel({
  store,
  holds,
  reveal = ({ outcome }) => outcome,
  outputFor = outputIn(store, reveal),
}: Deps): HookChannel {
  /** Which hook got a delivery's outcome: only that one may come back for it. By Ask, then by key. */
  const handedTo = new Map<string, Map<string | undefined, string>>();
  store.onCommit((events) => {
    for (const { ask = "", type, data } of handedTo.size > 0 ? events : [])
      if (ENDS_DELIVERY.has(type)) forget(ask, data["key"] as string | undefined);
  });
  const waiting = (ask: Ask, delivery: Delivery) =>
    holds.of(ask.id).filter((hold) => hold.key === delivery.key || hold.call === delivery.hold);

  return {
    name: "hook",
    unconfirmed: () => [...handedTo.values()].reduce((sum, { size }) => sum + size, 0),
    reaches: (ask, delivery) => waiting(ask, delivery).length > 0,
    async deliver(ask, delivery): Promise<Sent> {
      if (!ask.outcome && delivery.state === "waiting") return "later";
      let sent: Sent = "never";
      for (const hold of waiting(ask, delivery)) if (await hand(ask, delivery, hold)) sent = "sent";
      return sent;
    },
    letGo(ask): void {
      const isStray = ({ key, call }: Hold) => !ask.deliveries.some((d) => d.key === key || d.hold === call);
      for (const hold of holds.of(ask.id).filter(isStray)) {
        holds.remove(hold);
        forget(ask.id, undefined);
        hold.reply({ handed: [] });
      }
    },
  };

  async function hand(ask: Ask, delivery: Delivery, hold: Hold): Promise<boolean> {
    holds.remove(hold);
    const first = handedTo.get(ask.id)?.get(delivery.key);
    const isFirst = delivery.state === "waiting" && [undefined, hold.call].includes(first);
    if (!isFirst && !(hold.again && delivery.state === "sent")) {
      forget(ask.id, delivery.key);
      hold.reply({ handed: [] });
      return false;
    }
    handedTo.set(ask.id, (handedTo.get(ask.id) ?? new Map()).set(delivery.key, hold.call));
    const output = await outputFor(ask, hold);
    const handed = [{ ask: ask.id, key: delivery.key, channel: hold.channel }];
    const { changed } = ask.outcome ?? {};
    hold.reply(output === undefined ? { handed: [] } : { output, handed, ...(changed && { changed: changed.text }) });
    return true;
  }

  /** Without a key: all of the Ask. */
  function forget(id: string, key: string | undefined): void {
    const mine = handedTo.get(id);
    if (key !== undefined) mine?.delete(key);
    if (key === undefined || mine?.size === 0) handedTo.delete(id);
  }
}

/** What the agent's hook prints. */
function outputIn(store: Store, reveal: Reveal) {
  return async (ask: Ask, hold: Hold): Promise<unknown> => {
    const agent = agentNamed(ask.origin.agent);
    const outcome = reveal(ask);
    if (!agent?.hooks || !outcome) return undefined;
    const session = ask.origin.session ? await store.session(ask.origin.session) : undefined;
    const known = await hold.version;
    const version = known ?? (session?.transcript ? await agent.record?.versionOf(session.transcript) : undefined);
    return agent.hooks.reply(JSON.parse(hold.payload), ask, outcome, version);
  };
}
