import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captured, create, settled } from "../../../test/contract/store-sample.ts";
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
const found = async () => (await store.precedents("shop", keys, 10)).map(({ id }) => id);

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
