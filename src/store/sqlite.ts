import { Database } from "bun:sqlite";
import { ParleyError } from "../core/error.ts";
import type { LogEvent } from "../core/event.ts";
import { SQLITE_MIGRATIONS } from "./migrations.ts";
import { createReader } from "./sqlite-read.ts";
import { createWriter } from "./sqlite-write.ts";
import type { Appended, Change, Store } from "./store.ts";

type Waiting = { change: Change; done: (result: Appended) => void; failed: (error: unknown) => void };

/** The embedded store. Changes that arrive together share one fsync (group commit). */
export function openSqlite(path: string): Store {
  const db = open(path);
  const read = createReader(db);
  const write = createWriter(db, read);
  const listeners = new Set<(events: readonly LogEvent[]) => void>();
  let queue: Waiting[] = [];

  function flush(): void {
    const batch = queue;
    queue = [];
    if (batch.length === 0) return;
    const results: (() => void)[] = [];
    const committed: LogEvent[] = [];
    try {
      db.run("BEGIN IMMEDIATE");
      for (const { change, done, failed } of batch) {
        const step = attempt(() => write(change));
        if ("error" in step) {
          results.push(() => failed(step.error));
          continue;
        }
        committed.push(...step.value.events);
        results.push(() => done(step.value.result));
      }
      db.run("COMMIT");
    } catch (error) {
      if (db.inTransaction) db.run("ROLLBACK");
      for (const { failed } of batch) failed(error);
      return;
    }
    if (committed.length > 0) for (const listener of listeners) listener(committed);
    for (const result of results) result();
  }

  return {
    ...read,
    append: (change) =>
      new Promise((done, failed) => {
        if (queue.push({ change, done, failed }) === 1) setImmediate(flush);
      }),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prune: async (settledBefore) =>
      db.transaction(() => {
        const old = "SELECT id FROM asks WHERE state <> 'open' AND settled_at < ?";
        db.query(`DELETE FROM events WHERE ask IN (${old})`).run(settledBefore);
        db.query("DELETE FROM once WHERE at < ?").run(settledBefore);
        return db.query(`DELETE FROM asks WHERE id IN (${old})`).run(settledBefore).changes;
      })(),
    async close() {
      flush();
      db.run("PRAGMA wal_checkpoint(TRUNCATE)");
      db.close();
    },
  };
}

/** An error while a change is worked out (before its first write) fails that change alone. */
function attempt<T>(work: () => T): { value: T } | { error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof Error && error.name === "SQLiteError") throw error;
    return { error };
  }
}

function open(path: string): Database {
  const db = new Database(path, { create: true, strict: true });
  // Each open sets every one of them: drivers and reopened files differ in their defaults.
  for (const pragma of ["busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"])
    db.run(`PRAGMA ${pragma}`);
  migrate(db, path);
  return db;
}

function migrate(db: Database, path: string): void {
  const latest = SQLITE_MIGRATIONS.length;
  const at = db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
  if (at > latest) {
    db.close();
    throw new ParleyError(
      "newer_database",
      `${path} was written by a newer Parley (schema ${at}, this one knows ${latest}). Update Parley; nothing was changed.`,
    );
  }
  db.transaction(() => {
    for (const step of SQLITE_MIGRATIONS.slice(at)) db.run(step);
    db.run(`PRAGMA user_version = ${latest}`);
  }).immediate();
}
