import { isOver } from "../../../../core/task/task-state.ts";
import { duration } from "../../../../core/text/duration.ts";
import type { WaitingFor } from "../../../../core/task/task.ts";
import type { TaskView } from "../../../../protocol/task.ts";

export type Column = "queued" | "in_progress" | "waiting" | "over";
export const COLUMNS: readonly [Column, string][] = [
  ["queued", "Queued"],
  ["in_progress", "In progress"],
  ["waiting", "Waiting"],
  ["over", "Done"],
];
export const STATES: Record<TaskView["state"], string> = {
  queued: "Queued",
  in_progress: "In progress",
  waiting: "Waiting",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};
const REASONS: Record<WaitingFor, string> = {
  question: "? question",
  approval: "needs approval",
  plan: "plan to approve",
  idle: "stopped, not finished",
  error: "error",
  gate: "check failed",
  budget: "budget used up",
  review: "to be reviewed",
};

export const columnOf = (task: TaskView): Column => (isOver(task) ? "over" : (task.state as Column));

/** What a waiting task waits for. */
export function badge({ waitingFor, pending_questions: questions }: TaskView): string {
  if (questions) return `? ${questions.length} ${questions.length === 1 ? "question" : "questions"}`;
  return REASONS[waitingFor ?? "question"];
}

/** How long it waits, runs or ran; for one in the queue, since when it is there. */
export function age(task: TaskView, now: number): string {
  if (task.state === "waiting") return duration(now - (task.waitingSince ?? task.updatedAt));
  if (task.state === "queued") return duration(now - task.createdAt);
  if (task.state === "in_progress") return duration(now - (task.startedAt ?? task.createdAt));
  return `${duration(now - (task.endedAt ?? task.updatedAt))} ago`;
}

export function cost({ usage: { turns, costUsd } }: TaskView): string {
  const parts = [
    turns > 0 ? `${turns} ${turns === 1 ? "turn" : "turns"}` : "",
    costUsd > 0 ? `$${costUsd.toFixed(2)}` : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

/** `1.2k`: nobody counts single tokens. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

export const lastPart = (path: string): string => path.replace(/\/+$/, "").split("/").at(-1) || path;
