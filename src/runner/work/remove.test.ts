import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commit, git, write } from "../../../test/git-repository.ts";
import { createWorkStage } from "../../../test/work-stage.ts";
import { applyWork } from "./apply.ts";
import { readPatch } from "./patch.ts";
import { dropWorktree, emptyTrash, removeWorktree } from "../../machine/worktree/remove.ts";
import { snapshotOf } from "../../machine/worktree/snapshot.ts";

type Stage = Awaited<ReturnType<typeof createWorkStage>>;
const left = ({ tree, branches, workdir }: Stage) => [existsSync(tree), branches().includes(workdir.branch)];

const CASES: [string, (stage: Stage) => unknown, string | undefined, [folder: boolean, branch: boolean]][] = [
  ["nothing was done", () => {}, undefined, [false, false]],
  [
    "ignored files alone",
    ({ tree, project }) => (write(project, { ".git/info/exclude": "build" }), write(tree, { "build/x": "x" })),
    undefined,
    [false, false],
  ],
  ["an uncommitted change", ({ tree }) => write(tree, { "a.txt": "b\n" }), "1 uncommitted file", [true, true]],
  ["a commit of its own", ({ tree }) => commit(tree, { "a.txt": "b\n" }), "1 commit", [false, true]],
  [
    "a commit that another branch has",
    ({ tree, project }) => git(project, "branch", "kept", commit(tree, { n: "n" })),
    undefined,
    [false, false],
  ],
  [
    "a commit on no branch",
    ({ tree }) => (git(tree, "checkout", "-q", "--detach"), commit(tree, { n: "n" })),
    "1 commit on no branch",
    [true, true],
  ],
  [
    "a new file that the settings hide",
    ({ tree, project }) => (git(project, "config", "status.showUntrackedFiles", "no"), write(tree, { n: "n" })),
    "1 uncommitted file",
    [true, true],
  ],
  [
    "submodules",
    ({ project }) => mkdirSync(join(project, ".git/worktrees/limits-abcdef/modules")),
    "it has submodules",
    [true, true],
  ],
];
test.each(CASES)("[TD7] a worktree goes only where nothing is lost with it: %s", async (_, arrange, why, expected) => {
  using stage = await createWorkStage({ "a.txt": "a\n" });
  arrange(stage);
  const kept = await removeWorktree(stage.workdir);
  expect(kept.map((words) => words.replace(/^.*: /, ""))).toEqual(why === undefined ? [] : [why]);
  expect(left(stage)).toEqual(expected);
});

test("[TD8] what was applied is no work any more, until something is added to it", async () => {
  using stage = await createWorkStage({ "a.txt": "a\n" });
  commit(stage.tree, { "a.txt": "b\n" });
  write(stage.tree, { "new.txt": "n\n" });
  const applied = await applyWork(stage.task);
  write(stage.tree, { "later.txt": "l\n" });
  expect(await removeWorktree(stage.workdir, applied)).toEqual([expect.stringContaining("2 uncommitted files")]);
  expect(await removeWorktree(stage.workdir, await applyWork(stage.task))).toEqual([]);
  expect(left(stage)).toEqual([false, false]);
  expect(stage.status()).toBe("?? later.txt\n?? new.txt");
});

test("[TD9] a removal that was killed is ended when it is done again, and its trash goes", async () => {
  using stage = await createWorkStage({ "a.txt": "a\n" });
  const folder = dirname(stage.tree);
  // The folder was moved away, and half of it deleted.
  Bun.spawnSync(["mv", stage.tree, join(folder, ".removed-limits")]);
  expect(await removeWorktree(stage.workdir)).toEqual([]);
  expect(left(stage)).toEqual([false, false]);
  await emptyTrash(folder);
  expect(readdirSync(folder)).toEqual([]);
  await dropWorktree(stage.workdir);
});

test("[TD10] a patch has commits, changes and new files, and a look leaves no trace in the repository", async () => {
  using stage = await createWorkStage({ "a.txt": "a\n", "b.txt": "b\n" });
  commit(stage.tree, { "a.txt": "A\n" });
  write(stage.tree, { "b.txt": "B\n", "new ü.txt": "n\n" });
  const objects = () => git(stage.project, "count-objects", "-v");
  const before = [objects(), git(stage.tree, "status", "--porcelain")];
  const { patch, isCut } = await readPatch(stage.workdir);
  expect([objects(), git(stage.tree, "status", "--porcelain")]).toEqual(before);
  expect(patch.match(/^[+-](?![+-]).*/gm)).toEqual(["-a", "+A", "-b", "+B", "+n"]);
  expect([patch.includes("+++ b/new ü.txt"), isCut]).toEqual([true, false]);
});

test("[TD11] a change of the same size in the same second is seen", async () => {
  using stage = await createWorkStage({ "a.txt": "a\n" });
  git(stage.project, "config", "core.trustctime", "false");
  const [file, index] = [join(stage.tree, "a.txt"), join(stage.project, ".git/worktrees/limits-abcdef/index")];
  const at = new Date(1_700_000_000_000);
  writeFileSync(file, "b\n");
  utimesSync(file, at, at);
  git(stage.tree, "add", "-A");
  writeFileSync(file, "c\n");
  for (const path of [file, index]) utimesSync(path, at, at);
  const { tree } = (await snapshotOf(stage.workdir)) ?? {};
  expect(git(stage.project, "show", `${tree}:a.txt`)).toBe("c");
});
