import { ParleyError } from "../core/error.ts";
import { makeId } from "../core/id.ts";
import type { Task, TaskEvent, TaskOrder } from "../core/task.ts";
import type { Store } from "../store/store.ts";

export type Tasks = ReturnType<typeof createTasks>;

/** Tasks as the store has them: the one place that writes to them. */
export function createTasks({ store, now }: { store: Store; now: () => number }) {
  /** Decides on the newest version and writes only if nobody was faster; then decides again. */
  async function change(id: string, decide: (task: Task) => TaskEvent[]): Promise<Task> {
    for (;;) {
      const task = await store.task(id);
      if (!task) throw new ParleyError("not_found", `No task "${id}". See: parley tasks`);
      const events = decide(task);
      if (events.length === 0) return task;
      const result = await store.append({ at: now(), task: { id, expected: task.version, events } });
      if (result.type === "done" && result.task) return result.task;
    }
  }

  return {
    change,
    async create(order: TaskOrder): Promise<Task> {
      const id = makeId(crypto.getRandomValues(new Uint8Array(16)));
      const events: TaskEvent[] = [{ type: "task.created", order }];
      const result = await store.append({ at: now(), task: { id, expected: 0, events } });
      if (result.type !== "done" || !result.task)
        throw new ParleyError("internal", `the new task ${id} was not written`);
      return result.task;
    },
    async get(idOrPrefix: string): Promise<Task> {
      const task = await store.task(idOrPrefix);
      if (task) return task;
      const all = await store.tasks({ limit: 100_000 });
      const [found, ...others] = idOrPrefix === "" ? [] : all.filter(({ id }) => id.startsWith(idOrPrefix));
      if (!found) throw new ParleyError("not_found", `No task "${idOrPrefix}". See: parley tasks`);
      if (others.length === 0) return found;
      const ids = [found, ...others].slice(0, 10).map(({ id }) => id);
      throw new ParleyError("ambiguous", `"${idOrPrefix}" fits several tasks: ${ids.join(", ")}`);
    },
  };
}
