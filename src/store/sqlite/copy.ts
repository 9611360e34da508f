import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync } from "node:fs";
import { ParleyError } from "../../core/error.ts";
import type { Contents } from "../admin.ts";
import { openAtRest } from "./at-rest.ts";
import { openDatabase } from "./database.ts";
import { SQLITE_MIGRATIONS } from "./migrations.ts";

/**
 * Copies a database. From a `live` one others may write to meanwhile: what was committed when it began is in the copy,
 * nothing is half there, and nobody waits for it.
 * Contract: the copy is one new file, 0600, on disk and sound; when it throws there is none.
 */
export function copyDatabase(from: string, to: string, { live }: { live: boolean }): Contents {
  // An empty file is what VACUUM INTO takes, and this way it is nobody else's from the start.
  closeSync(openSync(to, "wx", 0o600));
  const db = live ? new Database(from, { readwrite: true, create: false }) : openAtRest(from);
  try {
    db.run("PRAGMA busy_timeout = 5000");
    db.query("VACUUM INTO ?").run(to);
    sync(to);
    return inspectDatabase(to);
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  } finally {
    db.close();
  }
}

/** Contract: changes nothing; throws unless the file is a sound database of a Parley that is not newer than this one. */
export function inspectDatabase(path: string): Contents {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new ParleyError("not_found", `There is no file ${path}`);
  const db = openAtRest(path);
  try {
    const schema = numberIn(db, "PRAGMA user_version");
    const tables = numberIn(db, "SELECT count(*) FROM sqlite_schema WHERE name IN ('asks', 'events')");
    if (tables !== 2 || schema < 1) throw notOurs(path);
    const known = SQLITE_MIGRATIONS.length;
    if (schema > known)
      throw new ParleyError(
        "newer_database",
        `${path} was written by a newer Parley (schema ${schema}, this one knows ${known}). Update Parley; nothing was changed.`,
      );
    const problem = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get()?.integrity_check;
    if (problem !== "ok") throw damaged(path, problem ?? "it cannot be checked");
    const [asks, events] = ["asks", "events"].map((table) => numberIn(db, `SELECT count(*) FROM ${table}`));
    return { bytes: statSync(path).size, asks: asks ?? 0, events: events ?? 0, schema };
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    throw error.code === "SQLITE_NOTADB" ? notOurs(path) : damaged(path, error.message);
  } finally {
    db.close();
  }
}

/** Brings a copy to the newest schema, in one file without a journal beside it. */
export function upgradeDatabase(path: string): void {
  const db = openDatabase(path);
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.run("PRAGMA journal_mode = DELETE");
  db.close();
  sync(path);
}

/** Puts what is still in the journal into the file itself. False: it could not be done, and the journal belongs to it. */
export function foldJournal(path: string): boolean {
  try {
    const db = new Database(path, { readwrite: true, create: false });
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    return !existsSync(`${path}-wal`) || statSync(`${path}-wal`).size === 0;
  } catch {
    return false;
  }
}

function numberIn(db: Database, sql: string): number {
  return Number(db.query(sql).values()[0]?.[0] ?? 0);
}

function sync(path: string): void {
  const fd = openSync(path, "r+");
  fsyncSync(fd);
  closeSync(fd);
}

const notOurs = (path: string) => new ParleyError("invalid", `${path} is not a Parley database`);
const damaged = (path: string, what: string) => new ParleyError("invalid", `${path} is damaged: ${what}`);
