import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processes } from "../fault/processes.ts";
import { createTaskStage, isDone, type TaskStage } from "./tasks-stage.ts";

let stage: TaskStage;
beforeAll(async () => {
  stage = await createTaskStage();
});
afterAll(() => stage.dispose());

const inTree = (...args: string[]) => ["-C", ...args];

/** Every file of the checkout with its bytes and times, git's own HEAD and index among them. */
function everything(folder: string): Record<string, string> {
  const shared = /^\.git\/(objects|refs|logs|worktrees)/;
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !shared.test(name) && statSync(join(folder, name)).isFile())
      .toSorted()
      .map((name) => {
        const path = join(folder, name);
        return [name, `${statSync(path).mtimeMs} ${Bun.hash(readFileSync(path)).toString(16)}`];
      }),
  );
}

test("[TC12] a worktree task has a folder and a branch of its own; the checkout it was started in stays byte for byte", async () => {
  const { project } = stage;
  writeFileSync(join(project, "readme.md"), "one\nchanged by hand\n");
  writeFileSync(join(project, "staged.txt"), "staged\n");
  stage.git("add", "staged.txt");
  writeFileSync(join(project, "untracked.txt"), "mine\n");
  // A hook of the repository would run in the name of whoever owns it.
  mkdirSync(join(project, ".git/hooks"), { recursive: true });
  const hook = join(project, ".git/hooks/post-checkout");
  writeFileSync(hook, `#!/bin/sh\necho ran > ${join(project, "hook-ran")}\n`, { mode: 0o755 });
  const before = everything(project);
  const status = stage.git("--no-optional-locks", "status", "--porcelain");

  const steps = [{ write: "readme.md", text: "rewritten\n" }, { write: "new.txt", text: "a\nb\n" }, { say: "Done." }];
  const made = await stage.type(["run", JSON.stringify(steps), "--worktree", "--name", "Fix: the Übersicht!"]);
  const { id } = await stage.task("fix");
  const { workdir } = await stage.becomes(id, isDone);
  expect(workdir?.branch).toBe(`parley/fix-the-ubersicht-${id.slice(0, 6)}`);
  expect(workdir?.root).toBe(join(stage.home, "worktrees", `fix-the-ubersicht-${id.slice(0, 6)}`));
  expect(made.out).toContain(`  branch ${workdir?.branch}\n  in ${workdir?.root}\n`);
  expect(made.out).toContain("  3 files with uncommitted changes in your checkout: not included\n");
  expect(readFileSync(join(workdir?.root ?? "", "readme.md"), "utf8")).toBe("rewritten\n");

  expect(everything(project)).toEqual(before);
  expect(stage.git("--no-optional-locks", "status", "--porcelain")).toBe(status);
  expect(stage.git("rev-parse", "--abbrev-ref", "HEAD")).toBe("main");
});

test("[TC13] its diff counts commits, uncommitted changes and new files against the commit it began at", async () => {
  const { id } = await stage.run(
    [{ write: "readme.md", text: "one\n" }, { say: "Done." }],
    "--worktree",
    "--name",
    "counted",
  );
  const { workdir } = await stage.becomes(id, isDone);
  expect((await stage.task(id)).diff).toEqual({
    files: 1,
    added: 0,
    removed: 1,
    paths: [{ path: "readme.md", added: 0, removed: 1 }],
  });
  const root = workdir?.root ?? "";
  stage.git(...inTree(root, "commit", "--quiet", "--all", "--message", "shorter"));
  writeFileSync(join(root, "with space ü.txt"), "a\nb\nc");
  writeFileSync(join(root, "picture.bin"), Buffer.from([1, 0, 10, 10]));
  expect((await stage.task(id)).diff).toEqual({
    files: 3,
    added: 3,
    removed: 1,
    paths: [
      { path: "picture.bin", added: 0, removed: 0 },
      { path: "readme.md", added: 0, removed: 1 },
      { path: "with space ü.txt", added: 3, removed: 0 },
    ],
  });
  const { out } = await stage.type(["task", "show", "counted"]);
  expect(out).toContain("Changed  3 files +3 -1 · not applied\n");
  expect(out).toContain("with space ü.txt  +3 -0\n");
  // Lists have it as it was when the agent stopped.
  expect((await stage.type(["tasks"])).out).toContain("[1 file +0 -1, not applied] Done.");
});

