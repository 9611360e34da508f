import { existsSync, linkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ParleyError } from "./core/error.ts";
import { takeLock } from "./daemon/lock.ts";
import { syncFolder } from "./machine/atomic-file.ts";
import type { Paths } from "./machine/home.ts";
import { makePrivateDir } from "./machine/private-dir.ts";
import { type Contents, copyDatabase, foldJournal, inspectDatabase, upgradeDatabase } from "./store/sqlite-backup.ts";

const LOCK_MS = 6000;
export { inspectDatabase as inspectBackup };

/** Contract: the file is there as a whole or not at all; one that is there is replaced only with `force`. */
export async function saveBackup(paths: Paths, file: string, { force }: { force: boolean }): Promise<Contents> {
  if (!existsSync(paths.database)) throw new ParleyError("not_found", `Nothing is kept yet in ${paths.home}`);
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new ParleyError("not_found", `There is no folder ${folder}`);
  if (!force) reserve(file);
  const temp = join(folder, `.${basename(file)}.${crypto.randomUUID()}.tmp`);
  try {
    const contents = copyDatabase(paths.database, temp, { live: true });
    renameSync(temp, file);
    await syncFolder(folder);
    return contents;
  } catch (error) {
    if (!force) rmSync(file, { force: true });
    throw error;
  }
}

/** What is kept now stays beside it as `before`. Contract: when it throws, everything is as it was. */
export async function restoreBackup(paths: Paths, file: string): Promise<Contents & { before?: string }> {
  makePrivateDir(paths.home);
  const unlock = await lockWithin(paths, LOCK_MS);
  const fresh = `${paths.database}.restoring`;
  try {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${fresh}${end}`, { force: true });
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

/** Takes the name, so that two at once do not both find it free. */
function reserve(file: string): void {
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new ParleyError("usage", `${file} exists. Another name, or --force to replace it`);
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
  if (foldJournal(database)) {
    linkSync(database, before);
    for (const end of ["-wal", "-shm"]) rmSync(`${database}${end}`, { force: true });
    return before;
  }
  for (const end of ["-wal", ""])
    if (existsSync(`${database}${end}`)) renameSync(`${database}${end}`, `${before}${end}`);
  rmSync(`${database}-shm`, { force: true });
  return before;
}
