import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

const LONGEST_PATH = 4096;

/** The git top level a directory belongs to; a worktree's or submodule's `.git` is a file. */
export async function topOf(directory: string | undefined): Promise<string | undefined> {
  // It comes from an agent, and every part of it costs a look.
  if (directory === undefined || !isAbsolute(directory) || directory.length > LONGEST_PATH) return undefined;
  for (const folder of upward(directory)) if (await isThere(join(folder, ".git"))) return folder;
  return undefined;
}

/** The same without links, of a directory that is there. */
export async function realTopOf(directory: string | undefined): Promise<string | undefined> {
  if (directory === undefined || !isAbsolute(directory) || directory.length > LONGEST_PATH) return undefined;
  return topOf(await realpath(directory).catch(() => undefined));
}

/** For a person's own folder: the git top level, else the folder itself. */
export function topFolder(cwd: string): string {
  for (const folder of upward(cwd)) if (existsSync(join(folder, ".git"))) return folder;
  return cwd;
}

/** Every git top level that a path lies in, the nearest first; also of a file that is not there yet. */
export const topsOf = (path: string): string[] =>
  path.length > LONGEST_PATH ? [] : [...upward(path)].filter((folder) => existsSync(join(folder, ".git")));

function* upward(directory: string): Generator<string> {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
