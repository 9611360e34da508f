import { expect, test } from "bun:test";
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commit, git, write } from "../../../test/git-repository.ts";
import { createWorkStage } from "../../../test/work-stage.ts";
import { applyWork } from "./apply.ts";

const FILES = { "a.txt": "one\ntwo\nthree\nfour\nfive\n", "b.txt": "b\n", "gone.txt": "old\n", "src/c.txt": "c\n" };
type Stage = Awaited<ReturnType<typeof createWorkStage>>;
const text = (stage: Stage, name: string) => readFileSync(join(stage.project, name), "utf8");

const refusalOf = (stage: Stage): Promise<string> =>
  applyWork(stage.task).then(
    () => "it was done",
    (error: Error) => error.message,
  );

/** Two commits, then changes, a new file, a deleted one and a link that are not committed. */
function work({ tree }: Stage): void {
  commit(tree, { "a.txt": "ONE\ntwo\nthree\nfour\nfive\n" });
  commit(tree, { "src/new.txt": "committed\n" });
  write(tree, { "b.txt": "B\n", "dir/fresh ü.txt": "fresh\n" });
  rmSync(join(tree, "gone.txt"));
  symlinkSync("b.txt", join(tree, "link"));
}
const UNCOMMITTED = [" M b.txt", " D gone.txt", "?? dir/", "?? link"].join("\n");
/** `git` trims what it printed. */
const status = (stage: Stage) => stage.status().split("\n").toSorted().join("\n");
const whole = UNCOMMITTED.trim().split("\n").toSorted().join("\n");

test("[TD1] apply brings commits as commits and the rest as uncommitted changes, beside what the person works on", async () => {
  using stage = await createWorkStage(FILES);
  work(stage);
  write(stage.project, { "src/c.txt": "mine\n", "notes.txt": "mine\n" });
  const tip = git(stage.tree, "rev-parse", "HEAD");
  expect(await applyWork(stage.task)).toMatchObject({ to: stage.project, commit: tip, tip, commits: 2, files: 6 });
  expect(stage.head()).toBe(tip);
  expect(git(stage.project, "symbolic-ref", "HEAD")).toBe("refs/heads/main");
  expect(status(stage)).toBe([...whole.split("\n"), " M src/c.txt", "?? notes.txt"].toSorted().join("\n"));
  expect([text(stage, "a.txt").slice(0, 4), text(stage, "b.txt"), text(stage, "dir/fresh ü.txt")]).toEqual([
    "ONE\n",
    "B\n",
    "fresh\n",
  ]);
  expect([text(stage, "src/c.txt"), existsSync(join(stage.project, "gone.txt"))]).toEqual(["mine\n", false]);
  // Done again it is done already.
  const before = stage.everything();
  expect(await applyWork(stage.task)).toMatchObject({ commit: tip, commits: 0, files: 4 });
  expect(stage.everything()).toEqual(before);
});

test("[TD2] where the checkout went on, both are joined by a merge commit in the person's name", async () => {
  using stage = await createWorkStage(FILES);
  work(stage);
  const mine = commit(stage.project, { "a.txt": "one\ntwo\nthree\nfour\nFIVE\n" });
  const { commit: made } = await applyWork(stage.task);
  expect(text(stage, "a.txt")).toBe("ONE\ntwo\nthree\nfour\nFIVE\n");
  const tip = git(stage.tree, "rev-parse", "HEAD");
  expect(git(stage.project, "log", "-1", "--format=%H %P %an %s")).toBe(
    `${made} ${mine} ${tip} Somebody Merge branch '${stage.workdir.branch}'`,
  );
  expect(status(stage)).toBe(whole);
});

