import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { captured, create, seen, settled, verified } from "../../../test/contract/store-sample.ts";
import type { AskEvent } from "../../core/ask/event.ts";
import type { Task } from "../../core/task/task.ts";
import { openMemory } from "../../store/memory.ts";
import type { Store } from "../../store/store.ts";
import { createOwed } from "./owed.ts";

let store: Store;
beforeEach(() => void (store = openMemory()));
afterEach(() => store.close());

/** Its agent was killed. */
const task = { id: "t1", order: { agent: "claude-code" }, end: { ok: false } } as unknown as Task;
const sent = { type: "ask.sent", key: "k1", channel: "hold" } as const;

test.each([
  ["whose hook's word of it was lost with a daemon", [settled(1000)], [sent, verified], []],
  ["that it was said to have", [settled(1000), sent], [verified], []],
  ["that nobody took", [settled(1000)], [], ["a1"]],
  ["that it took and did not write down", [settled(1000), sent], [], ["a1"]],
])("[LO8] an answer %s is told again only where the agent's record lacks it", async (_what, noted, recorded, told) => {
  await create(store, { id: "a1", origin: { task: "t1" }, more: noted });
  const reconcile = async (id: string) => {
    const { version = 0 } = (await store.ask(id)) ?? {};
    if (recorded.length > 0) await store.append({ at: 2000, ask: { id, expected: version, events: recorded } });
    return store.ask(id);
  };
  const { startWith, asRecorded } = createOwed({ store, reconcile });
  const asks = await store.list({});
  const start = await startWith(task, asks);
  expect(start.how === "message" ? (start.asks ?? []) : start).toEqual(told);
  expect((await asRecorded(asks)).filter(({ state }) => state === "verified")).toHaveLength(1 - told.length);
});

/** A record with the result of one call. */
const RECORD = join(import.meta.dir, "../../agents/claude-code/fixtures/2.1.325/answered-by-hook/transcript.jsonl");
const KEY = "toolu_ask";

test.each([
  ["resumed for it, whose record has its result, gets it by that call", { how: "deferred", asks: ["a1"] }, "deferred"],
  ["that was never resumed for it, as after a restore, is told it in words", { how: "prompt" }, "message"],
])("[LO9] an answer to a call that was put off is told once: a run %s", async (_what, start, how) => {
  await store.append({ at: 500, session: seen("s1", { transcript: RECORD }) });
  const asked = { ...captured("question", { task: "t1" }), key: KEY } as AskEvent;
  await store.append({ at: 1000, ask: { id: "a1", expected: 0, events: [asked, settled(1000)] } });
  const { startWith } = createOwed({ store, reconcile: (id) => store.ask(id) });
  const stopped = { ...task, session: "s1", start, end: { ok: false, deferred: KEY } } as unknown as Task;
  expect((await startWith(stopped, await store.list({}))).how).toBe(how as "deferred");
});
