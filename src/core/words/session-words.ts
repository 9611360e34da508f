import type { Session } from "../ask/session.ts";
import { sessionState } from "../ask/session-state.ts";
import { safeLine } from "../text/text.ts";
import { counted } from "./number.ts";

// Free of the schema library: lists are waited for.

const WORDS = { running: "running", finished: "finished", waiting: "waiting for a prompt", dismissed: "dismissed" };

/** What a session does; `questions`: so many of its own wait for an answer. */
export function sessionWords(session: Pick<Session, "idle">, questions = 0): string {
  return questions > 0 ? `${counted(questions, "question")} for you` : WORDS[sessionState(session)];
}

/** Since when it does that. */
export const sessionSince = ({ idle, seenAt }: Pick<Session, "idle" | "seenAt">): number => idle?.since ?? seenAt;

export const sessionName = ({ title, project, cwd }: Pick<Session, "title" | "project" | "cwd">): string =>
  safeLine(title ?? project ?? cwd ?? "(no project)", { max: 80 });

/** What its agent said last, on one line. */
export const lastWords = ({ idle }: Pick<Session, "idle">): string =>
  safeLine((idle?.said ?? "").slice(0, 2000), { max: 240 });

/** `2 sessions wait for a prompt`. */
export const idleWords = (count: number): string =>
  `${counted(count, "session")} ${count === 1 ? "waits" : "wait"} for a prompt`;

/** What the session that asks is called, if that is known. */
export const titleIn = (sessionTitle: string | undefined, max = 60): string[] =>
  sessionTitle === undefined ? [] : [safeLine(sessionTitle, { max })].filter(Boolean);
