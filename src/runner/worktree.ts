import { counted } from "../core/words/number.ts";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ParleyError } from "../core/error.ts";
import { shortId } from "../core/id.ts";
import type { Workdir } from "../core/task/task.ts";
import { runGit } from "../machine/run-git.ts";

type Wanted = { home: string; id: string; name: string; cwd: string };

/**
 * Where a git worktree and branch of the task's own will be, at the commit that is checked out where it was started. It
 * lies in Parley's home: nothing appears beside somebody's repository, and no watcher of theirs sees it.
 * Contract: makes nothing.
 */
export async function planWorktree({ home, id, name, cwd }: Wanted): Promise<Workdir> {
  const at = await runGit(cwd, "rev-parse", "--path-format=absolute", "--show-prefix", "--git-common-dir");
  if (!at.ok) throw new ParleyError("usage", `--worktree: ${cwd} is not inside a git repository`);
  const [prefix = "", repository = ""] = at.out.split("\n");
  const base = (await runGit(cwd, "rev-parse", "--verify", "HEAD^{commit}")).out.trim();
  if (base === "") throw new ParleyError("usage", `--worktree: the repository of ${cwd} has no commit yet`);

  const slug = `${slugOf(name)}-${shortId(id)}`;
  const branch = `parley/${slug}`;
  const root = join(home, "worktrees", slug);
  const path = join(root, prefix).replace(/\/$/, "");
  // Of an earlier task that this Parley forgot, as after a restore: it may hold work.
  const isTaken =
    existsSync(root) || (await runGit(cwd, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`)).ok;
  if (isTaken) throw new ParleyError("busy", `--worktree: ${root} or its branch ${branch} already exists`);
  return { path, root, repository, branch, base, uncommitted: await uncommittedIn(cwd) };
}

/** Contract: HEAD, index and files of the checkout it was started in stay as they are. */
export async function addWorktree(cwd: string, { path, root, branch, base }: Workdir): Promise<void> {
  mkdirSync(dirname(root), { recursive: true, mode: 0o700 });
  const made = await runGit(cwd, "worktree", "add", "--quiet", "--no-track", "-b", branch, root, base);
  if (!made.ok) throw new ParleyError("busy", `--worktree: ${sayWhy(made.err)}`);
  // A folder that only holds files git does not know is not in the worktree.
  if (!existsSync(path)) mkdirSync(path, { recursive: true });
}

/** Removes what nothing would be lost with. Answers what was kept, and why. */
export async function removeWorktree({ root, repository, branch, base }: Workdir): Promise<string[]> {
  if (!existsSync(repository)) return existsSync(root) ? [`worktree ${root}: its repository is gone`] : [];
  const removed = existsSync(root)
    ? await runGit(repository, "worktree", "remove", root)
    : await runGit(repository, "worktree", "prune");
  if (!removed.ok) return [`worktree ${root} on branch ${branch}: ${await whyKept(root, removed.err)}`];
  const only = await runGit(repository, "rev-list", "--count", branch, "--not", base, "HEAD");
  // Somebody removed or renamed it.
  if (!only.ok) return [];
  const commits = Number(only.out);
  if (commits > 0) return [`branch ${branch}: ${counted(commits, "commit")}`];
  const dropped = await runGit(repository, "branch", "--delete", "--force", branch);
  return dropped.ok ? [] : [`branch ${branch}: ${sayWhy(dropped.err)}`];
}

async function whyKept(root: string, err: string): Promise<string> {
  const changed = await uncommittedIn(root);
  return changed > 0 ? counted(changed, "uncommitted file") : sayWhy(err);
}

async function uncommittedIn(cwd: string): Promise<number> {
  const { out } = await runGit(cwd, "status", "--porcelain", "--no-renames", "--ignore-submodules=dirty", "-z");
  return out.split("\0").filter(Boolean).length;
}

const sayWhy = (err: string) => (err.split("\n").at(-1) ?? "").replace(/^(fatal|error): /, "") || "git failed";

/** Letters, digits and dashes, so that it can be a branch and a folder anywhere. */
function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  return slug || "task";
}