test("[TC14] started in a subfolder it works in that subfolder", async () => {
  mkdirSync(join(stage.project, "docs/deep"), { recursive: true });
  const steps = [{ write: "here.txt", text: "x\n" }, { say: "Done." }];
  const { id } = await stage.run(steps, "--worktree", "--cwd", "docs/deep", "--name", "deep");
  const { workdir, diff } = await stage.becomes(id, isDone);
  expect(workdir?.path).toBe(join(workdir?.root ?? "", "docs/deep"));
  expect(diff?.paths).toEqual([{ path: "docs/deep/here.txt", added: 1, removed: 0 }]);
});

test("[TC15] where there is no repository, no commit or no room for the branch, nothing is made", async () => {
  const tasks = async () => (await stage.client().call("listTasks", {})).tasks.length;
  const before = await tasks();
  const bare = join(stage.user, "bare");
  mkdirSync(bare);
  const refused = async () => {
    const { code, err } = await stage.type(["run", "x", "--worktree"], { cwd: bare });
    return [code, err];
  };
  expect(await refused()).toEqual([2, `✗ --worktree: ${bare} is not inside a git repository\n`]);
  stage.git("init", "--quiet", bare);
  expect(await refused()).toEqual([2, `✗ --worktree: the repository of ${bare} has no commit yet\n`]);
  stage.git(...inTree(bare, "commit", "--quiet", "--allow-empty", "--message", "start"));
  // A branch of that name leaves no room for branches below it.
  stage.git(...inTree(bare, "branch", "parley"));
  const [code, err] = await refused();
  expect(code).toBe(1);
  expect(err).toMatch(/^✗ --worktree: .*'refs\/heads\/parley' exists/);
  expect(await tasks()).toBe(before);
  expect(stage.git(...inTree(bare, "worktree", "list")).split("\n")).toHaveLength(1);
});

test("[TC16] rm takes the worktree and branch along where nothing is lost, and says what it kept", async () => {
  const place = async (name: string, steps: Parameters<TaskStage["run"]>[0]) => {
    const { id } = await stage.run([...steps, { say: "Done." }], "--worktree", "--name", name);
    const { workdir } = await stage.becomes(id, isDone);
    if (!workdir) throw new Error("it has no worktree");
    return { id, ...workdir };
  };
  const branches = () => stage.git("branch", "--list", "--format=%(refname:short)").split("\n");

  const clean = await place("clean", []);
  expect((await stage.type(["task", "rm", "clean"])).out).toBe(`${clean.id.slice(0, 6)}  removed  clean\n`);
  expect([existsSync(clean.root), branches().includes(clean.branch)]).toEqual([false, false]);

  const dirty = await place("dirty", [{ write: "new.txt", text: "x\n" }]);
  expect((await stage.type(["task", "rm", "dirty"])).out).toBe(
    `${dirty.id.slice(0, 6)}  removed  dirty\n  kept worktree ${dirty.root} on branch ${dirty.branch}: 1 uncommitted file\n`,
  );
  expect([existsSync(join(dirty.root, "new.txt")), branches().includes(dirty.branch)]).toEqual([true, true]);

  const committed = await place("committed", [{ write: "new.txt", text: "x\n" }]);
  stage.git(...inTree(committed.root, "add", "."));
  stage.git(...inTree(committed.root, "commit", "--quiet", "--message", "more"));
  const { out } = await stage.type(["task", "rm", "committed", "--json"]);
  expect(JSON.parse(out)).toEqual({
    id: committed.id,
    name: "committed",
    kept: [`branch ${committed.branch}: 1 commit`],
  });
  expect([existsSync(committed.root), branches().includes(committed.branch)]).toEqual([false, true]);
});

test("[TC42] rm right after cancel waits until nothing of the agent is left that could write there", async () => {
  const { id } = await stage.run(
    [{ call: "Bash", input: { command: "wait" }, result: "", until: "/nowhere/ever" }],
    "--worktree",
    "--name",
    "busy",
  );
  const { workdir } = await stage.becomes(id, ({ tool }) => tool?.name === "Bash");
  expect((await stage.type(["task", "cancel", "busy"])).code).toBe(0);
  expect((await stage.type(["task", "rm", "busy"])).out).toBe(`${id.slice(0, 6)}  removed  busy\n`);
  expect(processes().filter(({ env }) => env.includes(`PARLEY_TASK=${id}`))).toEqual([]);
  expect([existsSync(workdir?.root ?? ""), existsSync(join(stage.home, "tasks", id))]).toEqual([false, false]);
});
