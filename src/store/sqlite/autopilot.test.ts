import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captured, closed, create, happen, settled, verified } from "../../../test/contract/store-sample.ts";
import type { AskEvent } from "../../core/ask/event.ts";
import { keysOf } from "../../core/autopilot/ladder/precedent.ts";
import { SQLITE_MIGRATIONS } from "./migrations.ts";
import { openSqlite } from "./open.ts";
import type { Store } from "../store.ts";

let dir: string;
let path: string;
let store: Store;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-store-"));
  path = join(dir, "parley.db");
  store = openSqlite(path);
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const event = captured() as AskEvent & { type: "ask.captured" };
const keys = keysOf(event);
const shop = { project: "shop" };
const rule = { type: "rule" as const, surface: "autopilot", name: "r" };
const proposed = (state: "held" | "suggested"): AskEvent => ({
  type: "ask.autopilot",
  state,
  why: "w",
  steps: [],
  proposal: { action: "answer", answers: [{ picks: [0] }], by: rule, reason: "w" },
});
const found = async (limit = 10) => (await store.precedents("shop", keys, limit)).map(({ id }) => id);

test("[AU32] what people answered is found by what was asked, in this project, newest first", async () => {
  for (const [i, id] of ["a", "b", "c"].entries()) await create(store, { id, origin: shop, more: [settled(10 + i)] });
  await create(store, { id: "other", origin: { project: "else" }, more: [settled(9)] });
  await create(store, { id: "open", origin: shop });
  await create(store, { id: "gone", origin: shop, more: [closed(9)] });
  const outcome = { type: "answered" as const, actor: rule, at: 9, answers: [{ picks: [0] }] };
  await create(store, { id: "ruled", origin: shop, more: [{ type: "ask.settled", outcome }] });
  expect(await found()).toEqual(["c", "b", "a"]);
  expect(await found(2)).toEqual(["c", "b"]);
  await happen(store, "b", [{ type: "ask.sent", key: "k1", channel: "race" }, verified]);
  await store.prune(Date.now() * 2);
  expect(await found()).toEqual(["c", "a"]);
});

test("[AU33] what was answered before there were keys gets them in steps", async () => {
  await create(store, { id: "a", origin: shop, more: [settled(10)] });
  await store.close();
  const db = new Database(path);
  // As the schema before this one left it.
  for (const table of ["precedents", "unkeyed", "piloted"]) db.run(`DROP TABLE ${table}`);
  db.run(`PRAGMA user_version = ${SQLITE_MIGRATIONS.length - 1}`);
  db.close();
  store = openSqlite(path);
  expect(await found()).toEqual([]);
  expect(await store.keyPrecedents()).toBe(0);
  expect(await found()).toEqual(["a"]);
});

test("[AU34] budget and agreement are counted in the store", async () => {
  const in1 = { ...shop, session: "s1" };
  await create(store, { id: "held", at: 1000, origin: in1, more: [proposed("held")] });
  await create(store, { id: "shown", at: 1000, origin: in1, more: [proposed("suggested"), settled(11)] });
  await create(store, { id: "else", at: 5000, origin: { session: "s2" }, more: [proposed("held")] });
  expect([await store.spent({ session: "s1" }), await store.spent({ session: "s2" })]).toEqual([1, 1]);
  expect([await store.spent({ since: 0 }), await store.spent({ since: 5000 })]).toEqual([2, 1]);
  expect(await store.agreements()).toEqual([
    { decider: "rule r", result: "agreed", count: 1 },
    { decider: "rule r", result: "open", count: 2 },
  ]);
});

test("[AU35] none of it reads history: every look goes through an index", () => {
  const db = new Database(path);
  const plan = (sql: string, ...values: (string | number)[]) =>
    db
      .query<{ detail: string }, (string | number)[]>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail)
      .join("; ");
  const precedents = "SELECT ask, at FROM precedents WHERE project = ? AND key = ? ORDER BY at DESC LIMIT ?";
  expect(plan(precedents, "p", "k", 1)).toBe("SEARCH precedents USING PRIMARY KEY (project=? AND key=?)");
  const spent = "SELECT count(*) AS n FROM piloted WHERE spent = 1 AND";
  expect(plan(`${spent} session = ?`, "s")).toContain("piloted_of_session (session=?)");
  expect(plan(`${spent} at >= ?`, 1)).toContain("piloted_by_time (at>?)");
  expect(plan("DELETE FROM precedents WHERE ask = ?", "a")).toContain("precedents_of_ask");
  db.close();
});
