import { existsSync, readdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Workdir } from "../../core/task/task.ts";
import { counted } from "../../core/words/number.ts";
import { runGit } from "../git/run-git.ts";
import { dropOwnGit } from "./own-git.ts";
import { lastLine, type Snapshot, snapshotOf, treeOf } from "./snapshot.ts";

const TRASH = ".removed-";

/**
 * Removes what nothing would be lost with. Answers what was kept, and why. `applied`: what is in a checkout already.
 * Contract: killed anywhere, doing it again ends it: the folder goes in one step, and what is left of it is trash.
 */
export async function removeWorktree(workdir: Workdir, applied?: Snapshot): Promise<string[]> {
  const { root, repository, branch } = workdir;
  if (!existsSync(repository)) return existsSync(root) ? [`worktree ${root}: its repository is gone`] : [];
  const why = existsSync(root) ? await workIn(workdir, applied) : undefined;
  if (why !== undefined) return [`worktree ${root} on branch ${branch}: ${why}`];
  await dropFolder(workdir);
  const only = await commitsOnlyOn(workdir);
  // Somebody removed or renamed it.
  if (only === undefined) return [];
  if (only > 0) return [`branch ${branch}: ${counted(only, "commit")}`];
  return dropBranch(workdir);
}

/** With all that is in it. Contract: as above. */
export async function dropWorktree(workdir: Workdir): Promise<void> {
  await dropFolder(workdir);
  if (existsSync(workdir.repository)) await dropBranch(workdir);
}

/** What a daemon was killed at. */
export async function emptyTrash(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((each) => each.startsWith(TRASH)))
    await rm(join(folder, name), { recursive: true, force: true });
}

/** Why its folder cannot go without a loss. */
export async function workIn(workdir: Workdir, applied?: Snapshot): Promise<string | undefined> {
  const { root } = workdir;
  const status = await runGit(root, "status", "--porcelain", "--no-renames", "--untracked-files=all", ...SHALLOW, "-z");
  if (!status.ok) return lastLine(status.err);
  const changed = status.out.split("\0").filter(Boolean).length;
  try {
    const gitDir = (await runGit(root, "rev-parse", "--path-format=absolute", "--git-dir")).out.trim();
    // Their commits lie in a folder of this worktree's own.
    if (existsSync(join(gitDir, "modules"))) return "it has submodules";
    const found = await snapshotOf(workdir);
    const isApplied = found !== undefined && found.tip === applied?.tip && found.tree === applied.tree;
    if (found && !isApplied && found.tree !== (await treeOf(root, found.tip)))
      return counted(Math.max(changed, 1), "uncommitted file");
  } catch (error) {
    return changed > 0 ? counted(changed, "uncommitted file") : error instanceof Error ? error.message : String(error);
  }
  const loose = Number((await runGit(root, "rev-list", "--count", "HEAD", "--not", ...REFS)).out);
  return loose > 0 ? `${counted(loose, "commit")} on no branch` : undefined;
}

const SHALLOW = ["--ignore-submodules=dirty"];
const REFS = ["--branches", "--remotes", "--tags"];

async function dropFolder({ root, repository }: Workdir): Promise<void> {
  const trash = join(dirname(root), `${TRASH}${basename(root)}-${crypto.randomUUID()}`);
  if (existsSync(root)) renameSync(root, trash);
  if (existsSync(repository)) {
    await runGit(repository, "worktree", "unlock", root);
    await runGit(repository, "worktree", "prune");
  }
  dropOwnGit(root);
  await rm(trash, { recursive: true, force: true });
}

/** Commits that neither the person's checkout nor any other branch has; undefined: there is no such branch. */
async function commitsOnlyOn({ repository, branch, base }: Workdir): Promise<number | undefined> {
  const others = ["HEAD", base, `--exclude=${branch}`, "--branches", "--remotes", "--tags"];
  const only = await runGit(repository, "rev-list", "--count", `refs/heads/${branch}`, "--not", ...others);
  return only.ok ? Number(only.out) : undefined;
}

async function dropBranch({ repository, branch }: Workdir): Promise<string[]> {
  const isThere = await runGit(repository, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`);
  if (!isThere.ok) return [];
  const dropped = await runGit(repository, "branch", "--delete", "--force", branch);
  return dropped.ok ? [] : [`branch ${branch}: ${lastLine(dropped.err)}`];
}
