import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commit, createRepository, git, write } from "../../../test/git-repository.ts";
import { createWorkStage } from "../../../test/work-stage.ts";
import { runGit } from "../../machine/git/run-git.ts";
import { removeWorktree } from "../../machine/worktree/remove.ts";
import { snapshotOf } from "../../machine/worktree/snapshot.ts";
import { measureDiff } from "./diff-stat.ts";
import { readPatch } from "./patch.ts";

type Stage = Awaited<ReturnType<typeof createWorkStage>>;

/** What an agent leaves: a repository in the worktree, committed as such, whose own settings name programs. */
function plant({ tree, root }: Stage, name: string): { mark: string; inner: string } {
  const [mark, spy, inner] = [join(root, `mark-${name.at(-1)}`), join(root, "spy"), join(tree, name)];
  createRepository(inner, { "a.txt": "a\n", ".gitattributes": "* filter=inner diff=inner\n" });
  commit(tree);
  expect(git(tree, "ls-files", "--stage", "--", inner)).toStartWith("160000");
  writeFileSync(spy, `#!/bin/sh\n: > '${mark}'\nexec cat\n`);
  chmodSync(spy, 0o755);
  for (const key of ["filter.inner.clean", "filter.inner.process", "core.fsmonitor", "diff.inner.textconv"])
    git(inner, "config", key, spy);
  write(inner, { "a.txt": "b\n" });
  return { mark, inner };
}

test("[RH1] no program runs that a repository inside of a worktree names, whatever is looked up there", async () => {
  using stage = await createWorkStage({ "a.txt": "a\n" });
  const names = ["inner", "deep/in [x]*\n:y"];
  const planted = names.map((name) => plant(stage, name));
  write(stage.tree, { "a.txt": "A\n", "deep/new.txt": "n\n" });
  // By the commits of this test, which look into those before.
  for (const { mark } of planted) rmSync(mark, { force: true });
  const ran = () => planted.map(({ mark }) => existsSync(mark));
  // Whoever would look into them is one line away from it.
  for (const args of [["status", "--porcelain"], ["diff", "--stat"], ["diff", "HEAD"]]) await runGit(stage.tree, ...args); // prettier-ignore
  expect(ran()).toEqual([false, false]);
  const { tree } = (await snapshotOf(stage.workdir)) ?? {};
  expect((await readPatch(stage.workdir)).patch).toContain("+A\n");
  await measureDiff(stage.workdir);
  expect(await removeWorktree(stage.workdir)).not.toEqual([]);
  expect(ran()).toEqual([false, false]);
  expect([git(stage.project, "show", `${tree}:a.txt`), git(stage.project, "show", `${tree}:deep/new.txt`)]).toEqual(["A", "n"]); // prettier-ignore
});

test("[RH2] a commit in such a repository, and its end, are still seen", async () => {
  using stage = await createWorkStage({ "a.txt": "a\n" });
  const [moved, gone, file, empty] = ["moved", "gone", "file", "empty"].map((name) => plant(stage, name).inner);
  const tip = commit(moved ?? "", { "a.txt": "c\n" });
  rmSync(gone ?? "", { recursive: true });
  rmSync(file ?? "", { recursive: true });
  writeFileSync(file ?? "", "x\n");
  // As a submodule lies there that nobody filled.
  rmSync(empty ?? "", { recursive: true });
  mkdirSync(empty ?? "");
  const { tree = "" } = (await snapshotOf(stage.workdir)) ?? {};
  const listed = git(stage.project, "ls-tree", tree).split("\n");
  const of = (name: string) => listed.find((line) => line.endsWith(`\t${name}`));
  expect([of("moved"), of("gone")]).toEqual([`160000 commit ${tip}\tmoved`, undefined]);
  expect([of("file")?.slice(0, 11), of("empty")?.slice(0, 13)]).toEqual(["100644 blob", "160000 commit"]);
});
