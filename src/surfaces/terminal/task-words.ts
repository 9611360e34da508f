import { isOver } from "../../core/task/task-state.ts";
import { duration } from "../../core/text/duration.ts";
import { safeLine } from "../../core/text/text.ts";
import type { TaskView } from "../../protocol/task.ts";
import { counted } from "./counting.ts";
import type { Style } from "./terminal.ts";

/** `waiting: question`: its state, and what it waits for. */
export function stateWords({ state, waitingFor }: Pick<TaskView, "state" | "waitingFor">): string {
  return waitingFor === undefined ? state.replace("_", " ") : `${state}: ${waitingFor}`;
}

export function stateColour({ state }: Pick<TaskView, "state">, style: Style): (text: string) => string {
  const plain = (text: string) => text;
  const colours = { waiting: style.yellow, in_progress: style.cyan, done: style.green, failed: style.red };
  return state in colours ? colours[state as keyof typeof colours] : state === "cancelled" ? style.dim : plain;
}

/** What it is about right now: the question it waits with, what its agent does, what it said last. */
export function nowWords(task: TaskView, now: number): string {
  const [question, ...others] = task.pending_questions ?? [];
  const more = others.length > 0 ? `${others.length + 1} questions: ` : "";
  if (question) return `${more}${safeLine(question.question, { max: 200 })}`;
  if (task.asking) return safeLine(task.asking, { max: 200 });
  if (task.resumeAt !== undefined && !isOver(task)) return `goes on by itself in ${duration(task.resumeAt - now)}`;
  if (task.tool && !isOver(task)) return safeLine(`${task.tool.name} ${task.tool.summary}`, { max: 200 });
  return safeLine(task.reason ?? task.said ?? "", { max: 200 });
}

const NOTHING = "-";

/** `950`, `1.2k`, `35k`, `1.4M`. */
export function tokenWords({ usage }: Pick<TaskView, "usage">): string {
  const count = usage.inputTokens + usage.outputTokens;
  if (count === 0) return NOTHING;
  if (count < 1000) return String(count);
  const [size, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1e6, "M"];
  return `${size < 10 ? size.toFixed(1).replace(/\.0$/, "") : Math.round(size)}${unit}`;
}

export function costWords({ usage: { costUsd } }: Pick<TaskView, "usage">): string {
  return costUsd === 0 ? NOTHING : `$${costUsd.toFixed(2)}`;
}

/** `3 files +12 -4`. */
export function diffWords({ files, added, removed }: NonNullable<TaskView["diff"]>): string {
  return files === 0 ? "nothing changed" : `${counted(files, "file")} +${added} -${removed}`;
}
