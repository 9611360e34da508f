import { titleOf } from "../../../agents/agents.ts";
import { withPlace } from "../../../core/words/sandbox-words.ts";
import { sessionState } from "../../../core/ask/session-state.ts";
import type { Session } from "../../../core/ask/session.ts";
import type { IdleSessions } from "../../../inbox/idle.ts";
import type { Store } from "../../../store/store.ts";
import type { Routes } from "./route.ts";

export type SessionDeps = { store: Store; idle: IdleSessions };

/** The agents that run, and those that wait for a prompt. */
export const createSessionRoutes = ({ store, idle }: SessionDeps): Pick<Routes, "listSessions" | "dismissSession"> => ({
  listSessions: async ({ query }) => ({ sessions: (await store.sessions(query)).map(view) }),
  dismissSession: async ({ id, body: { surface } }) => view(await idle.dismiss(id, { type: "person", surface })),
});

const view = (session: Session) => ({
  ...session,
  agentTitle: withPlace(titleOf(session.agent), session),
  state: sessionState(session),
});
