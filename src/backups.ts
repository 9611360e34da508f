import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ParleyError } from "./core/error.ts";
import { takeLock } from "./daemon/ops/lock.ts";
import { syncFolder } from "./machine/atomic-file.ts";
import type { Paths } from "./machine/home.ts";
import { makePrivateDir } from "./machine/private-dir.ts";
import { removeAbandoned, unfinishedName } from "./machine/unfinished-file.ts";
import { type Contents, copyDatabase, foldJournal, inspectDatabase, upgradeDatabase } from "./store/sqlite/backup.ts";

const LOCK_MS = 6000;
export { inspectDatabase as inspectBackup };

/** Contract: the file is there as a whole or not at all; one that is there is replaced only with `force`. */
export async function saveBackup(paths: Paths, file: string, { force }: { force: boolean }): Promise<Contents> {
  if (!existsSync(paths.database)) throw new ParleyError("not_found", `Nothing is kept yet in ${paths.home}`);
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new ParleyError("not_found", `There is no folder ${folder}`);
  // Before the work, and once more when it is done.
  if (!force) refuseTaken(file);
  removeAbandoned(folder);
  const temp = unfinishedName(file);
  const contents = copyDatabase(paths.database, temp, { live: true });
  try {
    if (force) renameSync(temp, file);
    else takeName(temp, file);
  } finally {
    rmSync(temp, { force: true });
  }
  await syncFolder(folder);
  return contents;
}

/** For a moment, beside the database: to be sent on, then removed by whoever asked. */
export async function saveToSend(paths: Paths): Promise<Contents & { file: string }> {
  const file = unfinishedName(`${paths.database}.backup`);
  if (!existsSync(paths.database)) throw new ParleyError("not_found", `Nothing is kept yet in ${paths.home}`);
  removeAbandoned(paths.home);
  return { ...copyDatabase(paths.database, file, { live: true }), file };
}

/** What is kept now stays beside it as `before`. Contract: when it throws, everything is as it was. */
export async function restoreBackup(paths: Paths, file: string): Promise<Contents & { before?: string }> {
  makePrivateDir(paths.home);
  const unlock = await lockWithin(paths, LOCK_MS);
  const fresh = paths.restoring;
  try {
    for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(`${fresh}${end}`, { force: true });
    copyDatabase(file, fresh, { live: false });
    upgradeDatabase(fresh);
    const contents = inspectDatabase(fresh);
    const before = setAside(paths.database);
    renameSync(fresh, paths.database);
    await syncFolder(paths.home);
    return { ...contents, ...(before !== undefined && { before }) };
  } finally {
    rmSync(fresh, { force: true });
    unlock();
  }
}

function refuseTaken(file: string): void {
  if (existsSync(file)) throw new ParleyError("usage", `${file} exists. Another name, or --force to replace it`);
}

/** A link is made only where nothing is, so that two at once do not both find the name free. */
function takeName(temp: string, file: string): void {
  try {
    linkSync(temp, file);
  } catch {
    refuseTaken(file);
    // A file system without links.
    renameSync(temp, file);
  }
}

/** While we have it no daemon starts here, whoever wants one. */
async function lockWithin(paths: Paths, ms: number): Promise<() => void> {
  for (const until = performance.now() + ms; ; await Bun.sleep(50)) {
    const unlock = takeLock(paths.lock);
    if (unlock) return unlock;
    if (performance.now() > until)
      throw new ParleyError("busy", `Parley runs for ${paths.home}, but does not answer. End it: parley down --force`);
  }
}

/**
 * The journal must not stay: SQLite would play it into the database that comes. Once it is folded in, the old file keeps
 * its name until the new one takes it, so that a kill in between leaves one of the two.
 */
function setAside(database: string): string | undefined {
  if (!existsSync(database)) return undefined;
  const before = `${database}.before-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}-${process.pid}`;
  // One that cannot be folded in goes along.
  for (const end of foldJournal(database) ? [""] : ["", "-wal"])
    if (existsSync(`${database}${end}`)) keepAs(`${database}${end}`, `${before}${end}`);
  for (const end of ["-wal", "-shm"]) rmSync(`${database}${end}`, { force: true });
  return before;
}

function keepAs(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch {
    copyFileSync(file, name);
  }
}
