import type { HookReading } from "../agents/capability/reading.ts";
import type { Log } from "../machine/log.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import { canonicalQuestions } from "../core/ask/canonical.ts";
import { type Ask, isUnnamed } from "../core/ask/ask.ts";
import type { Reconciler } from "./reconcile.ts";

type Deps = { store: Store; reconciler: Reconciler; log: Log };
type Unnamed = { ask: string; key: string };
type Result = HookReading & { type: "result" };
const MOST_RECENT = 50;

/** What an agent says of the end of a call, a turn or a session, by whatever way it says it. */
export function createEndings({ store, reconciler, log }: Deps) {
  const activeOf = (session: string) => store.list({ session, states: ACTIVE });
  /** What reached us late says nothing about what was asked after it was said. */
  const activeBefore = async (session: string, saidAt: number) =>
    (await activeOf(session)).filter(({ createdAt }) => createdAt <= saidAt);

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
    async result(result: Result, { isRecord = false } = {}): Promise<void> {
      const { key, session, received } = result;
      const recent = await store.list({ session: session.id, order: "newest", limit: MOST_RECENT });
      const ask = recent.find((found) => found.deliveries.some((d) => d.key === key));
      // Not awaited: the agent waits for this, the receipt must not cost it time.
      if (ask) return void reconciler.report(ask.id, key, received, isRecord);
      const unnamed = unnamedIn(recent, result);
      if (unnamed) return void reconciler.report(unnamed.ask, unnamed.key, received, isRecord);
      // Without its name it may be any call, also one that needed no leave.
      if (key !== "")
        log("warn", "an answer to a question that Parley does not know: nothing to compare it with", {
          session: session.id,
          key,
        });
      await Promise.all((await activeOf(session.id)).map(({ id }) => reconciler.reconcile(id)));
    },
    async turnEnded(session: string, saidAt: number): Promise<void> {
      await Promise.all((await activeBefore(session, saidAt)).map(({ id }) => turnOver(id)));
    },
    /** What was chosen last may be written down only now. */
    async sessionEnded(session: string, saidAt: number): Promise<void> {
      for (const { id } of await activeBefore(session, saidAt))
        void reconciler.follow(id).then(() => reconciler.giveUp(id, "session-ended"));
    },
  };
}

/** The oldest Ask of this call that waits without its name, where the agent never says it before the end. */
function unnamedIn(recent: readonly Ask[], { questions, match }: Result): Unnamed | undefined {
  const isSame = (ask: Ask) =>
    ask.match === match && (match !== undefined || canonicalQuestions(ask.questions) === canonicalQuestions(questions));
  for (const ask of recent.toReversed()) {
    const waiting = ask.deliveries.find((d) => isUnnamed(d) && (d.state === "waiting" || d.state === "sent"));
    if (waiting && (match !== undefined || questions.length > 0) && isSame(ask))
      return { ask: ask.id, key: waiting.key };
  }
  return undefined;
}
