import type { Agent } from "../agents/agent.ts";
import type { HookReading } from "../agents/capability/reading.ts";
import type { Ask } from "../core/ask/ask.ts";
import { correctedWords, correctionOf } from "../core/ask/answer/correction.ts";
import { correctionWords } from "../core/words/trust-words.ts";
import type { Corrections } from "../inbox/corrections.ts";
import type { Clock } from "../inbox/inbox.ts";
import type { Reconciler } from "../inbox/reconcile.ts";
import type { HookCall, HookReply } from "../protocol/hook.ts";
import { ACTIVE, type Store } from "../store/store.ts";

type Deps = { store: Store; reconciler: Reconciler; corrections: Corrections; now: Clock };
type Handed = HookReply["handed"];

/** What is handed with it is no answer, but what a person corrected. */
export const CORRECTION = "correction";
const NOTHING: HookReply = { handed: [] };

/** What an agent is told by a hook that it calls for something else. */
export function createTellAgent({ store, reconciler, corrections, now }: Deps) {
  return {
    async corrections(agent: Agent, session: string, { payload, call }: HookCall): Promise<HookReply> {
      const telling = agent.hooks?.telling?.(payload);
      const asks = telling ? await corrections.take(session, call, telling.name) : [];
      if (!telling || asks.length === 0) return NOTHING;
      return { output: telling.print(asks.map(wordsOf).join("\n")), handed: asks.map(asHanded) };
    },
    /** To a session that came back: what was answered to it meanwhile, and what was corrected. */
    async handOver(agent: Agent, { session }: HookReading, { call, calledAt }: HookCall): Promise<HookReply> {
      // Where this hook got through late, the one that came back may have asked meanwhile.
      const [from, to] = [calledAt ?? Infinity, now()];
      const isNew = ({ createdAt }: Ask) => createdAt > from && createdAt <= to;
      const active = (await store.list({ session: session.id, states: ACTIVE })).filter((ask) => !isNew(ask));
      const read = await Promise.all(active.map(({ id }) => reconciler.reconcile(id)));
      const asks = read.filter((ask) => ask !== undefined);
      for (const { id, outcome } of asks) if (!outcome) await reconciler.giveUp(id, "agent-exited");
      const kept = asks.filter((ask) => ask.outcome && ACTIVE.includes(ask.state));
      const corrected = await corrections.take(session.id, call, "when it was resumed");
      if (kept.length + corrected.length === 0) return NOTHING;
      const handed = kept.flatMap((ask) => ask.deliveries.map(({ key }) => ({ ask: ask.id, key, channel: "resume" })));
      return {
        output: agent.hooks?.handOver(kept, corrected.map(wordsOf)),
        handed: [...handed, ...corrected.map(asHanded)],
      };
    },
    /** Of what a hook had been given and did not hand on. */
    async giveBack(handed: Handed, call: string): Promise<void> {
      for (const { ask, channel } of handed) if (channel === CORRECTION) await corrections.giveBack(ask, call);
    },
  };
}

const wordsOf = (ask: Ask) => correctionWords(ask, correctedWords(ask.questions, correctionOf(ask) ?? {}));
const asHanded = ({ id }: Ask) => ({ ask: id, key: CORRECTION, channel: CORRECTION });
