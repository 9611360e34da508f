import { readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";

export type Project = { project: string; branch?: string };

/** The project a directory belongs to, read from git's files: no process is started, a broken repository is no error. */
export async function projectOf(cwd: string): Promise<Project> {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const head = await headOf(join(dir, ".git"));
    if (head !== undefined) return { project: basename(dir), ...branchOf(head) };
    if (dir === dirname(dir)) return { project: basename(cwd) };
  }
}

async function headOf(dotGit: string): Promise<string | undefined> {
  try {
    const isDir = (await stat(dotGit)).isDirectory();
    const dir = isDir ? dotGit : worktreeDir(dotGit, await readFile(dotGit, "utf8"));
    return dir && (await readFile(join(dir, "HEAD"), "utf8")).trim();
  } catch {
    return undefined;
  }
}

/** In a worktree or submodule `.git` is a file: `gitdir: <path>`. */
function worktreeDir(dotGit: string, text: string): string | undefined {
  const path = /^gitdir: (.+)$/m.exec(text)?.[1];
  if (path === undefined) return undefined;
  return isAbsolute(path) ? path : join(dirname(dotGit), path);
}

function branchOf(head: string): { branch?: string } {
  const branch = head.startsWith("ref: refs/heads/") ? head.slice("ref: refs/heads/".length) : head.slice(0, 8);
  return branch === "" ? {} : { branch };
}
