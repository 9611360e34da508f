import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ParleyError } from "../../core/error.ts";
import { shortId } from "../../core/id.ts";
import type { Workdir } from "../../core/task/task.ts";
import { runGit, type Said } from "../../machine/git/run-git.ts";
import { foreignHalfMade, runGitAmongWorktrees } from "../../machine/worktree/half-made.ts";

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
export async function addWorktree(cwd: string, workdir: Workdir): Promise<void> {
  const made = await makeWorktree(cwd, workdir, false);
  if (!made.ok) throw new ParleyError("busy", `--worktree: ${sayWhy(made.err)}`);
}

/** The folder and branch of a task that is started again, where they were removed meanwhile. */
export async function restoreWorktree(workdir: Workdir): Promise<void> {
  const { root, repository } = workdir;
  if (existsSync(root)) return;
  await runGit(repository, "worktree", "prune");
  const made = await makeWorktree(repository, workdir, true);
  if (!made.ok) throw new ParleyError("busy", `Its worktree cannot be made again: ${sayWhy(made.err)}`);
}

/** `isKnown`: its branch may be there. What an attempt that git refused has made of it is used by the next one. */
async function makeWorktree(cwd: string, workdir: Workdir, isKnown: boolean): Promise<Said> {
  const { path, root, repository, branch, base } = workdir;
  const folder = dirname(root);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const isThere = async () => (await runGit(repository, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`)).ok;
  const made = await runGitAmongWorktrees({ repository, folder, cwd }, async (tries) => {
    const from =
      (isKnown || tries > 1) && (await isThere()) ? [root, branch] : ["--no-track", "-b", branch, root, base];
    return ["worktree", "add", "--quiet", ...from];
  });
  // A folder that only holds files git does not know is not in the worktree.
  if (made.ok && !existsSync(path)) mkdirSync(path, { recursive: true });
  return made;
}

async function uncommittedIn(cwd: string): Promise<number> {
  const { out } = await runGit(cwd, "status", "--porcelain", "--no-renames", "--ignore-submodules=dirty", "-z");
  return out.split("\0").filter(Boolean).length;
}

const sayWhy = (err: string) =>
  foreignHalfMade(err) ?? ((err.split("\n").at(-1) ?? "").replace(/^(fatal|error): /, "") || "git failed");

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
