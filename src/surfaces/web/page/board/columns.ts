import { isOver } from "../../../../core/task/task-state.ts";
import type { TaskView } from "../../../../protocol/task.ts";

export type Column = "queued" | "in_progress" | "waiting" | "over";
export const COLUMNS: readonly [Column, string][] = [
  ["queued", "Queued"],
  ["in_progress", "In progress"],
  ["waiting", "Waiting"],
  ["over", "Done"],
];

export const columnOf = (task: TaskView): Column => (isOver(task) ? "over" : (task.state as Column));
