import type { Task } from "../core/task.ts";

/** Which of the queued tasks start now: the most urgent first, as far as the limit allows. */
export function startable(active: readonly Task[], limit: number): Task[] {
  const busy = active.filter(({ state }) => state === "in_progress").length;
  return active
    .filter(({ state }) => state === "queued")
    .toSorted((a, b) => b.order.priority - a.order.priority || a.createdAt - b.createdAt)
    .slice(0, Math.max(0, limit - busy));
}
