import type { Task } from "./task.ts";

// Free of the schema library, for commands that a person waits for and for the page.

type Stage = Pick<Task, "state" | "end">;

export const isOver = ({ state }: Pick<Task, "state">): boolean => ["done", "failed", "cancelled"].includes(state);

/** A run of it goes on, as far as is known. */
export const hasProcess = ({ state, end }: Stage): boolean =>
  (state === "in_progress" || state === "waiting") && end === undefined;

/** It waits without a process: see `Task.parked`. */
export const isParked = ({ state, end }: Stage): boolean => state === "waiting" && end !== undefined;
