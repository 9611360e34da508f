import { expect, test } from "bun:test";
import { createCursor, firstShown, GUARD_MS } from "./cursor.ts";

const rows = (ids: string) => ids.split("").map((id) => ({ id }));

test("[IN9] a list that changes under the cursor keeps the selected one selected", () => {
  const cursor = createCursor({ now: () => 0 });
  cursor.follow(rows("abcd"));
  cursor.to(2);
  for (const [list, index] of [
    ["xyabcd", 4],
    ["c", 0],
    ["dcba", 1],
  ] as const) {
    cursor.follow(rows(list));
    expect([list, cursor.id, cursor.index]).toEqual([list, "c", index]);
  }
});

test("[IN9] when it is gone the next one is selected, at the end the one before", () => {
  const cursor = createCursor({ now: () => 0 });
  cursor.follow(rows("abcd"));
  cursor.to(1);
  cursor.follow(rows("acd"));
  expect(cursor.id).toBe("c");
  cursor.to(9);
  cursor.follow(rows("ac"));
  expect(cursor.id).toBe("c");
  cursor.follow([]);
  expect([cursor.id, cursor.index]).toEqual([undefined, 0]);
});

test("[IN10] only what came under the cursor by itself is fresh, for 300 ms", () => {
  let now = 10_000;
  const cursor = createCursor({ now: () => now });
  cursor.follow(rows("abc"));
  now += GUARD_MS;
  expect(cursor.isFresh()).toBe(false);
  cursor.move(1);
  expect(cursor.isFresh()).toBe(false);
  cursor.follow(rows("xabc"));
  expect(cursor.isFresh()).toBe(false);
  cursor.follow(rows("xac"));
  expect([cursor.id, cursor.isFresh()]).toEqual(["c", true]);
  now += GUARD_MS - 1;
  expect(cursor.isFresh()).toBe(true);
  now += 1;
  expect(cursor.isFresh()).toBe(false);
});

test("[IN11] the view moves as little as it can", () => {
  expect([firstShown(0, 3, 5, 100), firstShown(0, 5, 5, 100), firstShown(50, 20, 5, 100)]).toEqual([0, 1, 20]);
  expect([firstShown(98, 99, 5, 100), firstShown(3, 0, 5, 2)]).toEqual([95, 0]);
});
