import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Actor } from "../core/outcome.ts";
import type { Task, TaskOrder } from "../core/task.ts";
import type { Tasks } from "./tasks.ts";
import { placeWorktree, removeWorktree } from "./worktree.ts";

export type NewTask = { id: string; order: TaskOrder; environment: Record<string, string>; by?: Actor };

/** Everything a task needs is there before the task is: its queue may be empty. */
export async function makeTask(home: string, tasks: Tasks, { id, order, environment, by }: NewTask): Promise<Task> {
  const { name, cwd, worktree } = order;
  const workdir = worktree ? await placeWorktree({ home, id, name, cwd }) : undefined;
  const folder = join(home, "tasks", id);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // It may hold keys: never in the log, only here, and gone with the task. Who sends none gets the daemon's own.
    if (Object.keys(environment).length > 0)
      writeFileSync(join(folder, "environment.json"), JSON.stringify(environment), { mode: 0o600 });
    return await tasks.create(id, order, workdir, by);
  } catch (error) {
    // As on a full disk: what nobody will ask for must not stay.
    rmSync(folder, { recursive: true, force: true });
    if (workdir) await removeWorktree(workdir);
    throw error;
  }
}
