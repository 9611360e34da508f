import { isIn, isParked, QUESTION, type TaskScene } from "../../e2e/task-scene.ts";

export type Slots = { done(): number; wrong: string[]; end(): Promise<void> };

const LOOK_MS = 1000;
const IN_WORKTREE = 4;

/** So many tasks all the time: each asks, is parked when its person thinks for long, is answered, and makes room for the next. */
export function openSlots(scene: TaskScene, { tasks, thinkMs }: { tasks: number; thinkMs: number }): Slots {
  const wrong: string[] = [];
  let [isOver, done] = [false, 0];
  const slots = Array.from({ length: tasks }, (_, slot) =>
    fill(slot).catch((error: unknown) => void wrong.push(error instanceof Error ? error.message : String(error))),
  );

  async function fill(slot: number): Promise<void> {
    // Not in step: people do not give all their tasks at one moment.
    await pause((thinkMs * slot) / tasks);
    while (!isOver) {
      const steps = [{ ask: [QUESTION] }, { say: "Done." }];
      const id = await scene.give(steps, { name: `task ${slot}`, worktree: slot % IN_WORKTREE === 0 });
      const asks = await becomes(id, ({ state, asks: open }) => (state === "waiting" ? open : undefined));
      await pause(thinkMs);
      if (isOver) return;
      await scene.pick(asks[0] ?? "", "Postgres");
      await becomes(id, ({ state }) => (state === "done" ? true : undefined));
      done++;
    }
  }

  async function becomes<T>(id: string, look: (task: Awaited<ReturnType<TaskScene["task"]>>) => T | undefined) {
    for (;;) {
      const task = await scene.task(id);
      const found = look(task);
      if (found !== undefined) return found;
      if (isIn("failed")(task)) throw new Error(`task ${id} failed: ${JSON.stringify(task)}`);
      await Bun.sleep(isParked(task) ? LOOK_MS / 4 : LOOK_MS);
    }
  }

  async function pause(ms: number): Promise<void> {
    for (const until = performance.now() + ms; !isOver && performance.now() < until;) await Bun.sleep(LOOK_MS / 4);
  }

  return {
    done: () => done,
    wrong,
    async end() {
      isOver = true;
      await Promise.all(slots);
    },
  };
}
