import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ParleyError } from "../../core/error.ts";
import type { Workdir } from "../../core/task/task.ts";
import { runGit, runGitWith } from "../git/run-git.ts";
import { copyIndex } from "./copy-index.ts";
import { changesBetween, GITLINK, gitSaid } from "./changes.ts";

/** All that a worktree holds: the commit that is checked out there, and a tree with everything else on top of it. */
export type Snapshot = { tip: string; tree: string };

type Where = { root: string; gitDir: string };
type Kept = {
  /** Its objects are put here, so that a look leaves no trace in the repository. */
  apart?: string;
};

/** Undefined: neither the folder nor the branch is there any more. */
export async function snapshotOf(workdir: Workdir, kept: Kept = {}): Promise<Snapshot | undefined> {
  const { root, repository, branch } = workdir;
  if (!existsSync(repository)) throw new ParleyError("busy", `Its repository ${repository} is gone`);
  if (!existsSync(root)) {
    const tip = (await runGit(repository, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`)).out;
    return tip === "" ? undefined : { tip: tip.trim(), tree: await treeOf(repository, tip.trim()) };
  }
  const where = await placeOf(workdir);
  const tip = await gitSaid(root, "rev-parse", "--verify", "HEAD^{commit}");
  const scratch = mkdtempSync(join(tmpdir(), "parley-snapshot-"));
  try {
    const tree = await treeWithEverything(where, scratch, { ...kept, repository });
    await refuseNested(where, tip, tree, kept.apart === undefined ? {} : objectsIn(kept.apart, repository));
    return { tip, tree };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export const treeOf = (cwd: string, commit: string): Promise<string> =>
  gitSaid(cwd, "rev-parse", "--verify", `${commit}^{tree}`);

/** Where git finds objects that were put apart, and all others. */
export function objectsIn(folder: string, repository: string): Record<string, string> {
  return { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository, "objects") };
}

/** An agent can write its `.git` file: what it points at must still be the repository the task began in. */
async function placeOf({ root, repository }: Workdir): Promise<Where> {
  const said = await gitSaid(
    root,
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
    "--git-dir",
    "--git-common-dir",
  );
  const [top = "", gitDir = "", common = ""] = said.split("\n");
  if (real(top) !== real(root) || real(common) !== real(repository))
    throw new ParleyError("busy", `${root} does not belong to ${repository} any more`);
  return { root, gitDir };
}

async function treeWithEverything(
  { root, gitDir }: Where,
  scratch: string,
  { apart, repository }: Kept & { repository: string },
): Promise<string> {
  const index = join(scratch, "index");
  // With its own index only what changed is read, and what is not checked out there is no deletion.
  copyIndex(join(gitDir, "index"), index);
  if (apart !== undefined) mkdirSync(apart, { recursive: true, mode: 0o700 });
  const env = { GIT_INDEX_FILE: index, ...(apart !== undefined && objectsIn(apart, repository)) };
  const git = (...args: string[]) => runGitWith(root, args, { env });
  const feed = (input: string, ...args: string[]) => runGitWith(root, args, { env, input });
  if ((await git("ls-files", "--unmerged")).out !== "")
    throw new ParleyError("busy", `A merge was begun in ${root} and not finished`);
  const nested = await nestedIn(root, env);
  const others = [".", ...nested.map((path) => `:(exclude,literal)${path}`)].join("\0");
  const added = await feed(others, ...QUIETLY, "add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul");
  // Of these only which commit they are at: to say more, git would run what their own settings name.
  const noted = added.ok ? await feed(nested.join("\0"), "update-index", "--add", "--remove", "-z", "--stdin") : added;
  const written = noted.ok ? await git("write-tree") : noted;
  if (!written.ok) throw new ParleyError("busy", `${root} cannot be read: ${lastLine(written.err)}`);
  return written.out.trim();
}

const QUIETLY = ["-c", "core.safecrlf=false"];

/** The repositories inside of it that git knows of. */
async function nestedIn(root: string, env: Record<string, string>): Promise<string[]> {
  const only = `${GITLINK} `;
  const { ok, out, err, isCut } = await runGitWith(root, ["ls-files", "--stage", "-z"], { env, only });
  if (!ok || isCut) throw new ParleyError("busy", `${root} cannot be read: ${lastLine(err)}`);
  const entries = out.split("\0").filter(Boolean);
  return entries.map((entry) => entry.slice(entry.indexOf("\t") + 1));
}

/** Git notes only which commit such a folder is at, so its files would be left behind. */
async function refuseNested({ root }: Where, tip: string, tree: string, env: Record<string, string>): Promise<void> {
  const nested = (await changesBetween(root, tip, tree, env)).find(
    ({ before, after }) => after?.mode === GITLINK && before?.mode !== GITLINK,
  );
  if (nested)
    throw new ParleyError("busy", `${join(root, nested.path)} is a git repository of its own: move it by hand`);
}

export const lastLine = (err: string): string =>
  (err.split("\n").at(-1) ?? "").replace(/^(fatal|error): /, "") || "git failed";

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
