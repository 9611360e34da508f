import type { Session } from "./session.ts";

/** finished: its turn is over · waiting: it said itself that it waits for a prompt · dismissed: a person has seen that. */
export type SessionState = "running" | "finished" | "waiting" | "dismissed";

export function sessionState({ idle }: Pick<Session, "idle">): SessionState {
  if (!idle) return "running";
  if (idle.dismissedAt !== undefined) return "dismissed";
  return idle.asked ? "waiting" : "finished";
}

/** Somebody should look at it. */
export const needsPrompt = (session: Pick<Session, "idle">): boolean =>
  ["finished", "waiting"].includes(sessionState(session));

/** Those that wait for a person first, then those that run; what was dismissed last. The newest of each come first. */
export function inOrder<S extends Pick<Session, "idle" | "seenAt">>(sessions: readonly S[]): S[] {
  const order = (each: S) => (needsPrompt(each) ? 0 : each.idle ? 2 : 1);
  const since = ({ idle, seenAt }: S) => idle?.since ?? seenAt;
  return sessions.toSorted((a, b) => order(a) - order(b) || since(b) - since(a));
}
