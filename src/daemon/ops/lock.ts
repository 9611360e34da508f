import { Database, SQLiteError } from "bun:sqlite";

/**
 * One daemon per home. The kernel drops the lock with the process, however that ends, so there is no stale lock
 * and no race over removing one. Undefined: another daemon has it.
 */
export function takeLock(path: string): (() => void) | undefined {
  const db = new Database(path, { create: true });
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("BEGIN EXCLUSIVE");
    return () => db.close();
  } catch (error) {
    db.close();
    if (error instanceof SQLiteError && error.code === "SQLITE_BUSY") return undefined;
    throw error;
  }
}
