import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, settled } from "../../../test/contract/store-sample.ts";
import { signOf, SQLITE_MIGRATIONS } from "./migrations.ts";
import { openSqlite } from "./open.ts";

/** Every step that has landed, by its digest. Only ever appended to: somebody's database was made by it as it stands. */
const LANDED = [
  "158470c7",
  "37be7522",
  "05e35e7f",
  "2f624d3c",
  "9d8697c0",
  "86b55ac0",
  "ee07cec6",
  "6398d1ca",
  "6a24895e",
];
/** Every list of steps that was ever published, on the way to this one; two of them have the same length. */
const PUBLISHED = [
  ["158470c7"],
  ["158470c7", "2f624d3c"],
  ["158470c7", "37be7522"],
  ["158470c7", "37be7522", "05e35e7f"],
  ["158470c7", "37be7522", "05e35e7f", "2f624d3c"],
  ["158470c7", "37be7522", "05e35e7f", "2f624d3c", "9d8697c0"],
  ["158470c7", "37be7522", "05e35e7f", "2f624d3c", "86b55ac0"],
  ["158470c7", "37be7522", "05e35e7f", "2f624d3c", "86b55ac0", "9d8697c0"],
  ["158470c7", "37be7522", "05e35e7f", "2f624d3c", "9d8697c0", "86b55ac0"],
  ["158470c7", "37be7522", "05e35e7f", "2f624d3c", "9d8697c0", "86b55ac0", "ee07cec6"],
  ["158470c7", "37be7522", "05e35e7f", "2f624d3c", "9d8697c0", "86b55ac0", "ee07cec6", "6398d1ca"],
  LANDED,
];

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "parley-migrations-"))));
afterEach(() => rmSync(dir, { recursive: true }));

const digestOf = (sql: string) => createHash("sha256").update(sql).digest("hex").slice(0, 8);

test("[EN1] a migration that has landed stays as it is and where it is", () => {
  expect(SQLITE_MIGRATIONS.map(digestOf)).toEqual(LANDED);
  const signs = LANDED.map((_, i) => signOf(i));
  expect(signs).toEqual([
    "events",
    "drafts",
    "asks_active_of_session",
    "tasks",
    "events_of_task",
    "precedents",
    "tasks_queued",
    "marks",
    "grants",
  ]);
});

test.each(PUBLISHED.map((steps) => [steps.length, steps.join(" "), steps] as const))(
  "[EN2] a database of schema %d (%s) is opened, keeps what it has and ends at the newest schema",
  async (_length, _name, steps) => {
    const path = join(dir, "old.db");
    const old = new Database(path, { create: true });
    for (const digest of steps) old.run(SQLITE_MIGRATIONS.find((sql) => digestOf(sql) === digest) ?? "");
    old.run("INSERT INTO once (key, digest, ask, at) VALUES ('k', 'd', 'kept', 1)");
    old.run(`PRAGMA user_version = ${steps.length}`);
    old.close();

    for (const id of ["first", "again"]) {
      const store = openSqlite(path);
      await create(store, { id, origin: { project: "shop" }, more: [settled(1)] });
      expect(await store.ask(id)).toMatchObject({ id, state: "settled" });
      expect(await store.tasks({})).toEqual([]);
      expect(await store.problems()).toEqual([]);
      await store.close();
    }
    const fresh = join(dir, "fresh.db");
    await openSqlite(fresh).close();
    expect(schemaIn(path)).toEqual(schemaIn(fresh));
    const db = new Database(path);
    expect(db.query("SELECT key FROM once").all()).toEqual([{ key: "k" }]);
    db.close();
  },
);

/** Whatever order things were made in; spaces mean nothing. */
function schemaIn(path: string): unknown {
  const db = new Database(path);
  const made = db.query<{ name: string; sql: string | null }, []>("SELECT name, sql FROM sqlite_schema").all();
  const version = db.query("PRAGMA user_version").get();
  db.close();
  const objects = made.map(({ name, sql }) => `${name}: ${(sql ?? "").replaceAll(/\s+/g, " ")}`);
  return { version, objects: objects.toSorted() };
}
