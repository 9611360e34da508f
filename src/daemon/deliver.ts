import { agentNamed } from "../agents/agents.ts";
import type { Hold, Holds } from "../channel/holds.ts";
import type { Ask } from "../core/ask.ts";
import type { Store } from "../store/store.ts";
import { versionOf } from "./transcripts.ts";

export type Deliver = (id: string) => Promise<void>;

/**
 * Answers the hooks that wait for an Ask, once its outcome is on disk.
 * Contract: of several hooks of one delivery only the first gets the outcome; the others are let go silently.
 */
export function createDeliver({ store, holds }: { store: Store; holds: Holds }): Deliver {
  /** Which hook got a delivery's outcome: only that one may come back for it. */
  const handedTo = new Map<string, string>();
  return async function deliver(id) {
    const ask = holds.of(id).length > 0 ? await store.ask(id) : undefined;
    if (!ask) return;
    for (const hold of holds.of(id)) {
      const delivery = ask.deliveries.find((d) => d.key === hold.key || d.hold === hold.call);
      if (!ask.outcome && delivery?.state === "waiting") continue;
      holds.remove(hold);
      const mine = `${id} ${delivery?.key}`;
      const isFirst = delivery?.state === "waiting" && [undefined, hold.call].includes(handedTo.get(mine));
      if (!delivery || !(isFirst || (hold.again && delivery.state === "sent"))) {
        handedTo.delete(mine);
        hold.reply({ handed: [] });
        continue;
      }
      handedTo.set(mine, hold.call);
      const output = await outputFor(ask, hold);
      const handed = [{ ask: id, key: delivery.key, channel: hold.channel }];
      hold.reply(output === undefined ? { handed: [] } : { output, handed });
    }
  };

  async function outputFor(ask: Ask, hold: Hold): Promise<unknown> {
    const agent = agentNamed(ask.origin.agent);
    if (!agent || !ask.outcome) return undefined;
    const session = ask.origin.session ? await store.session(ask.origin.session) : undefined;
    const known = await hold.version;
    const version = known ?? (session?.transcript ? await versionOf(session.transcript, agent) : undefined);
    return agent.reply(hold.payload, ask, ask.outcome, version);
  }
}
