import { afterEach, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ask } from "../../src/core/ask/ask.ts";
import type { AskEvent } from "../../src/core/ask/event.ts";
import { applyAskEvent } from "../../src/core/ask/lifecycle.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import { SQLITE_MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { ANSWER, question } from "./api-request.ts";
import { createSession, ended, isHeld, settle } from "./hook-stage.ts";
import { createProgram, holds, type Program } from "./program.ts";

const opened: Program[] = [];
afterEach(async () => {
  for (const program of opened.splice(0)) await program.dispose();
});

function createHome(): Program {
  const program = createProgram();
  opened.push(program);
  return program;
}

async function startHome(): Promise<Program> {
  const program = createHome();
  await program.start();
  return program;
}

const create = (program: Program, header = "Store") =>
  program.client("agent").call("createAsk", { body: { questions: [question(header)] } });
const answer = (program: Program, id: string) =>
  program.client().call("settleAsk", { id, body: { action: "answer", answers: ANSWER } });
const idsOf = async (program: Program) =>
  (await program.client().call("listAsks", { query: { state: "all", limit: 500 } })).asks.map(({ id }) => id);
const inHome = ({ home }: Program) =>
  readdirSync(home)
    .filter((name) => name.startsWith("parley.db"))
    .toSorted();

test("[OP19] a backup while 200 asks are written and answered has all that was acknowledged before, and is sound", async () => {
  const source = await startHome();
  const acknowledged: string[] = [];
  const answered: string[] = [];
  const writing = Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      for (let i = 0; i < 10; i++) {
        const { id } = await create(source, `H${n}-${i}`);
        acknowledged.push(id);
        await answer(source, id);
        answered.push(id);
      }
    }),
  );
  expect(await holds(() => answered.length >= 20)).toBe(true);
  const before = { acknowledged: [...acknowledged], answered: [...answered] };
  expect(before.answered.length).toBeLessThan(200);
  const saved = await source.parley(["backup", "copy.db", "--json"]);
  await writing;
  expect([saved.code, saved.err]).toEqual([0, ""]);
  const file = join(source.user, "copy.db");
  const told = JSON.parse(saved.out) as { file: string; asks: number; events: number; bytes: number };
  expect(told).toMatchObject({ file, bytes: statSync(file).size });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(source.user).filter((name) => name.includes("copy.db"))).toEqual(["copy.db"]);

  const target = createHome();
  const restored = await target.parley(["restore", file]);
  expect([restored.code, restored.err]).toEqual([0, ""]);
  const store = openSqlite(target.paths.database);
  try {
    const asks = await store.list({ limit: 1000 });
    const events = await store.events({ limit: 10_000 });
    expect([asks.length, events.length]).toEqual([told.asks, told.events]);
    const kept = new Map(asks.map((ask) => [ask.id, ask]));
    expect(before.acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    expect(before.answered.filter((id) => kept.get(id)?.outcome?.type !== "answered")).toEqual([]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    // Every Ask is what its events add up to.
    const folded = new Map<string, Ask>();
    for (const { ask: id = "", at, data } of events)
      folded.set(id, applyAskEvent(folded.get(id), data as AskEvent, { id, at }));
    expect(folded.size).toBe(asks.length);
    for (const ask of asks) expect(folded.get(ask.id)).toEqual(ask);
    expect(await store.problems()).toEqual([]);
  } finally {
    await store.close();
  }
  await target.start();
  const open = asksOpen(before);
  expect((await idsOf(target)).filter((id) => open.includes(id)).length).toBe(open.length);
  await answer(target, (await create(target)).id);
});

/** Acknowledged, and not yet answered, when the backup began. */
function asksOpen({ acknowledged, answered }: { acknowledged: string[]; answered: string[] }): string[] {
  return acknowledged.filter((id) => !answered.includes(id));
}

