import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { holds } from "./program.ts";
import { createTaskStage, isDone, type TaskStage } from "./tasks-stage.ts";

let stage: TaskStage;
beforeAll(async () => {
  stage = await createTaskStage();
});
afterAll(() => stage.dispose());

async function finished(name: string, text: string) {
  const steps = [{ write: `${name}.txt`, text }, { say: "Done." }];
  const { id } = await stage.run(steps, "--worktree", "--name", name);
  const { workdir } = await stage.becomes(id, isDone);
  if (!workdir) throw new Error("it has no worktree");
  return { id, short: id.slice(0, 6), ...workdir };
}
const inProject = (name: string) => join(stage.project, name);
const branches = () => stage.git("branch", "--list", "--format=%(refname:short)").split("\n");

test("[TD12] a finished task's work is seen, applied and discarded by typed commands", async () => {
  const { short, root, branch } = await finished("limits", "limit\n");
  expect((await stage.type(["tasks"])).out).toContain("[1 file +1 -0, not applied] Done.");
  const shown = await stage.type(["task", "show", "limits"]);
  expect(shown.out).toContain("Changed  1 file +1 -0 · not applied\n");
  expect(shown.out).toContain(`Its work: parley task diff, apply or discard ${short}\n`);
  const diff = await stage.type(["task", "diff", "limits"]);
  expect(diff.out).toMatch(/^diff --git a\/limits\.txt b\/limits\.txt\nnew file mode 100644\n[^]*\n\+limit\n$/);
  expect((await stage.type(["task", "diff", "limits", "--stat"])).out).toBe("1 file +1 -0\nlimits.txt  +1 -0\n");

  const applied = await stage.type(["task", "apply", "limits"]);
  expect([applied.code, applied.out]).toEqual([0, `✓ limits: applied: 1 file changed in ${stage.project}\n`]);
  expect(readFileSync(inProject("limits.txt"), "utf8")).toBe("limit\n");
  expect((await stage.type(["task", "show", "limits"])).out).toContain("· applied\n");
  // Of theirs by now.
  writeFileSync(inProject("limits.txt"), "more\n");
  const again = await stage.type(["task", "apply", "limits"]);
  expect([again.code, again.err]).toEqual([
    1,
    "✗ limits.txt has changes of yours in the checkout. Commit or stash them, then apply it again. Nothing was changed\n",
  ]);

  const asked = await stage.type(["task", "discard", "limits"]);
  expect([asked.code, asked.err]).toEqual([
    2,
    `✗ Nothing was discarded: add --yes. See it first: parley task diff ${short}\n`,
  ]);
  const { out } = await stage.type(["task", "discard", "limits", "--yes"]);
  const [, commit = ""] = /git branch restored ([0-9a-f]{12}) \(within two weeks\)/.exec(out) ?? [];
  expect(out).toStartWith("✓ limits: discarded\n  to restore it: ");
  expect([existsSync(root), branches().includes(branch)]).toEqual([false, false]);
  expect(stage.git("show", `${commit}:limits.txt`)).toBe("limit");
  expect(readFileSync(inProject("limits.txt"), "utf8")).toBe("more\n");
  // Started again it has both again.
  expect((await stage.type(["task", "retry", "limits"])).code).toBe(0);
  await stage.becomes(short, (task) => isDone(task) && task.attempt === 2);
  expect([existsSync(join(root, "limits.txt")), branches().includes(branch)]).toEqual([true, true]);
});

test("[TD13] killed while it applies, a daemon leaves what the next apply ends; nothing else is touched", async () => {
  const { short, root } = await finished("killed", "work\n");
  stage.git("-C", root, "add", ".");
  stage.git("-C", root, "commit", "--quiet", "--message", "work of it");
  writeFileSync(inProject("mine.txt"), "mine\n");
  // As the daemon sees git: the one that writes files has its daemon killed before it does.
  const shim = join(stage.root, "bin/git");
  const once = join(stage.root, "once");
  writeFileSync(once, "");
  const real = Bun.which("git");
  writeFileSync(
    shim,
    `#!/bin/sh\ncase "$*" in *"read-tree -m"*) if rm '${once}' 2>/dev/null; then kill -9 $PPID; fi;; esac\nexec ${real} "$@"\n`,
  );
  chmodSync(shim, 0o755);
  await stage.kill9();
  const cut = await stage.type(["task", "apply", short]);
  expect(existsSync(once)).toBe(false);
  // Its request is made again by the client, or was cut off.
  if (cut.code !== 0) expect((await stage.type(["task", "apply", short])).code).toBe(0);
  rmSync(shim);
  expect(stage.git("log", "-1", "--format=%s")).toBe("work of it");
  expect(stage.git("status", "--porcelain")).not.toContain("killed.txt");
  expect([readFileSync(inProject("killed.txt"), "utf8"), readFileSync(inProject("mine.txt"), "utf8")]).toEqual([
    "work\n",
    "mine\n",
  ]);
  expect((await stage.task(short)).applied?.commits).toBeLessThanOrEqual(1);
});

test("[TD14] worktrees of tasks that ended long ago go by themselves, those with work in them stay", async () => {
  const [empty, full] = [await finished("empty", ""), await finished("full", "work\n")];
  rmSync(join(empty.root, "empty.txt"));
  const gone = await finished("gone", "x\n");
  await stage.kill9();
  const store = openSqlite(stage.paths.database);
  const long = Date.now() - 15 * 86_400_000;
  const end = { type: "task.ended", state: "done" } as const;
  for (const { id } of [empty, full]) {
    const { version = 0 } = (await store.task(id)) ?? {};
    await store.append({ at: long, task: { id, expected: version, events: [{ type: "task.retried" }, end] } });
  }
  // A daemon was killed right after somebody discarded it.
  const { version = 0 } = (await store.task(gone.id)) ?? {};
  const cleared = { type: "task.cleared", cleared: { at: long, how: "discarded" } } as const;
  await store.append({ at: long, task: { id: gone.id, expected: version, events: [cleared] } });
  await store.close();
  await stage.start();
  expect(await holds(async () => (await stage.task(empty.id)).cleared?.how === "pruned")).toBe(true);
  expect(await holds(() => !existsSync(empty.root) && !branches().includes(empty.branch))).toBe(true);
  expect(await holds(() => !existsSync(gone.root) && !branches().includes(gone.branch))).toBe(true);
  expect([existsSync(join(full.root, "full.txt")), branches().includes(full.branch)]).toEqual([true, true]);
  expect((await stage.task(full.id)).cleared).toBeUndefined();
});

test("[TD15] an agent that still runs keeps its work to itself", async () => {
  const steps = [{ call: "Bash", input: { command: "wait" }, result: "", until: "/nowhere/ever" }];
  const { id } = await stage.run(steps, "--worktree", "--name", "busy");
  await stage.becomes(id, ({ tool }) => tool?.name === "Bash");
  const short = id.slice(0, 6);
  expect((await stage.type(["task", "apply", "busy"])).err).toBe(
    `✗ Task ${short} (busy) is in progress: its agent may still change files\n`,
  );
  expect((await stage.type(["task", "discard", "busy", "--yes"])).err).toBe(
    `✗ Task ${short} (busy) is in progress. Stop it first: parley task cancel ${short}\n`,
  );
  const { id: plain } = await stage.run([{ say: "Done." }], "--name", "plain");
  await stage.becomes(plain, isDone);
  expect((await stage.type(["task", "apply", "plain"])).err).toBe(
    `✗ It has no worktree: it worked in ${stage.project} itself\n`,
  );
});
