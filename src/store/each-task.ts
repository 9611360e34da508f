import type { Task, TaskState } from "../core/task/task.ts";
import type { Store } from "./store.ts";

const PAGE = 50;

/** All tasks in these states, oldest first, in pages with room for others between them: thousands may be queued. */
export async function* eachTask(store: Store, states: readonly TaskState[]): AsyncGenerator<Task> {
  for (let after: Task | undefined; ;) {
    const page = await store.tasks({ states, limit: PAGE, ...(after && { after }) });
    yield* page;
    after = page.at(-1);
    if (!after || page.length < PAGE) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
