import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, settled } from "../../../test/contract/store-sample.ts";
import { TEST_MS } from "../../../test/patience.ts";
import { createCheckpoints, LONGEST_WAL } from "./checkpoint.ts";
import { createCheckpointThread, type CheckpointThread } from "./checkpoint-thread.ts";
import { openDatabase } from "./database.ts";
import { openSqlite } from "./open.ts";

setDefaultTimeout(TEST_MS);

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-checkpoint-"));
  path = join(dir, "parley.db");
});
afterEach(() => rmSync(dir, { recursive: true }));

const pages = (file: string) => statSync(file).size / 4096;
/** Another number each time the log begins anew. */
const logNumber = () => readFileSync(`${path}-wal`).readUInt32BE(12);

test("[CT1] a log that is written without a pause is moved by a thread of its own, and begins anew", async () => {
  const store = openSqlite(path);
  let made = 0;
  const write = async () => {
    await Promise.all(Array.from({ length: 20 }, () => create(store, { id: `a${made++}`, more: [settled(2)] })));
    // There a commit would do it.
    expect(pages(`${path}-wal`)).toBeLessThan(LONGEST_WAL);
  };
  await write();
  const before = { pages: pages(path), log: logNumber() };
  while (pages(path) <= before.pages || logNumber() === before.log) await write();
  await store.close();
  expect(readdirSync(dir)).toEqual(["parley.db"]);
  const db = new Database(path, { readonly: true });
  expect(db.query("SELECT count(*) AS n FROM asks").get()).toEqual({ n: made });
  db.close();
});

test("[CT2] a thread moves all that is in the log, ends when it is told to, and can be had again", async () => {
  const db = openDatabase(path);
  const thread = createCheckpointThread(path);
  for (const round of [1, 2]) {
    db.run(`CREATE TABLE made${round} (x)`);
    expect(thread.isRunning()).toBe(false);
    await thread.pass();
    expect(thread.isRunning()).toBe(true);
    expect(db.query("PRAGMA wal_checkpoint(PASSIVE)").get()).toMatchObject({ busy: 0 });
    await thread.stop();
    expect(thread.isRunning()).toBe(false);
  }
  db.close();
  // Nobody else had it open, or the log would still be there.
  expect(readdirSync(dir)).toEqual(["parley.db"]);
});

test("[CT3] where the thread dies the log is moved here, and what was written is there", async () => {
  const db = openDatabase(path);
  const dying = createCheckpointThread(path, `onmessage = () => process.exit(1);`);
  let passes = 0;
  const counted: CheckpointThread = { ...dying, pass: () => (passes++, dying.pass()) };
  const checkpoints = createCheckpoints(db, counted);
  db.run("CREATE TABLE kept (x)");
  checkpoints.written(1000);
  while (dying.isRunning()) await Bun.sleep(5);
  for (let i = 0; i < 3; i++) checkpoints.written(1000);
  expect(passes).toBe(1);
  // A quiet moment later this thread has moved it.
  const moved = () => db.query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)").get();
  for (let now = moved(); now && now.checkpointed < now.log; now = moved()) await Bun.sleep(20);
  expect(db.query("PRAGMA wal_autocheckpoint").get()).toEqual({ wal_autocheckpoint: LONGEST_WAL });
  await checkpoints.stop();
  db.close();
});

test("[CT4] a thread that says nothing keeps neither a write nor the end waiting for ever", async () => {
  const db = openDatabase(path);
  const mute = createCheckpointThread(path, `onmessage = () => {};`);
  const checkpoints = createCheckpoints(db, mute);
  checkpoints.written(1000);
  checkpoints.written(1000);
  await checkpoints.stop();
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  expect(readdirSync(dir)).toEqual(["parley.db"]);
});
