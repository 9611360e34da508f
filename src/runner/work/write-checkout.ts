import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../core/error.ts";
import { processesWith } from "../../machine/process/process.ts";
import { runGitWith, type Said } from "../../machine/git/run-git.ts";
import { type Change, changesBetween, type Entry, gitSaid } from "../../machine/worktree/changes.ts";
import type { Checkout } from "./checkout.ts";
import { copyIndex } from "../../machine/worktree/copy-index.ts";
import { type ApplyPlan, listed } from "./plan-apply.ts";
import { lastLine } from "../../machine/worktree/snapshot.ts";

const PATIENCE_MS = 60_000;
const EVERY_MS = 50;

/**
 * Makes the checkout what was planned: files first, then the index, then HEAD.
 * Contract: a file is only touched while it is exactly as committed, so nothing of a person's is overwritten; killed
 * anywhere, doing it again goes on where it stopped, because a file that is there already counts as done.
 */
export async function writeCheckout({ top, gitDir, head }: Checkout, plan: ApplyPlan, mark: string): Promise<number> {
  const changes = await changesBetween(top, head, plan.tree);
  const loose = await changesBetween(top, plan.commit, plan.tree);
  const real = join(gitDir, "index");
  const ours = join(gitDir, `index.parley-${mark}`);
  const lock = `${real}.lock`;
  // One that a killed daemon started goes on without it.
  for (let waited = 0; processesWith(`GIT_INDEX_FILE=${ours}`).length > 0; waited += EVERY_MS) {
    if (waited > PATIENCE_MS) throw gitIsBusy();
    await Bun.sleep(EVERY_MS);
  }
  clearLeft();
  if (existsSync(lock)) throw gitIsBusy();
  try {
    copyIndex(real, ours);
    const before = existsSync(real) ? readFileSync(real) : undefined;
    const done = await alreadyThere();
    await put(
      ours,
      changes.map((each) => ({ path: each.path, entry: done.has(each.path) ? each.after : each.before })),
    );
    const written = await git(ours, ["read-tree", "-m", "-u", "--no-recurse-submodules", head, plan.tree]);
    if (!written.ok) throw new ParleyError("busy", `Nothing was changed: ${lastLine(written.err)}`);
    await put(
      ours,
      loose.map(({ path, before: entry }) => ({ path, entry })),
    );
    switchIndex(before);
  } finally {
    clearLeft();
  }
  if (plan.commit !== head) await gitSaid(top, "update-ref", "-m", "parley: work of a task", "HEAD", plan.commit, head);
  return changes.length;

  /** Files that are as they shall be. Throws where one is neither that nor as it was committed. */
  async function alreadyThere(): Promise<Set<string>> {
    const [asBefore, asPlanned] = [await filesLike("before"), await filesLike("after")];
    const staged = await stagedOtherwise();
    const theirs = changes
      .map(({ path }) => path)
      .filter((path) => staged.has(path) || !(asBefore.has(path) || asPlanned.has(path)));
    if (theirs.length > 0) throw inTheWay(theirs);
    return asPlanned;
  }

  async function filesLike(side: "before" | "after"): Promise<Set<string>> {
    const scratch = `${ours}-${side}`;
    try {
      copyIndex(ours, scratch);
      await put(
        scratch,
        changes.map((each) => ({ path: each.path, entry: each[side] })),
      );
      const differing = new Set(await names(scratch, ["diff-files", "--ignore-submodules=all"]));
      const isLike = (each: Change) => (each[side] ? !differing.has(each.path) : !isThere(join(top, each.path)));
      return new Set(changes.filter(isLike).map(({ path }) => path));
    } finally {
      for (const left of [scratch, `${scratch}.lock`]) rmSync(left, { force: true });
    }
  }

  /** What a person put into the index that is neither what was committed nor what is to come. */
  async function stagedOtherwise(): Promise<Set<string>> {
    const lists: Set<string>[] = [];
    for (const tree of new Set([head, plan.tree, plan.commit]))
      lists.push(new Set(await names(ours, ["diff-index", "--cached", "--ignore-submodules=all", tree])));
    return new Set([...(lists[0] ?? [])].filter((path) => lists.every((list) => list.has(path))));
  }

  async function put(index: string, entries: { path: string; entry: Entry | undefined }[]): Promise<void> {
    const nothing = "0".repeat(head.length);
    const lines = entries.map(
      ({ path, entry }) => `${entry ? `${entry.mode} ${entry.id}` : `0 ${nothing}`}\t${path}\0`,
    );
    const said = await git(index, ["update-index", "-z", "--index-info"], lines.join(""));
    if (!said.ok) throw new ParleyError("busy", `Nothing was changed: ${lastLine(said.err)}`);
    // What it knows of the files themselves; it complains about those that differ, which is no failure.
    await git(index, ["update-index", "-q", "--refresh", "--ignore-submodules"]);
  }

  async function names(index: string, args: string[]): Promise<string[]> {
    const { ok, out, err } = await git(index, [...args, "--name-only", "-z", "--no-renames", "--no-ext-diff"]);
    if (!ok) throw new ParleyError("busy", `Nothing was changed: ${lastLine(err)}`);
    return out.split("\0").filter(Boolean);
  }

  function git(index: string, args: string[], input = ""): Promise<Said> {
    return runGitWith(top, args, { env: { GIT_INDEX_FILE: index }, input });
  }

  /** As git itself does it: whoever has the lock writes the index. A link, so that one we left is known as ours. */
  function switchIndex(before: Buffer | undefined): void {
    sync(ours);
    try {
      linkSync(ours, lock);
    } catch {
      throw gitIsBusy();
    }
    const now = existsSync(real) ? readFileSync(real) : undefined;
    if (now && (!before || !now.equals(before))) {
      rmSync(lock);
      throw gitIsBusy();
    }
    renameSync(lock, real);
  }

  /** Of a daemon that was killed. */
  function clearLeft(): void {
    const [left, locked] = [ours, lock].map((path) => lstatSync(path, { throwIfNoEntry: false }));
    if (left && locked && left.ino === locked.ino) rmSync(lock);
    for (const path of [ours, `${ours}.lock`]) rmSync(path, { force: true });
  }

  function gitIsBusy(): ParleyError {
    return new ParleyError("busy", `Another git works in ${top}, or was killed there and left ${lock}. Apply it again`);
  }
}

function inTheWay(files: readonly string[]): ParleyError {
  const words = files.length === 1 ? "has changes of yours" : "have changes of yours";
  return new ParleyError(
    "busy",
    `${listed(files)} ${words} in the checkout. Commit or stash them, then apply it again. Nothing was changed`,
    { details: { files } },
  );
}

const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file stands where one of its folders would be.
    return true;
  }
};

function sync(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}
