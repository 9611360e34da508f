import { Database } from "bun:sqlite";
import { ParleyError } from "../../core/error.ts";
import { LONGEST_WAL } from "./checkpoint.ts";
import { signOf, SQLITE_MIGRATIONS } from "./migrations.ts";

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
