import type { HookReading } from "../agents/reading.ts";
import type { Log } from "../machine/log.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import type { Reconciler } from "./reconcile.ts";

type Deps = { store: Store; reconciler: Reconciler; log: Log };
type Result = HookReading & { type: "result" };
const MOST_RECENT = 50;

/** What an agent says of the end of a call, a turn or a session, by whatever way it says it. */
export function createEndings({ store, reconciler, log }: Deps) {
  const activeOf = (session: string) => store.list({ session, states: ACTIVE });

  /** The turn is over, so none of its questions can be open any more; the transcript says how each ended. */
  async function turnOver(id: string): Promise<void> {
    const turn = { turn: true };
    const ask = await reconciler.reconcile(id, turn);
    // A subagent in the background goes on, and asks on, after the turn.
    if (!ask || ask.origin.subagent !== undefined || !ACTIVE.includes(ask.state)) return;
    void reconciler.follow(id, undefined, turn).then(() => reconciler.giveUp(id, "moved-on"));
  }

  return {
    /** `isRecord`: it is the agent's own record that says so, not a program it called. */
    async result({ key, session, received }: Result, { isRecord = false } = {}): Promise<void> {
      const recent = await store.list({ session: session.id, order: "newest", limit: MOST_RECENT });
      const ask = recent.find((found) => found.deliveries.some((d) => d.key === key));
      // Not awaited: the agent waits for this, the receipt must not cost it time.
      if (ask) return void reconciler.report(ask.id, key, received, isRecord);
      log("warn", "an answer to a question that Parley does not know: nothing to compare it with", {
        session: session.id,
        key,
      });
      await Promise.all((await activeOf(session.id)).map(({ id }) => reconciler.reconcile(id)));
    },
    /** What reached us late says nothing about what was asked after it was said. */
    async turnEnded(session: string, saidAt: number): Promise<void> {
      const before = (await activeOf(session)).filter(({ createdAt }) => createdAt <= saidAt);
      await Promise.all(before.map(({ id }) => turnOver(id)));
    },
    /** What was chosen last may be written down only now. */
    async sessionEnded(session: string): Promise<void> {
      for (const { id } of await activeOf(session))
        void reconciler.follow(id).then(() => reconciler.giveUp(id, "session-ended"));
    },
  };
}
