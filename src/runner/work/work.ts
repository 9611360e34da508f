import { existsSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../core/error.ts";
import type { Cleared, Task, Workdir } from "../../core/task/task.ts";
import { isOver, isParked } from "../../core/task/task-state.ts";
import { shortId } from "../../core/id.ts";
import { stateName } from "../../core/words/task-words.ts";
import { runGitWith } from "../../machine/git/run-git.ts";
import type { Tasks } from "../tasks.ts";
import { applyWork } from "./apply.ts";
import { SOMEBODY } from "./plan-apply.ts";
import { dropWorktree, emptyTrash, removeWorktree } from "../../machine/worktree/remove.ts";
import { snapshotOf, treeOf } from "../../machine/worktree/snapshot.ts";

type Deps = {
  tasks: Tasks;
  home: string;
  now: () => number;
  /** Nothing of a task that is over runs any more. */
  ended(task: Task): Promise<void>;
  /** While it works, no task of the queue is started. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  log: (message: string, fields: Record<string, unknown>) => void;
};
export type Work = ReturnType<typeof createWork>;

/** What becomes of the work in tasks' worktrees once their agents have stopped. */
export function createWork({ tasks, home, now, ended, alone, log }: Deps) {
  const cleared = (id: string, how: Cleared["how"], commit?: string) =>
    tasks.change(id, (task) => {
      if (!isOver(task)) throw new ParleyError("busy", "It was started again meanwhile; it stays");
      return [{ type: "task.cleared", cleared: { at: now(), how, ...(commit !== undefined && { commit }) } }];
    });

  return {
    async apply(task: Task, surface: string): Promise<Task> {
      refuseRunning(task);
      if (isOver(task)) await ended(task);
      const applied = { ...(await applyWork(task)), at: now(), surface };
      return tasks.change(task.id, () => [{ type: "task.applied", applied }]);
    },
    /** Contract: that it is discarded is on disk before anything goes; a daemon killed then is followed by one that ends it. */
    async discard(task: Task): Promise<Task> {
      const { workdir } = task;
      if (!workdir) throw new ParleyError("usage", `It has no worktree: it worked in ${task.order.cwd} itself`);
      if (!isOver(task)) throw new ParleyError("busy", `${stopFirst(task)}: parley task cancel ${shortId(task.id)}`);
      await ended(task);
      return alone(async () => {
        const kept = task.cleared?.commit ?? (await keptCommit(workdir));
        const after = await cleared(task.id, "discarded", kept);
        await dropWorktree(workdir);
        return after;
      });
    },
    /** Worktrees and branches of tasks that ended before `before`, where nothing is in them that is nowhere else. */
    async prune(over: AsyncIterable<Task>, before: number): Promise<void> {
      for await (const task of over) {
        const { workdir, endedAt = Number.POSITIVE_INFINITY } = task;
        if (!workdir || task.cleared || endedAt >= before) continue;
        await alone(() => pruneOne(task, workdir)).catch((error: unknown) =>
          log("the worktree of an old task could not be removed", { task: task.id, error: String(error) }),
        );
      }
    },
    /** What a daemon was killed at. */
    async finish(task: Task): Promise<void> {
      if (task.cleared && task.workdir && existsSync(task.workdir.root))
        await alone(() => dropWorktree(task.workdir as Workdir));
    },
    emptyTrash: () => emptyTrash(join(home, "worktrees")),
  };

  async function pruneOne({ id, applied }: Task, workdir: Workdir): Promise<void> {
    const task = await tasks.get(id);
    if (!isOver(task)) return;
    const kept = await removeWorktree(workdir, applied);
    if (kept.length === 0) await cleared(id, "pruned");
  }
}

/** So that git still finds all of it by a name that is told, as long as it keeps what nothing points at. */
async function keptCommit(workdir: Workdir): Promise<string | undefined> {
  try {
    const found = await snapshotOf(workdir);
    if (!found || found.tree === (await treeOf(workdir.repository, found.tip))) return found?.tip;
    const args = ["commit-tree", found.tree, "-p", found.tip, "-m", "Discarded work of a task"];
    const { ok, out } = await runGitWith(workdir.repository, args, { env: SOMEBODY });
    return ok ? out.trim() : undefined;
  } catch {
    return undefined;
  }
}

function refuseRunning(task: Task): void {
  if (!isOver(task) && !isParked(task))
    throw new ParleyError("busy", `${named(task)} is ${stateName(task.state)}: its agent may still change files`);
}

const named = ({ id, order }: Task) => `Task ${shortId(id)} (${order.name})`;
const stopFirst = (task: Task) => `${named(task)} is ${stateName(task.state)}. Stop it first`;