const REFUSED: [string, (stage: Stage) => unknown, RegExp][] = [
  [
    "a conflict",
    ({ project }) => commit(project, { "a.txt": "uno\n" }),
    /^It conflicts with your checkout in a\.txt\. Nothing was changed\. Merge by hand: git merge parley\/limits-/,
  ],
  [
    "a conflict in what is not committed",
    ({ project }) => commit(project, { "b.txt": "bee\n" }),
    /^It conflicts with your checkout in b\.txt/,
  ],
  [
    "a file the person has changed",
    ({ project }) => write(project, { "b.txt": "mine\n" }),
    /^b\.txt has changes of yours in the checkout\. Commit or stash them, then apply it again\. Nothing was changed$/,
  ],
  [
    "a file the person has staged",
    ({ project }) => (
      write(project, { "b.txt": "mine\n" }),
      git(project, "add", "."),
      write(project, { "b.txt": "b\n" })
    ),
    /^b\.txt has changes of yours/,
  ],
  [
    "a new file of theirs in the place",
    ({ project }) => write(project, { "src/new.txt": "mine\n" }),
    /^src\/new\.txt has changes of yours/,
  ],
  [
    "an ignored file of theirs in the place",
    ({ project }) => write(project, { ".gitignore": "dir\n", "dir/fresh ü.txt": "mine\n" }),
    /fresh/,
  ],
  ["a file where a folder would be", ({ project }) => write(project, { dir: "mine\n" }), /fresh/],
  [
    "a merge under way",
    ({ project }) => write(project, { ".git/MERGE_HEAD": `${git(project, "rev-parse", "HEAD")}\n` }),
    /^A merge is under way/,
  ],
  [
    "another git at work",
    ({ project }) => write(project, { ".git/index.lock": "" }),
    /^Another git works in .*index\.lock/,
  ],
  ["a merge of the agent's that was not finished", ({ tree }) => conflictIn(tree), /^A merge was begun in /],
  [
    "a repository inside",
    ({ tree }) => (
      mkdirSync(join(tree, "inner")),
      git(join(tree, "inner"), "init", "-q"),
      commit(join(tree, "inner"), { x: "x" })
    ),
    /inner is a git repository of its own/,
  ],
  [
    "a worktree that points elsewhere",
    ({ tree, root }) => (
      git(root, "init", "-q", "other"),
      commit(join(root, "other")),
      writeFileSync(join(tree, ".git"), `gitdir: ${root}/other/.git\n`)
    ),
    /does not belong to/,
  ],
  [
    "files that the repository wants elsewhere",
    ({ project, root }) => (
      mkdirSync(join(root, "elsewhere")),
      git(project, "config", "core.worktree", join(root, "elsewhere"))
    ),
    /./,
  ],
];
function conflictIn(tree: string): void {
  write(tree, { "a.txt": "ours\n" });
  git(tree, "stash", "-q");
  commit(tree, { "a.txt": "theirs\n" });
  expect(() => git(tree, "stash", "pop", "-q")).toThrow();
}

test.each(REFUSED)("[TD3] apply refuses and leaves everything as it is: %s", async (_, arrange, words) => {
  using stage = await createWorkStage(FILES);
  work(stage);
  arrange(stage);
  const before = stage.everything();
  const refused = await refusalOf(stage);
  expect(refused).toMatch(words);
  expect(refused).not.toBe("it was done");
  expect(stage.everything()).toEqual(before);
});

/** What a daemon that was killed has done so far. */
const KILLED: [string, (stage: Stage) => void][] = [
  [
    "some files were written",
    ({ project }) => write(project, { "a.txt": "ONE\ntwo\nthree\nfour\nfive\n", "dir/fresh ü.txt": "fresh\n" }),
  ],
  ["all files were written", (stage) => (copy(stage), symlinkSync("b.txt", join(stage.project, "link")))],
  [
    "the index was written",
    (stage) => {
      copy(stage);
      symlinkSync("b.txt", join(stage.project, "link"));
      git(stage.project, "read-tree", stage.workdir.branch);
    },
  ],
  [
    "its lock was taken",
    ({ project }) => {
      const ours = join(project, ".git/index.parley-abcdef");
      writeFileSync(ours, "half an index");
      linkSync(ours, join(project, ".git/index.lock"));
      writeFileSync(`${ours}.lock`, "");
    },
  ],
];
function copy({ project }: Stage): void {
  write(project, {
    "a.txt": "ONE\ntwo\nthree\nfour\nfive\n",
    "src/new.txt": "committed\n",
    "b.txt": "B\n",
    "dir/fresh ü.txt": "fresh\n",
  });
  rmSync(join(project, "gone.txt"));
}

test.each(KILLED)("[TD4] killed in the middle, apply done again ends what it began: %s", async (_, arrange) => {
  using stage = await createWorkStage(FILES);
  work(stage);
  arrange(stage);
  await applyWork(stage.task);
  expect(stage.head()).toBe(git(stage.tree, "rev-parse", "HEAD"));
  expect(status(stage)).toBe(whole);
  expect(Object.keys(stage.everything()).filter((name) => /parley|lock/.test(name))).toEqual([]);
});

test("[TD5] a repository's own merge program is not run: what it would merge is a conflict", async () => {
  using stage = await createWorkStage({ ...FILES, ".gitattributes": "*.txt merge=evil\n" });
  const spy = join(stage.root, "spy");
  writeFileSync(spy, `#!/bin/sh\n: > ${stage.root}/ran\n`);
  chmodSync(spy, 0o755);
  git(stage.project, "config", "merge.evil.driver", spy);
  commit(stage.tree, { "a.txt": "ONE\ntwo\nthree\nfour\nfive\n" });
  commit(stage.project, { "a.txt": "one\ntwo\nthree\nfour\nFIVE\n" });
  expect(await refusalOf(stage)).toContain("It conflicts with your checkout in a.txt");
  expect(existsSync(join(stage.root, "ran"))).toBe(false);
});

test("[TD6] a branch whose folder is gone is applied, and one where nothing is left says so", async () => {
  using stage = await createWorkStage(FILES);
  const tip = commit(stage.tree, { "b.txt": "B\n" });
  rmSync(stage.tree, { recursive: true });
  expect(await applyWork(stage.task)).toMatchObject({ commit: tip, commits: 1, files: 1 });
  git(stage.project, "worktree", "prune");
  git(stage.project, "branch", "-D", stage.workdir.branch);
  expect(await refusalOf(stage)).toContain("and its branch are gone");
});
