import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Task, TaskOrder } from "../src/core/task/task.ts";
import { Usage } from "../src/core/task/usage.ts";
import { addWorktree, planWorktree } from "../src/runner/work/worktree.ts";
import { createRepository, git } from "./git-repository.ts";

/** A repository, and a worktree of it as a task has one. */
export async function createWorkStage(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), "parley-work-"));
  const [project, home] = [join(root, "shop"), join(root, "home")];
  createRepository(project, files);
  git(project, "config", "user.name", "Somebody");
  git(project, "config", "user.email", "somebody@example.com");
  const id = "abcdef234567";
  const workdir = await planWorktree({ home, id, name: "limits", cwd: project });
  await addWorktree(project, workdir);
  const order = TaskOrder.parse({ prompt: "p", name: "limits", agent: "a", cwd: project, worktree: true });
  const ended = { state: "done", parked: false, run: 1, attempt: 1, usage: Usage.parse({}), endedAt: 1 };
  const task = Task.parse({ id, version: 1, order, workdir, createdAt: 1, updatedAt: 1, ...ended });
  return {
    root,
    project,
    task,
    workdir,
    tree: workdir.root,
    status: () => git(project, "status", "--porcelain"),
    head: () => git(project, "rev-parse", "HEAD"),
    branches: () => git(project, "branch", "--format=%(refname:short)").split("\n"),
    /** Every file of the checkout, and git's own HEAD and index. */
    everything: () =>
      Object.fromEntries(
        readdirSync(project, { recursive: true, encoding: "utf8" })
          .filter((name) => !/^\.git\/(objects|refs|logs|worktrees)/.test(name))
          .filter((name) => statSync(join(project, name)).isFile())
          .toSorted()
          .map((name) => [name, readFileSync(join(project, name), "latin1")]),
      ),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
