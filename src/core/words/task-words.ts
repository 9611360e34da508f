import { isOver } from "../task/task-state.ts";
import type { DiffStat, Task, TaskState, WaitingFor } from "../task/task.ts";
import { safeLine } from "../text/text.ts";
import { counted, dollars, shortCount } from "./number.ts";
import { ageOf, agoWords, duration } from "./time.ts";

// Free of the schema library: lists are waited for, and the page has none.

/** What a list says of a task, beyond the task itself. */
type Listed = Task & {
  pending_questions?: { question: string }[] | undefined;
  asking?: string | undefined;
  tool?: Tool | undefined;
  waitingSince?: number | undefined;
};
type Tool = { name: string; summary: string };
type Used = Pick<Task, "usage">;

const WAITS_FOR: Record<WaitingFor, string> = {
  question: "question",
  approval: "needs approval",
  plan: "plan to approve",
  idle: "stopped, not finished",
  dead: "agent died",
  error: "error",
  gate: "check failed",
  budget: "budget used up",
  review: "ready for review",
  next: "next step",
};
/** The end of a run that waits without a process, in its log. */
export const PARKED = "parked until you answer";

export const waitsFor = (what: WaitingFor): string => WAITS_FOR[what];

export const stateName = (state: TaskState): string => state.replace("_", " ");

/** `waiting: question`: its state, and the name of what it waits for, as scripts and the docs have it. */
export function stateWords({ state, waitingFor }: Pick<Task, "state" | "waitingFor">): string {
  return waitingFor === undefined ? stateName(state) : `${state}: ${waitingFor}`;
}

/** `? 2 questions`, `check failed`: what a waiting task waits for. */
export function waitingBadge({ waitingFor = "question", pending_questions: questions }: Listed): string {
  if (questions) return `? ${counted(questions.length, "question")}`;
  return waitingFor === "question" ? `? ${waitsFor(waitingFor)}` : waitsFor(waitingFor);
}

/** How long it waits, runs or is in the queue; of one that is over, since when. */
export function stateAge(task: Listed, now: number): string {
  if (isOver(task)) return agoWords(task.endedAt ?? task.updatedAt, now);
  if (task.state === "waiting") return ageOf(task.waitingSince ?? task.updatedAt, now);
  return ageOf(task.state === "queued" ? task.createdAt : (task.startedAt ?? task.createdAt), now);
}

/** What it is about right now: the question it waits with, what its agent does, what it said last. */
export function nowWords(task: Listed, now: number): string {
  const [question, ...others] = task.pending_questions ?? [];
  const more = others.length > 0 ? `${counted(others.length + 1, "question")}: ` : "";
  if (question) return `${more}${safeLine(question.question, { max: 200 })}`;
  if (task.asking) return safeLine(task.asking, { max: 200 });
  if (task.resumeAt !== undefined && !isOver(task)) return resumeWords(task.resumeAt, now);
  if (task.tool && !isOver(task)) return toolWords(task.tool);
  return safeLine(task.reason ?? task.said ?? "", { max: 200 });
}

export const toolWords = ({ name, summary }: Tool): string => safeLine(`${name} ${summary}`, { max: 200 });

export const resumeWords = (at: number, now: number): string =>
  `continues on its own in ${duration(Math.max(0, at - now))}`;

/** Each is empty where there is nothing to say. */
export const turnWords = ({ usage: { turns } }: Used): string => (turns === 0 ? "" : counted(turns, "turn"));
export const costWords = ({ usage: { costUsd } }: Used): string => (costUsd === 0 ? "" : dollars(costUsd));
export function tokenWords({ usage: { inputTokens, outputTokens } }: Used): string {
  const count = inputTokens + outputTokens;
  return count === 0 ? "" : shortCount(count);
}

/** `3 files +12 -4`. */
export function diffWords({ files, added, removed }: DiffStat): string {
  return files === 0 ? NOTHING_CHANGED : `${counted(files, "file")} +${added} -${removed}`;
}
export const NOTHING_CHANGED = "nothing changed";
