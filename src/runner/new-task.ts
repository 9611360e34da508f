import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Task, TaskOrder } from "../core/task/task.ts";
import { orUnwritable } from "../core/unwritable.ts";
import type { From, Tasks } from "./tasks.ts";
import type { createUnfinished } from "./ended/unfinished.ts";
import { addWorktree, planWorktree } from "./work/worktree.ts";

export type NewTask = { id: string; order: TaskOrder; environment: Record<string, string> } & From;
type Place = { home: string; tasks: Tasks; unfinished: ReturnType<typeof createUnfinished> };

/** Everything a task needs is there before the task is: its queue may be empty. */
export async function makeTask({ home, tasks, unfinished }: Place, wanted: NewTask): Promise<Task> {
  const { id, order, environment, ...from } = wanted;
  const { name, cwd, worktree } = order;
  // An earlier attempt was killed on its way.
  await unfinished.clear(id);
  const workdir = worktree ? await planWorktree({ home, id, name, cwd }) : undefined;
  try {
    unfinished.begin(id, workdir && { workdir });
    if (workdir) await addWorktree(cwd, workdir);
    keepEnvironment(join(home, "tasks", id), environment);
    await tasks.create(id, order, workdir, from);
  } catch (error) {
    // What cannot be removed now is removed by the next daemon.
    await unfinished.clear(id).catch(() => undefined);
    throw orUnwritable(error, home);
  }
  unfinished.end(id);
  return tasks.change(id, () => []);
}

function keepEnvironment(folder: string, environment: Record<string, string>): void {
  // It may hold keys: never in the log, only here, and gone with the task. Who sends none gets the daemon's own.
  if (Object.keys(environment).length > 0)
    writeFileSync(join(folder, "environment.json"), JSON.stringify(environment), { mode: 0o600 });
}
