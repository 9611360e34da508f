import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ParleyError } from "./core/error.ts";
import { syncFolder } from "./machine/file/atomic-file.ts";
import type { Paths } from "./machine/home.ts";
import { makePrivateDir } from "./machine/file/private-dir.ts";
import { removeAbandoned, unfinishedName } from "./machine/file/unfinished-file.ts";
import type { Contents, Health } from "./store/admin.ts";
import type { Engine } from "./store/engine.ts";
import { sqlite } from "./store/sqlite/engine.ts";

const LOCK_MS = 6000;
const engine: Engine = sqlite;
const adminOf = ({ database }: Paths) => engine.admin(database);

export const checkStore = (paths: Paths): Promise<Health> => adminOf(paths).check();
export const inspectBackup = (paths: Paths, file: string): Promise<Contents> => adminOf(paths).inspect(file);

/** Contract: the file is there as a whole or not at all; one that is there is replaced only with `force`. */
export async function saveBackup(paths: Paths, file: string, { force }: { force: boolean }): Promise<Contents> {
  refuseEmpty(paths);
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new ParleyError("not_found", `There is no folder ${folder}`);
  // Before the work, and once more when it is done.
  if (!force) refuseTaken(file);
  removeAbandoned(folder);
  const temp = unfinishedName(file);
  const contents = await adminOf(paths).backup(temp);
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
  refuseEmpty(paths);
  removeAbandoned(paths.home);
  return { ...(await adminOf(paths).backup(file)), file };
}

/** What is kept now stays beside it as `before`. Contract: when it throws, everything is as it was. */
export async function restoreBackup(paths: Paths, file: string): Promise<Contents & { before?: string }> {
  makePrivateDir(paths.home);
  const unlock = await lockWithin(paths, LOCK_MS);
  try {
    return await adminOf(paths).restore(file);
  } finally {
    unlock();
  }
}

function refuseEmpty({ database, home }: Paths): void {
  if (!existsSync(database)) throw new ParleyError("not_found", `Nothing is saved yet in ${home}`);
}

function refuseTaken(file: string): void {
  if (existsSync(file))
    throw new ParleyError("usage", `${file} already exists. Choose another name, or --force to replace it`);
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
    const unlock = engine.takeLock(paths.lock);
    if (unlock) return unlock;
    if (performance.now() > until)
      throw new ParleyError(
        "busy",
        `Parley is running for ${paths.home}, but not responding. Stop it: parley down --force`,
      );
  }
}
