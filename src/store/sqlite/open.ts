import { Database } from "bun:sqlite";
import { ParleyError } from "../../core/error.ts";
import type { LogEvent } from "../../core/ask/event.ts";
import { orUnwritable } from "../../core/unwritable.ts";
import { signOf, SQLITE_MIGRATIONS } from "./migrations.ts";
import { createPilotReader } from "./autopilot.ts";
import { createCheckpoints, LONGEST_WAL } from "./checkpoint.ts";
import { commitTogether, type Step } from "./commit.ts";
import { createPrune } from "./prune.ts";
import { createReader } from "./read.ts";
import { createWriter, type Written } from "./write.ts";
import type { Appended, Change, Store } from "../store.ts";

type Waiting = { change: Change; done: (result: Appended) => void; failed: (error: unknown) => void };

/** The embedded store. Changes that arrive together share one fsync (group commit). */
export function openSqlite(path: string): Store {
  const db = openDatabase(path);
  const read = createReader(db);
  const write = createWriter(db, read);
  const checkpoints = createCheckpoints(db);
  const prune = createPrune(db);
  const listeners = new Set<(events: readonly LogEvent[]) => void>();
  let queue: Waiting[] = [];
  let closed = false;

  function flush(): void {
    const batch = queue;
    queue = [];
    if (batch.length === 0) return;
    let steps: Step<Written>[];
    try {
      steps = commitTogether(db, batch, ({ change }) => write(change));
    } catch (error) {
      for (const { failed } of batch) failed(error);
      return;
    }
    checkpoints.written();
    const committed = steps.flatMap((step) => ("value" in step ? step.value.events : []));
    try {
      if (committed.length > 0) for (const listener of listeners) listener(committed);
    } finally {
      // It is on disk, whatever became of a listener.
      for (const [i, step] of steps.entries())
        if ("value" in step) batch[i]?.done(step.value.result);
        else batch[i]?.failed(step.error);
    }
  }

  return {
    ...read,
    ...createPilotReader(db),
    append: (change) =>
      new Promise((done, failed) => {
        if (closed) failed(new Error("the store is closed"));
        else if (queue.push({ change, done, failed: (error) => failed(orUnwritable(error, path)) }) === 1)
          setImmediate(flush);
      }),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async saveDraft(ask, kept) {
      if (!read.askNow(ask)) return false;
      const { by = "", at = 0, draft } = kept ?? {};
      const put = "INSERT OR REPLACE INTO drafts (ask, by, at, data) VALUES (?, ?, ?, ?)";
      try {
        if (!kept) db.query("DELETE FROM drafts WHERE ask = ?").run(ask);
        else db.query(put).run(ask, by, at, JSON.stringify(draft));
      } catch (error) {
        throw orUnwritable(error, path);
      }
      return true;
    },
    prune: (before) =>
      prune(before).catch((error: unknown) => {
        throw orUnwritable(error, path);
      }),
    async close() {
      if (closed) return;
      flush();
      closed = true;
      checkpoints.stop();
      db.run("PRAGMA wal_checkpoint(TRUNCATE)");
      db.close();
    },
  };
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
  const settings = ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"];
  for (const pragma of [...settings, `wal_autocheckpoint = ${LONGEST_WAL}`]) db.run(`PRAGMA ${pragma}`);
  if (schema < latest || missingIn(db).length > 0) migrate(db);
  return db;
}

function migrate(db: Database): void {
  db.transaction(() => {
    for (const step of missingIn(db)) db.run(step);
    db.run(`PRAGMA user_version = ${SQLITE_MIGRATIONS.length}`);
  }).immediate();
}

/** Looked for, not counted: steps were once merged in another order, so that one number stands for two schemas. */
function missingIn(db: Database): string[] {
  const names = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema").all();
  const there = new Set(names.map(({ name }) => name));
  return SQLITE_MIGRATIONS.filter((_, i) => !there.has(signOf(i) ?? ""));
}

function schemaOf(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}
