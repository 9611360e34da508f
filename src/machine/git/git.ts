import { readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";

const LONGEST_PATH = 4096;
const LONGEST_NAME = 255;

/** `project` is the repository; `worktree`: the directory is only a worktree of it. */
export type Project = { project: string; worktree?: string; branch?: string };

/** The project a directory belongs to, read from git's files: no process is started, a broken repository is no error. */
export async function projectOf(cwd: string): Promise<Project> {
  // It comes from an agent, and every part of it costs a look: no system has a longer path.
  if (cwd.length > LONGEST_PATH) return { project: basename(cwd).slice(0, LONGEST_NAME) };
  for (let dir = isAbsolute(cwd) ? cwd : "/"; ; dir = dirname(dir)) {
    const git = await gitOf(join(dir, ".git"));
    if (git) return { ...namesOf(dir, git.dir), ...branchOf(git.head) };
    if (dir === dirname(dir)) return { project: basename(cwd) };
  }
}

async function gitOf(dotGit: string): Promise<{ dir: string; head: string } | undefined> {
  try {
    const isDir = (await stat(dotGit)).isDirectory();
    const dir = isDir ? dotGit : worktreeDir(dotGit, await readSmall(dotGit));
    return dir === undefined ? undefined : { dir, head: (await readSmall(join(dir, "HEAD"))).trim() };
  } catch {
    return undefined;
  }
}

/** Anything may lie under these names in a directory of somebody else's making: a pipe would be waited for, a disk read. */
async function readSmall(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isFile() || found.size > 4096) throw new Error(`${path} is none of git's`);
  return readFile(path, "utf8");
}

/** In a worktree or submodule `.git` is a file: `gitdir: <path>`. */
function worktreeDir(dotGit: string, text: string): string | undefined {
  const path = /^gitdir: (.+)$/m.exec(text)?.[1];
  if (path === undefined) return undefined;
  return isAbsolute(path) ? path : join(dirname(dotGit), path);
}

/** A worktree's own directory is `<repository>/.git/worktrees/<name>`. */
function namesOf(dir: string, gitDir: string): Pick<Project, "project" | "worktree"> {
  const repository = /^(.+)\/\.git\/worktrees\/[^/]+\/?$/.exec(gitDir)?.[1];
  return repository === undefined
    ? { project: basename(dir) }
    : { project: basename(repository), worktree: basename(dir) };
}

function branchOf(head: string): { branch?: string } {
  const branch = head.startsWith("ref: refs/heads/") ? head.slice("ref: refs/heads/".length) : head.slice(0, 8);
  return branch === "" ? {} : { branch };
}
