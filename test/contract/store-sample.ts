import type { Kind, Origin } from "../../src/core/ask/ask.ts";
import type { AskEvent, SessionEvent } from "../../src/core/ask/event.ts";
import type { Outcome } from "../../src/core/ask/outcome.ts";
import type { Session } from "../../src/core/ask/session.ts";
import type { TaskEvent } from "../../src/core/task/task.ts";
import type { Appended, Store } from "../../src/store/store.ts";

type Made = { id: string; at?: number; kind?: Kind; origin?: Partial<Origin>; more?: AskEvent[] };

export const captured = (kind: Kind = "question", origin: Partial<Origin> = {}): AskEvent => ({
  type: "ask.captured",
  kind,
  questions: [
    {
      text: "Which database?",
      header: "Store",
      multiSelect: false,
      options: [
        { label: "SQLite", description: "one file", recommended: true },
        { label: "PostgreSQL", description: "a server", recommended: false },
      ],
    },
  ],
  origin: { agent: "script", ...origin },
  key: "k1",
  channel: "race",
});

export const answered = (at: number, surface = "cli"): Outcome => ({
  type: "answered",
  actor: { type: "person", surface },
  at,
  answers: [{ picks: [0] }],
});

export const settled = (at: number, surface?: string): AskEvent => ({
  type: "ask.settled",
  outcome: answered(at, surface),
});
export const sent: AskEvent = { type: "ask.sent", key: "k1", channel: "race" };
export const verified: AskEvent = { type: "ask.verified", key: "k1" };
export const closed = (at: number): AskEvent => ({
  type: "ask.closed",
  outcome: { type: "withdrawn", actor: { type: "system", surface: "daemon" }, at, reason: "moved-on" },
});

/** What happens to an Ask after it was made, each in a change of its own. */
export async function happen(store: Store, id: string, events: readonly AskEvent[], at = 1000): Promise<void> {
  for (const event of events) {
    const { version = 0 } = (await store.ask(id)) ?? {};
    await store.append({ at, ask: { id, expected: version, events: [event] } });
  }
}

/** A new Ask; `more` happens to it in the same change. */
export function create(store: Store, { id, at = 1000, kind, origin, more = [] }: Made): Promise<Appended> {
  return store.append({ at, ask: { id, expected: 0, events: [captured(kind, origin), ...more] } });
}

export function seen(id: string, session: Partial<Session> = {}): { id: string; events: [SessionEvent] } {
  return { id, events: [{ type: "session.seen", session }] };
}

export const proposed = (state: "held" | "suggested", name = "r"): AskEvent => ({
  type: "ask.autopilot",
  state,
  why: "w",
  steps: [],
  proposal: {
    action: "answer",
    answers: [{ picks: [0] }],
    by: { type: "rule", surface: "autopilot", name },
    reason: "w",
  },
});

/** What a decider that has to earn trust would answer: the first option. */
export const opined = (decider: string, state: "human" | "suggested" | "held" = "human"): AskEvent => ({
  type: "ask.autopilot",
  state,
  why: "w",
  steps: [],
  opinions: [
    { decider, question: "q", title: "Which database?", answers: [{ picks: [0] }], stage: "watching", why: "w" },
  ],
});

export const taskCreated = (priority = 0): TaskEvent => ({
  type: "task.created",
  order: { prompt: "Mend it", name: "mend", agent: "script", cwd: "/", priority, worktree: false, review: false },
});
