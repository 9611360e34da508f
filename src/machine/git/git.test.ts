import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectOf } from "./git.ts";

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A directory with these files; a name that ends with `/` is a directory. */
function tree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "parley-git-"));
  made.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, name.endsWith("/") ? "." : ".."), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(join(root, name), text);
  }
  return root;
}

const HEAD = "ref: refs/heads/feature/login\n";

test("[M1] a directory inside a repository belongs to it, with its branch", async () => {
  const root = tree({ "shop/.git/HEAD": HEAD, "shop/src/deep/": "" });
  expect(await projectOf(join(root, "shop"))).toEqual({ project: "shop", branch: "feature/login" });
  expect(await projectOf(join(root, "shop/src/deep"))).toEqual({ project: "shop", branch: "feature/login" });
});

test("[M2] a worktree and a submodule have their own HEAD behind a file", async () => {
  const root = tree({
    "shop/.git/HEAD": "ref: refs/heads/main\n",
    "shop/.git/worktrees/fix/HEAD": "ref: refs/heads/fix\n",
    "shop/vendor/.git": "gitdir: ../.git/modules/vendor\n",
    "shop/.git/modules/vendor/HEAD": "ref: refs/heads/stable\n",
    "fix/src/": "",
  });
  writeFileSync(join(root, "fix/.git"), `gitdir: ${root}/shop/.git/worktrees/fix\n`);
  expect(await projectOf(join(root, "fix/src"))).toEqual({ project: "shop", worktree: "fix", branch: "fix" });
  expect(await projectOf(join(root, "shop/vendor"))).toEqual({ project: "vendor", branch: "stable" });
});

test("[M3] a detached HEAD is named by the start of its commit", async () => {
  const root = tree({ "shop/.git/HEAD": "0123456789abcdef0123456789abcdef01234567\n" });
  expect(await projectOf(join(root, "shop"))).toEqual({ project: "shop", branch: "01234567" });
});

test("[M4] what git itself makes is read the same way", async () => {
  const root = tree({ "real/": "" });
  const git = (cwd: string, ...args: string[]) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
    const who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    const ran = Bun.spawnSync(["git", ...who, ...args], { cwd: join(root, cwd), env });
    if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
    return ran.stdout.toString().trim();
  };
  git("real", "init", "-q", "-b", "trunk");
  git("real", "commit", "-q", "--allow-empty", "-m", "x");
  git("real", "worktree", "add", "-q", "-b", "side", "../side");
  expect(await projectOf(join(root, "real"))).toEqual({ project: "real", branch: "trunk" });
  expect(await projectOf(join(root, "side"))).toEqual({ project: "real", worktree: "side", branch: "side" });
  git("real", "checkout", "-q", "--detach");
  const commit = git("real", "rev-parse", "HEAD").slice(0, 8);
  expect(await projectOf(join(root, "real"))).toEqual({ project: "real", branch: commit });
});

test("[M5] outside of any repository the directory itself is the project", async () => {
  const root = tree({ "plain/sub/": "" });
  expect(await projectOf(join(root, "plain/sub"))).toEqual({ project: "sub" });
  expect(await projectOf(join(root, "missing"))).toEqual({ project: "missing" });
  expect(await projectOf("relative/dir")).toEqual({ project: "dir" });
  expect(await projectOf("")).toEqual({ project: "" });
});

test("[M6] a broken repository is none", async () => {
  const root = tree({
    "no-head/.git/": "",
    "empty/.git/HEAD": "",
    "lost/.git": "gitdir: /nowhere/at/all\n",
    "odd/.git": "something else\n",
    "huge/.git/HEAD": "x".repeat(5000),
  });
  expect(await projectOf(join(root, "no-head"))).toEqual({ project: "no-head" });
  expect(await projectOf(join(root, "empty"))).toEqual({ project: "empty" });
  expect(await projectOf(join(root, "lost"))).toEqual({ project: "lost" });
  expect(await projectOf(join(root, "odd"))).toEqual({ project: "odd" });
  expect(await projectOf(join(root, "huge"))).toEqual({ project: "huge" });
});

test("[M6] a pipe in the place of git's files is not waited for", async () => {
  const root = tree({ "pipe/": "", "inner/.git/": "" });
  for (const path of ["pipe/.git", "inner/.git/HEAD"]) Bun.spawnSync(["mkfifo", join(root, path)]);
  expect(await projectOf(join(root, "pipe"))).toEqual({ project: "pipe" });
  expect(await projectOf(join(root, "inner"))).toEqual({ project: "inner" });
});
