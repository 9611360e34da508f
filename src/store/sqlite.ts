import { Database } from "bun:sqlite";
import { ParleyError } from "../core/error.ts";
import type { LogEvent } from "../core/event.ts";
import { SQLITE_MIGRATIONS } from "./migrations.ts";
import { createReader, quotedStates } from "./sqlite-read.ts";
import { createWriter } from "./sqlite-write.ts";
import { type Appended, type Change, DONE, type Store } from "./store.ts";

type Waiting = { change: Change; done: (result: Appended) => void; failed: (error: unknown) => void };

/** The embedded store. Changes that arrive together share one fsync (group commit). */
export function openSqlite(path: string): Store {
  const db = openDatabase(path);
  const read = createReader(db);
  const write = createWriter(db, read);
  const listeners = new Set<(events: readonly LogEvent[]) => void>();
  let queue: Waiting[] = [];
  let closed = false;

  function flush(): void {
    const batch = queue;
    queue = [];
    if (batch.length === 0) return;
    const results: (() => void)[] = [];
    const committed: LogEvent[] = [];
    try {
      db.run("BEGIN IMMEDIATE");
      for (const { change, done, failed } of batch) {
        const step = attempt(db, () => write(change));
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
    try {
      if (committed.length > 0) for (const listener of listeners) listener(committed);
    } finally {
      // It is on disk, whatever became of a listener.
      for (const result of results) result();
    }
  }

  return {
    ...read,
    append: (change) =>
      new Promise((done, failed) => {
        if (closed) failed(new Error("the store is closed"));
        else if (queue.push({ change, done, failed }) === 1) setImmediate(flush);
      }),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async saveDraft(ask, kept) {
      if (!read.askNow(ask)) return false;
      if (!kept) db.query("DELETE FROM drafts WHERE ask = ?").run(ask);
      else
        db.query("INSERT OR REPLACE INTO drafts (ask, by, at, data) VALUES (?, ?, ?, ?)").run(
          ask,
          kept.by,
          kept.at,
          JSON.stringify(kept.draft),
        );
      return true;
    },
    prune: async (settledBefore) =>
      db.transaction(() => {
        const old = `SELECT id FROM asks WHERE state IN (${quotedStates(DONE)}) AND settled_at < ?`;
        db.query(`DELETE FROM events WHERE ask IN (${old})`).run(settledBefore);
        db.query(`DELETE FROM once WHERE ask IN (${old})`).run(settledBefore);
        db.query(`DELETE FROM drafts WHERE ask IN (${old})`).run(settledBefore);
        return db.query(`DELETE FROM asks WHERE id IN (${old})`).run(settledBefore).changes;
      })(),
    async close() {
      if (closed) return;
      flush();
      closed = true;
      db.run("PRAGMA wal_checkpoint(TRUNCATE)");
      db.close();
    },
  };
}

/** An error in one change undoes and fails that change alone; one that ended the whole transaction goes up. */
function attempt<T>(db: Database, work: () => T): { value: T } | { error: unknown } {
  db.run("SAVEPOINT change");
  try {
    const value = work();
    db.run("RELEASE change");
    return { value };
  } catch (error) {
    if (!db.inTransaction) throw error;
    db.run("ROLLBACK TO change");
    db.run("RELEASE change");
    return { error };
  }
}

/** Contract: the schema is the newest one and every setting holds, whatever the file was like; or it throws and changed nothing. */
export function openDatabase(path: string): Database {
  const db = new Database(path, { create: true, strict: true });
  db.run("PRAGMA busy_timeout = 5000");
  const schema = schemaOf(db);
  const latest = SQLITE_MIGRATIONS.length;
  if (schema > latest) {
    db.close();
    throw new ParleyError(
      "newer_database",
      `${path} was written by a newer Parley (schema ${schema}, this one knows ${latest}). Update Parley; nothing was changed.`,
    );
  }
  // Each open sets every one of them: drivers and reopened files differ in their defaults.
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"]) db.run(`PRAGMA ${pragma}`);
  if (schema < latest) migrate(db);
  return db;
}

function migrate(db: Database): void {
  db.transaction(() => {
    for (const step of SQLITE_MIGRATIONS.slice(schemaOf(db))) db.run(step);
    db.run(`PRAGMA user_version = ${SQLITE_MIGRATIONS.length}`);
  }).immediate();
}

function schemaOf(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}
