import { afterEach, beforeEach, expect, test } from "bun:test";
import { closed, create, happen, sent, settled } from "../../test/contract/store-sample.ts";
import { createHolds } from "./holds.ts";
import { openMemory } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { createDeliver } from "./deliver.ts";
import { createHookChannel } from "./hook-channel.ts";

let store: Store;
beforeEach(() => void (store = openMemory()));
afterEach(() => store.close());

test.each([
  ["handed on", sent],
  ["given up", closed(2000)],
])("[EN7] who got an answer is remembered until it was %s, and not longer", async (_how, last) => {
  const holds = createHolds();
  const channel = createHookChannel({ store, holds });
  const deliver = createDeliver({ store, channels: [channel] });
  const handed: number[] = [];
  for (let i = 0; i < 20; i++) {
    const id = `a${i}`;
    await create(store, { id, more: [settled(1000)] });
    const reply = ({ handed: what }: { handed: unknown[] }) => void handed.push(what.length);
    const hold = { call: `c${i}`, ask: id, key: "k1", channel: "race", payload: "{}", version: undefined, reply };
    holds.add(hold);
    await deliver(id);
    // Another one comes for the same answer.
    holds.add({ ...hold, call: `d${i}` });
  }
  expect([channel.unconfirmed(), holds.size]).toEqual([20, 20]);
  for (let i = 0; i < 20; i++) await happen(store, `a${i}`, [last]);
  expect(channel.unconfirmed()).toBe(0);
  for (let i = 0; i < 20; i++) await deliver(`a${i}`);
  expect([channel.unconfirmed(), holds.size]).toEqual([0, 0]);
});

test.each([
  ["of a task is told nothing: its runner ends it", { task: "t1" }, 0],
  ["of a person's own is told", {}, 1],
])("[TK17] when its question was cancelled, an agent %s", async (_whose, origin, times) => {
  const holds = createHolds();
  const deliver = createDeliver({ store, channels: [createHookChannel({ store, holds })] });
  const cancelled = { type: "cancelled", actor: { type: "person", surface: "cli" }, at: 1000 } as const;
  await create(store, { id: "a1", origin, more: [{ type: "ask.settled", outcome: cancelled }] });
  let replies = 0;
  const reply = () => void replies++;
  holds.add({ call: "c1", ask: "a1", key: "k1", channel: "race", payload: "{}", version: undefined, reply });
  await deliver("a1");
  expect(replies).toBe(times);
});
