import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ask } from "../../core/ask/ask.ts";
import type { AskEvent, LogEvent } from "../../core/ask/event.ts";
import { applyAskEvent } from "../../core/ask/lifecycle.ts";
import { storeContract } from "../../../test/contract/store.ts";
import { create, settled } from "../../../test/contract/store-sample.ts";
import { SQLITE_MIGRATIONS } from "./migrations.ts";
import { openDatabase } from "./database.ts";
import { openSqlite } from "./open.ts";
import type { Store } from "../store.ts";
import { eventually, TEST_MS } from "../../../test/patience.ts";

setDefaultTimeout(TEST_MS);

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-store-"));
  path = join(dir, "parley.db");
});
afterEach(() => rmSync(dir, { recursive: true }));

storeContract("sqlite", { open: () => openSqlite(path) });

test("[ST20] every open sets journal, sync, foreign keys and patience, whatever the file was like", () => {
  new Database(path).run("PRAGMA journal_mode = DELETE");
  for (const round of ["first", "again"]) {
    const db = openDatabase(path);
    const pragma = (name: string) =>
      Object.values(db.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get() ?? {})[0];
    const settings = Object.fromEntries(
      ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map((name) => [name, pragma(name)]),
    );
    db.close();
    const wanted = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 5000 };
    expect({ round, ...settings }).toEqual({ round, ...wanted });
  }
});

test("[ST21] a database of a newer Parley is refused and not touched", () => {
  const newer = SQLITE_MIGRATIONS.length + 1;
  const db = new Database(path);
  db.run("CREATE TABLE later (x)");
  db.run(`PRAGMA user_version = ${newer}`);
  db.close();
  const before = readFileSync(path);
  expect(() => openSqlite(path)).toThrow(
    expect.objectContaining({
      code: "newer_database",
      message: `${path} was written by a newer Parley (schema ${newer}, this one knows ${newer - 1}). Update Parley; nothing was changed.`,
    }),
  );
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dir)).toEqual(["parley.db"]);
});

test("[ST22] an empty file gets the newest schema, once", async () => {
  writeFileSync(path, "");
  await openSqlite(path).close();
  const db = new Database(path);
  const schema = () => db.query("SELECT name, sql FROM sqlite_master ORDER BY name").all();
  const first = schema();
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: SQLITE_MIGRATIONS.length });
  await openSqlite(path).close();
  expect(schema()).toEqual(first);
  db.close();
});

test("[ST23] a database of schema 1 with events of version 1 is read as it was written", async () => {
  const db = new Database(path);
  db.run(readFileSync(join(import.meta.dir, "fixtures/schema-1.sql"), "utf8"));
  db.close();
  const store = openSqlite(path);
  expect((await store.list({})).map(({ id, state, kind }) => [id, state, kind])).toEqual([
    ["k7m2p9qa4wxz", "verified", "question"],
    ["m3n8r2tb6ykw", "open", "plan"],
    ["q9s4v7xc2zja", "closed", "question"],
  ]);
  expect(await store.ask("k7m2p9qa4wxz")).toMatchObject({
    version: 5,
    questions: [{ text: "Which database?", weight: 3, options: [{}, { label: "PostgreSQL, hosted", cost: "12" }] }],
    origin: { project: "shop", machine: { name: "ada-laptop" }, pane: { id: "%3" } },
    deliveries: [{ key: "toolu_01", state: "verified", hold: "c1", racing: true }],
    outcome: { actor: { surface: "cli", tty: "/dev/pts/4" }, answers: [{ picks: [1], mood: "sure" }] },
  });
  const later = { snoozedUntil: 1763200009000, labels: ["shop", "later"] };
  expect(await store.ask("m3n8r2tb6ykw")).toMatchObject(later);
  expect((await store.ask("q9s4v7xc2zja"))?.questions[0]?.text).toBe('Umlaut, "quotes" and it\'s ä\nnew line?');
  expect(await store.session("5b1f0e7a-2f1c-4a57-9a39-0c5f2d6f7a11")).toMatchObject({
    endReason: "exit",
    shell: "zsh",
  });
  expect(await store.used("create 1f0c")).toMatchObject({ digest: "9f86d081884c7d65", ask: { id: "k7m2p9qa4wxz" } });
  expect((await store.events({})).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  await expectFolds(store, later);

  // And it goes on from there.
  await store.append({ at: 1, ask: { id: "m3n8r2tb6ykw", expected: 2, events: [settled(1)] } });
  expect(await store.ask("m3n8r2tb6ykw")).toMatchObject({ state: "settled", version: 3, ...later });
  await create(store, { id: "new" });
  expect(await store.lastSeq()).toBe(13);
  await store.close();
});

test("[PF7] what was written is moved into the database itself once nobody writes any more", async () => {
  const store = openSqlite(path);
  await create(store, { id: "moved" });
  // Without its log the file is what it would be after that.
  const moved = () => {
    const alone = join(dir, "alone.db");
    writeFileSync(alone, readFileSync(path));
    const db = new Database(alone);
    const found = db.query("SELECT name FROM sqlite_master WHERE name = 'asks'").get();
    const asks = found ? db.query("SELECT id FROM asks").all() : [];
    db.close();
    return asks;
  };
  // Copied while it is being written it may be neither the old nor the new one.
  await eventually(() => expect(moved()).toEqual([{ id: "moved" }]));
  await store.close();
});

test("[ST24] nothing acknowledged is lost and nothing is half there when the process is killed", async () => {
  const acknowledged: string[] = [];
  for (let kill = 0; kill < 20; kill++) {
    acknowledged.push(...(await appendUntilKilled(`r${kill}`, Math.floor(Math.random() * 150))));
    const store = openSqlite(path);
    expect(await store.problems()).toEqual([]);
    const kept = new Set((await store.list({ limit: 100_000 })).map(({ id }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    await expectFolds(store);
    await store.close();
  }
  expect(acknowledged.length).toBeGreaterThan(20);
});

/** Kills it after about so many acknowledgements, in the middle of whatever it does then. */
async function appendUntilKilled(name: string, after: number): Promise<string[]> {
  const script = join(import.meta.dir, "fixtures/append-until-killed.ts");
  const child = Bun.spawn([process.execPath, script, path, name], { stdout: "pipe", stderr: "inherit" });
  let out = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    out += chunk;
    if (out.split("\n").length > after) child.kill("SIGKILL");
  }
  expect(await child.exited).toBe(137);
  return out.split("\n").slice(0, -1);
}

/** Each stored Ask is what its events say; `extra` are fields that no event knows. */
async function expectFolds(store: Store, extra: Record<string, unknown> = {}): Promise<void> {
  const events = Map.groupBy(await store.events({ limit: 1_000_000 }), ({ ask }) => ask);
  for (const ask of await store.list({ limit: 100_000 })) {
    const folded = (events.get(ask.id) ?? []).reduce<Ask | undefined>(fold, undefined);
    expect({ ...extra, ...ask }).toEqual({ ...extra, ...(folded as Ask) });
  }
}

function fold(ask: Ask | undefined, { at, ask: id = "", data }: LogEvent): Ask {
  return applyAskEvent(ask, data as AskEvent, { id, at });
}
