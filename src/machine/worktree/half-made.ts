import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { realPath } from "../file/real-path.ts";
import { runGit, type Said } from "../git/run-git.ts";

/** What git writes there itself, always. */
const COMMON = "../..\n";
/** The moment in which another git has made the file and not written it is far shorter than a start of this one. */
const MOST_TRIES = 20;
const UNREADABLE = /failed to read (\S.*\/worktrees\/[^/]+)\/commondir/;

/**
 * Runs git where it looks at all worktrees of a repository. One whose `commondir` is empty makes it refuse there, whatever
 * it was asked: a git that was killed leaves one, and one that is just at work has one for a moment. What is below `folder`
 * is Parley's own and is completed; of others it is only waited until theirs is.
 */
export async function runGitAmongWorktrees(
  { repository, folder, cwd = repository }: { repository: string; folder: string; cwd?: string },
  args: (tries: number) => string[] | Promise<string[]>,
): Promise<Said> {
  for (let tries = 1; ; tries++) {
    completeOwn(repository, folder);
    const said = await runGit(cwd, ...(await args(tries)));
    if (said.ok || tries === MOST_TRIES || !UNREADABLE.test(said.err)) return said;
  }
}

/** What to do where git refuses because of somebody else's; undefined: it is something else. */
export function foreignHalfMade(err: string): string | undefined {
  const entry = UNREADABLE.exec(err)?.[1];
  return entry && `${entry} is half made: a git that was killed left it. Remove that folder`;
}

/** What git has noted of this worktree, where it does not know it as one yet. */
export function halfMade(repository: string, root: string): string[] {
  return entriesIn(repository)
    .filter((path) => basename(path).startsWith(basename(root)))
    .filter((path) => {
      const place = placeOf(path);
      return place === undefined || place === root || place === realPath(root);
    });
}

/** Contract: the bytes are those that a git which is still at it writes to the same place. */
function completeOwn(repository: string, folder: string): void {
  const own = new Set([folder, realPath(folder)]);
  for (const path of entriesIn(repository)) {
    const place = placeOf(path);
    if (place !== undefined && own.has(dirname(place))) fillIfEmpty(join(path, "commondir"));
  }
}

function fillIfEmpty(path: string): void {
  let file: number;
  try {
    file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  } catch {
    // None there yet, which git does not mind, or none of git's making.
    return;
  }
  try {
    if (fstatSync(file).isFile() && fstatSync(file).size === 0) writeSync(file, COMMON, 0);
  } finally {
    closeSync(file);
  }
}

function entriesIn(repository: string): string[] {
  const folder = join(repository, "worktrees");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** The folder of the worktree that git has noted here; newer ones may note it from this place on. */
function placeOf(entry: string): string | undefined {
  try {
    const noted = readFileSync(join(entry, "gitdir"), "utf8").trim();
    return noted === "" ? undefined : dirname(resolve(entry, noted));
  } catch {
    return undefined;
  }
}
