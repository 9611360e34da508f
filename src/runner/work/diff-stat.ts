import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DiffStat, Workdir } from "../../core/task/task.ts";
import { runGit } from "../../machine/git/run-git.ts";

export type Change = { path: string; added: number; removed: number };
export type Diff = DiffStat & { paths: Change[] };
const MOST_PATHS = 100;
/** No program of the repository, and no look into its submodules, which have settings of their own. */
const NUMSTAT = ["--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
/** Larger new files count as one change without lines, as git treats what is not text. */
const LARGEST = 8 * 1024 * 1024;

/** What a worktree changed since its base: commits, uncommitted changes and new files. Undefined: it is gone. */
export async function measureDiff({ root, base }: Workdir): Promise<Diff | undefined> {
  const [known, unknown] = await Promise.all([
    runGit(root, "diff", ...NUMSTAT, base),
    runGit(root, "ls-files", "--others", "--exclude-standard", "-z"),
  ]);
  if (!known.ok || !unknown.ok) return undefined;
  const fresh: Change[] = [];
  for (const path of unknown.out.split("\0").filter(Boolean))
    fresh.push({ path, added: await linesIn(join(root, path)), removed: 0 });
  const paths = [...known.out.split("\0").flatMap(readNumstat), ...fresh].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  const total = (count: (change: Change) => number) => paths.reduce((sum, change) => sum + count(change), 0);
  return {
    files: paths.length,
    added: total(({ added }) => added),
    removed: total(({ removed }) => removed),
    paths: paths.slice(0, MOST_PATHS),
  };
}

/** Without the files: what a task keeps of it. */
export const totalsOf = ({ files, added, removed }: Diff): DiffStat => ({ files, added, removed });

/** `3\t1\tsrc/a.ts`; dashes for what is not text. */
function readNumstat(line: string): Change[] {
  const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(line) ?? [];
  return path === undefined ? [] : [{ path, added: Number(added) || 0, removed: Number(removed) || 0 }];
}

async function linesIn(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > LARGEST) return 0;
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  if (bytes.includes(0)) return 0;
  const ends = bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
  return bytes.length === 0 || bytes.at(-1) === 10 ? ends : ends + 1;
}
