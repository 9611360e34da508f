import { expect, test } from "bun:test";
import type { HookReply } from "../protocol/hook.ts";
import { createHolds, type Hold } from "./holds.ts";

test("[PF4] the holds of an Ask are those that wait for it, also after some were replaced or let go", () => {
  const holds = createHolds();
  const replies: [string, HookReply][] = [];
  const add = (call: string, ask: string): Hold => {
    const reply = (said: HookReply) => void replies.push([call, said]);
    const hold = { call, ask, key: "k", channel: "race", payload: "{}", version: undefined, reply };
    holds.add(hold);
    return hold;
  };
  const [first, twin, other] = [add("c1", "a"), add("c2", "a"), add("c3", "b")];
  expect(holds.of("a")).toEqual([first, twin]);
  expect(holds.of("b")).toEqual([other]);
  expect(holds.of("c")).toEqual([]);

  // A hook that came back takes the place of its earlier self, also when its question is another Ask by now.
  const again = add("c1", "b");
  expect(replies).toEqual([["c1", { handed: [] }]]);
  expect([holds.of("a"), holds.of("b"), holds.size]).toEqual([[twin], [other, again], 3]);

  holds.remove(first);
  expect(holds.get("c1")).toBe(again);
  holds.remove(twin);
  expect([holds.of("a"), holds.size]).toEqual([[], 2]);
  holds.drain();
  expect([holds.of("b"), holds.size]).toEqual([[], 0]);
  expect(replies.slice(1).map(([call, { again: isAgain }]) => [call, isAgain])).toEqual([
    ["c1", true],
    ["c3", true],
  ]);
});
