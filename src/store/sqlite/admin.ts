import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "../../machine/file/atomic-file.ts";
import type { Contents, StoreAdmin } from "../admin.ts";
import { checkDatabase } from "./check.ts";
import { copyDatabase, foldJournal, inspectDatabase, upgradeDatabase } from "./copy.ts";

export function createAdmin(database: string): StoreAdmin {
  /** A backup on its way into the database's place. */
  const fresh = `${database}.restoring`;

  function removeUnfinished(): void {
    for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(`${fresh}${end}`, { force: true });
  }

  async function restore(file: string): Promise<Contents & { before?: string }> {
    try {
      removeUnfinished();
      copyDatabase(file, fresh, { live: false });
      upgradeDatabase(fresh);
      const contents = inspectDatabase(fresh);
      const before = setAside(database);
      renameSync(fresh, database);
      await syncFolder(dirname(database));
      return { ...contents, ...(before !== undefined && { before }) };
    } finally {
      rmSync(fresh, { force: true });
    }
  }

  return {
    check: async () => checkDatabase(database),
    backup: async (file) => copyDatabase(database, file, { live: true }),
    inspect: async (file) => inspectDatabase(file),
    restore,
    removeUnfinished,
  };
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
