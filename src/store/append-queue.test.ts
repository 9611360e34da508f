import { expect, test } from "bun:test";
import { type Step, createAppendQueue } from "./append-queue.ts";
import type { Change } from "./store.ts";

const change = (at: number): Change => ({ at });
const done = (changes: readonly Change[]): Step[] =>
  changes.map(() => ({ value: { result: { type: "done" }, events: [] } }));
const outcomes = async (appends: Promise<unknown>[]) => (await Promise.allSettled(appends)).map(({ status }) => status);

test.each(["at once", "later"])(
  "[SX28] a commit that fails %s fails its changes, and the next are committed",
  async (when) => {
    let isFull = true;
    const commit = (changes: readonly Change[]) => {
      if (!isFull) return done(changes);
      if (when === "later") return Promise.reject(new Error("full"));
      throw new Error("full");
    };
    const queue = createAppendQueue(commit, (error) => `explained: ${String(error)}`);
    const [first, second] = [queue.append(change(1)), queue.append(change(2))];
    expect([await first.catch(String), await second.catch(String)]).toEqual(Array(2).fill("explained: Error: full"));
    isFull = false;
    expect(await outcomes([queue.append(change(3)), queue.append(change(4))])).toEqual(["fulfilled", "fulfilled"]);
  },
);

test("[SX29] what arrives while a slow commit is under way is committed together after it, in its order", async () => {
  const batches: number[][] = [];
  const { promise: slow, resolve: go } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const queue = createAppendQueue(async (changes) => {
    batches.push(changes.map(({ at }) => at));
    begin();
    await slow;
    return done(changes);
  });
  const appends = [queue.append(change(1)), queue.append(change(2))];
  await begun;
  for (const at of [3, 4, 5]) appends.push(queue.append(change(at)));
  const closed = queue.close();
  expect(await queue.append(change(6)).catch(String)).toBe("Error: the store is closed");
  expect(batches).toEqual([[1, 2]]);
  go();
  await closed;
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  expect(await outcomes(appends)).toEqual(Array(5).fill("fulfilled"));
});
