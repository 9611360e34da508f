import { agentNamed } from "../agents/agents.ts";
import type { Hold, Holds } from "./holds.ts";
import type { Ask } from "../core/ask/ask.ts";
import { ENDS_DELIVERY } from "../core/ask/event-lists.ts";
import type { Store } from "../store/store.ts";
import { versionOf } from "../inbox/transcripts.ts";

export type Deliver = ((id: string) => Promise<void>) & {
  /** How many were handed out and not confirmed yet. */
  unconfirmed(): number;
};

/**
 * Answers the hooks that wait for an Ask, once its outcome is on disk.
 * Contract: of several hooks of one delivery only the first gets the outcome; the others are let go silently.
 */
export function createDeliver({ store, holds }: { store: Store; holds: Holds }): Deliver {
  /** Which hook got a delivery's outcome: only that one may come back for it. By Ask, then by key. */
  const handedTo = new Map<string, Map<string | undefined, string>>();
  store.onCommit((events) => {
    for (const { ask = "", type, data } of handedTo.size > 0 ? events : [])
      if (ENDS_DELIVERY.has(type)) forget(ask, data["key"] as string | undefined);
  });
  const unconfirmed = () => [...handedTo.values()].reduce((sum, { size }) => sum + size, 0);
  return Object.assign(deliver, { unconfirmed });

  async function deliver(id: string): Promise<void> {
    const ask = holds.of(id).length > 0 ? await store.ask(id) : undefined;
    if (!ask) return;
    for (const hold of holds.of(id)) {
      const delivery = ask.deliveries.find((d) => d.key === hold.key || d.hold === hold.call);
      if (!ask.outcome && delivery?.state === "waiting") continue;
      holds.remove(hold);
      const first = handedTo.get(id)?.get(delivery?.key);
      const isFirst = delivery?.state === "waiting" && [undefined, hold.call].includes(first);
      if (!delivery || !(isFirst || (hold.again && delivery.state === "sent"))) {
        forget(id, delivery?.key);
        hold.reply({ handed: [] });
        continue;
      }
      handedTo.set(id, (handedTo.get(id) ?? new Map()).set(delivery.key, hold.call));
      const output = await outputFor(ask, hold);
      const handed = [{ ask: id, key: delivery.key, channel: hold.channel }];
      hold.reply(output === undefined ? { handed: [] } : { output, handed });
    }
  }

  /** Without a key: all of the Ask. */
  function forget(id: string, key: string | undefined): void {
    const mine = handedTo.get(id);
    if (key !== undefined) mine?.delete(key);
    if (key === undefined || mine?.size === 0) handedTo.delete(id);
  }

  async function outputFor(ask: Ask, hold: Hold): Promise<unknown> {
    const agent = agentNamed(ask.origin.agent);
    if (!agent || !ask.outcome) return undefined;
    const session = ask.origin.session ? await store.session(ask.origin.session) : undefined;
    const known = await hold.version;
    const version = known ?? (session?.transcript ? await versionOf(session.transcript, agent) : undefined);
    return agent.reply(hold.payload, ask, ask.outcome, version);
  }
}
