import { Database, SQLiteError } from "bun:sqlite";

/** See `Engine.takeLock`. The kernel drops it with the process: there is no stale lock and no race over removing one. */
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
