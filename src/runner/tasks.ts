import { ParleyError } from "../core/error.ts";
import { shortId } from "../core/id.ts";
import type { Actor } from "../core/ask/outcome.ts";
import type { Task, TaskEvent, TaskOrder, Workdir } from "../core/task/task.ts";
import { isOver } from "../core/task/task-state.ts";
import type { Store } from "../store/store.ts";

/** Who gave it, where a person did not; `request`: names what was asked for, where it may be asked for again. */
export type From = { by?: Actor; request?: string };
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
    /** Several things at once, decided on the task as it is given. False: somebody was faster, and nothing was written. */
    async advance({ id, version }: Task, events: readonly TaskEvent[]): Promise<boolean> {
      const { type } = await store.append({ at: now(), task: { id, expected: version, events } });
      return type === "done";
    },
    /** Contract: the same id again is the same task. */
    async create(id: string, order: TaskOrder, workdir?: Workdir, from: From = {}): Promise<Task> {
      const placed: TaskEvent[] = workdir ? [{ type: "task.placed", workdir }] : [];
      const events: TaskEvent[] = [{ type: "task.created", order, ...from }, ...placed];
      const result = await store.append({ at: now(), task: { id, expected: 0, events } });
      if (result.type === "replayed" || !result.task)
        throw new ParleyError("internal", `the new task ${id} was not written`);
      return result.task;
    },
    /** The task a person means: by its id, its name, or a unique beginning of either; the one that is not over first. */
    async get(typed: string): Promise<Task> {
      const task = await store.task(typed);
      if (task) return task;
      const all = typed === "" ? [] : await store.tasks({ limit: 100_000 });
      const name = ({ order }: Task) => order.name.toLowerCase();
      const wanted = typed.toLowerCase();
      const fits = [
        all.filter(({ id }) => id.startsWith(wanted)),
        all.filter((each) => name(each) === wanted),
        all.filter((each) => name(each).startsWith(wanted)),
      ].find((some) => some.length > 0);
      if (!fits) throw new ParleyError("not_found", `No task "${typed}". See: parley tasks --all`);
      const active = fits.filter((each) => !isOver(each));
      const [found, ...others] = active.length > 0 ? active : fits;
      if (found && others.length === 0) return found;
      const ids = fits.slice(0, 10).map(({ id }) => shortId(id));
      throw new ParleyError("ambiguous", `"${typed}" matches several tasks: ${ids.join(", ")}`);
    },
  };
}
