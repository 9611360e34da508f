import type { Task } from "./task.ts";

// Free of the schema library, for commands that a person waits for and for the page.

export const isOver = ({ state }: Pick<Task, "state">): boolean => ["done", "failed", "cancelled"].includes(state);
