import { afterEach, beforeEach, expect, test } from "bun:test";
import { create, settled, verified } from "../../../test/contract/store-sample.ts";
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
