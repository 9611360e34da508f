import { expect, test } from "bun:test";
import { MOST_ENDED, withAsks } from "./page/known-asks.ts";

type Ask = Parameters<typeof withAsks>[1][number];
const open = (id: string, version = 1): Ask => ({ id, version, outcome: undefined });
const ended = (id: string, version = 2): Ask => ({
  ...open(id, version),
  outcome: { type: "declined", actor: { type: "system" }, at: 0 } as unknown as NonNullable<Ask["outcome"]>,
});
const many = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`);

test("[FI4] a page that is open for long forgets what ended long ago, and nothing that is open or stays", () => {
  let asks: Map<string, Ask> = new Map();
  const ids = many(3 * MOST_ENDED);
  for (const id of ["first", ...ids]) asks = withAsks(asks, [open(id)]);
  expect(asks.size).toBe(ids.length + 1);
  for (const id of ids) asks = withAsks(asks, [ended(id)], (each) => each === "a3");
  expect([...asks.keys()].toSorted()).toEqual(["first", "a3", ...ids.slice(-MOST_ENDED)].toSorted());
});

test("[FI5] what is older than what is known changes nothing", () => {
  const asks = withAsks(new Map([["a", ended("a", 5)]]), [open("a", 4)]);
  expect(asks.get("a")?.version).toBe(5);
});