test("[OP20] a backup says what it holds, with the daemon stopped or killed too, and replaces nothing unasked", async () => {
  const program = await startHome();
  await create(program);
  const words = (file: string) => new RegExp(`^Saved 1 question, 1 event \\(\\d+ KiB\\) to ${file}\n$`);
  const file = join(program.user, "b.db");
  await program.kill9();
  expect((await program.parley(["backup", file])).out).toMatch(words(file));
  const first = readFileSync(file);
  expect(await program.parley(["backup", "b.db"])).toEqual({
    code: 2,
    out: "",
    err: `✗ ${file} already exists. Choose another name, or --force to replace it\n`,
  });
  expect(readFileSync(file).equals(first)).toBe(true);
  await program.parley(["down"]);
  expect((await program.parley(["backup", "b.db", "--force"])).out).toMatch(words(file));
  expect((await program.parley(["status"])).code).toBe(3);

  const { out } = await program.parley(["backup"]);
  expect(out).toMatch(/to \S+\/parley-\d{8}T\d{6}Z\.db\n$/);
  expect(await program.parley(["backup", "/nowhere/b.db"])).toMatchObject({
    code: 3,
    err: "✗ There is no folder /nowhere\n",
  });
  expect(readdirSync(program.user).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("[OP20] where nothing is kept there is nothing to save", async () => {
  const program = createHome();
  const refused = await program.parley(["backup", "b.db"]);
  expect(refused).toEqual({ code: 3, out: "", err: `✗ Nothing is saved yet in ${program.home}\n` });
  expect(readdirSync(program.user).filter((name) => name.includes("b.db"))).toEqual([]);
});

test("[OP21] a backup to stdout is the same file, and nothing of it is left behind", async () => {
  const program = await startHome();
  await create(program);
  const child = program.spawn(["backup", "-"]);
  const [bytes, err, code] = await Promise.all([child.stdout.bytes(), child.stderr.text(), child.exited]);
  expect([code, err]).toEqual([0, expect.stringContaining("Saved 1 question, 1 event") as string]);
  const file = join(program.user, "piped.db");
  writeFileSync(file, bytes);
  const db = new Database(file, { readonly: true });
  expect(db.query("SELECT count(*) AS n FROM asks").get()).toEqual({ n: 1 });
  db.close();
  expect(readdirSync(program.home).filter((name) => name.includes("backup"))).toEqual([]);
});

test("[OP22] a restore is refused while the daemon runs, and with --stop does it in its place", async () => {
  const program = await startHome();
  const { id } = await create(program);
  await program.parley(["backup", "b.db"]);
  const later = await create(program);
  const { tokens, process: daemon } = program.registration();
  expect(await program.parley(["restore", "b.db"])).toEqual({
    code: 1,
    out: "",
    err: `✗ Parley is running for ${program.home}. Stop it first: parley down, or restore with --stop\n`,
  });
  expect(await idsOf(program)).toEqual([later.id, id]);

  const { code, out } = await program.parley(["restore", "b.db", "--stop"]);
  expect(code).toBe(0);
  const before = /^What was kept before: (.+)$/m.exec(out)?.[1] ?? "";
  expect(out).toMatch(
    /^Restored 1 question, 1 event \(\d+ KiB\) from \S+\/b\.db\nWhat was kept before: .+\nParley is running again\.\n$/,
  );
  expect(isAlive(daemon)).toBe(false);
  expect(program.registration()).toMatchObject({ state: "running", tokens });
  expect(await idsOf(program)).toEqual([id]);

  // And back: what was kept before is a database like any other.
  expect((await program.parley(["restore", before, "--stop"])).code).toBe(0);
  expect(await idsOf(program)).toEqual([later.id, id]);
});

test("[OP22] a daemon that hangs still has its home: nothing is put in its place", async () => {
  const program = await startHome();
  const { id } = await create(program);
  await program.parley(["backup", "b.db"]);
  const { pid } = program.registration().process;
  process.kill(pid, "SIGSTOP");
  try {
    expect(await program.parley(["restore", "b.db", "--stop"])).toEqual({
      code: 1,
      out: "",
      err: `✗ Parley is running for ${program.home}, but not responding. Stop it: parley down --force\n`,
    });
  } finally {
    process.kill(pid, "SIGCONT");
  }
  expect(await idsOf(program)).toEqual([id]);
  expect(inHome(program)).toEqual(["parley.db", "parley.db-shm", "parley.db-wal"]);
});

test("[OP22] stopped on purpose it stays stopped; not started it may be started by the next hook", async () => {
  const program = await startHome();
  const { id } = await create(program);
  await program.parley(["backup", "b.db"]);
  await program.parley(["down"]);
  const { out } = await program.parley(["restore", "b.db"]);
  expect(out).toEndWith("Start Parley: parley up\n");
  expect(await program.parley(["ls"])).toMatchObject({ code: 69 });
  await program.start();
  expect(await idsOf(program)).toEqual([id]);
  await program.terminate();
  await program.parley(["restore", "b.db"]);
  expect((await program.parley(["ls"])).code).toBe(0);
});

test("[OP23] what a killed daemon had in its journal is kept before, and not played into the restored file", async () => {
  const program = await startHome();
  const { id } = await create(program);
  await program.parley(["backup", "b.db"]);
  const later = await create(program);
  await program.kill9();
  expect(statSync(`${program.paths.database}-wal`).size).toBeGreaterThan(0);
  const { out } = await program.parley(["restore", "b.db"]);
  const before = /^What was kept before: (.+)$/m.exec(out)?.[1] ?? "";
  await program.start();
  expect(await idsOf(program)).toEqual([id]);
  const old = openSqlite(before);
  expect((await old.list({})).map((ask) => ask.id)).toEqual([id, later.id]);
  await old.close();
});

test("[OP24] what is damaged, no database or of a newer Parley is refused, and nothing is changed or stopped", async () => {
  const program = await startHome();
  const { id } = await create(program);
  await program.parley(["backup", "good.db"]);
  const at = (name: string) => join(program.user, name);
  const good = readFileSync(at("good.db"));
  writeFileSync(at("text.db"), "no database at all\n".repeat(100));
  writeFileSync(at("empty.db"), "");
  writeFileSync(at("cut.db"), good.subarray(0, Math.floor(good.length / 2)));
  const torn = Buffer.from(good);
  torn.fill(0x5a, 4096, torn.length - 4096);
  writeFileSync(at("torn.db"), torn);
  const foreign = new Database(at("foreign.db"), { create: true });
  foreign.run("CREATE TABLE t (x); PRAGMA user_version = 1");
  foreign.close();
  writeFileSync(at("newer.db"), good);
  const newer = new Database(at("newer.db"));
  newer.run("PRAGMA user_version = 99");
  newer.close();
  mkdirSync(at("folder.db"));

  const { instance } = program.registration();
  const known = SQLITE_MIGRATIONS.length;
  const refusals: [string, RegExp][] = [
    ["missing.db", /^✗ There is no file .*missing\.db\n$/],
    ["folder.db", /^✗ There is no file .*folder\.db\n$/],
    ["text.db", /^✗ .*text\.db is not a Parley database\n$/],
    ["empty.db", /^✗ .*empty\.db is not a Parley database\n$/],
    ["foreign.db", /^✗ .*foreign\.db is not a Parley database\n$/],
    ["cut.db", /^✗ .*cut\.db is damaged: /],
    ["torn.db", /^✗ .*torn\.db is damaged: /],
    [
      "newer.db",
      new RegExp(
        `was written by a newer Parley \\(schema 99, this one knows ${known}\\)\\. Update Parley; nothing was changed\\.`,
      ),
    ],
  ];
  for (const [name, words] of refusals) {
    const { code, out, err } = await program.parley(["restore", at(name), "--stop"]);
    expect([name, code === 0, out]).toEqual([name, false, ""]);
    expect(err).toMatch(words);
  }
  expect(program.registration().instance).toBe(instance);
  expect(await idsOf(program)).toEqual([id]);
  expect(inHome(program)).toEqual(["parley.db", "parley.db-shm", "parley.db-wal"]);
});

test("[OP25] a backup of an older Parley is brought up to date, and the file itself stays as it is", async () => {
  const program = createHome();
  const file = join(program.user, "old.db");
  const old = new Database(file, { create: true });
  old.run(await Bun.file(join(import.meta.dir, "../../src/store/sqlite/fixtures/schema-1.sql")).text());
  old.close();
  const bytes = readFileSync(file);
  const { code, out } = await program.parley(["restore", file, "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ before: null, started: false, schema: SQLITE_MIGRATIONS.length });
  expect(readFileSync(file).equals(bytes)).toBe(true);
  expect(inHome(program)).toEqual(["parley.db"]);
  await program.start();
  expect((await idsOf(program)).length).toBe((JSON.parse(out) as { asks: number }).asks);
});

test("[OP26] a question that is asked right now and not in the file comes in again with its hook", async () => {
  const program = await startHome();
  await create(program);
  await program.parley(["backup", "b.db"]);
  const session = createSession(program, "single-select");
  const dialog = session.fire("PermissionRequest");
  const lost = await session.ask(isHeld);
  expect((await program.parley(["restore", "b.db", "--stop"])).code).toBe(0);
  const again = await session.ask((ask) => isHeld(ask) && ask.id !== lost.id);
  await settle(program, again, { action: "answer", answers: [{ picks: [1] }] });
  expect((await ended(dialog)).out).toContain('"Option B"');
});
