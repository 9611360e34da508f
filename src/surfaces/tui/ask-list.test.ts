import { expect, test } from "bun:test";
import { answered, askOf, question } from "../../../test/sample.ts";
import type { AskView } from "../../protocol/view.ts";
import { createAskList, MOST_SETTLED } from "./ask-list.ts";

const view = (id: string, more: Partial<AskView> = {}): AskView => ({
  ...askOf(),
  id,
  agentTitle: "Claude Code",
  sentence: "",
  reachable: true,
  ...more,
});
const ids = (asks: readonly AskView[]) => asks.map(({ id }) => id).join("");

test("[IN12] longest waiting first; what was settled newest first", () => {
  const list = createAskList({ now: () => 100 });
  for (const ask of [
    view("b", { createdAt: 2 }),
    view("a", { createdAt: 9 }),
    view("c", { createdAt: 2 }),
    view("y", { state: "verified", settledAt: 5, outcome: answered({ picks: [0] }) }),
    view("z", { state: "closed", settledAt: 7, outcome: answered({ picks: [0] }) }),
  ])
    list.put(ask);
  expect([ids(list.waiting("")), ids(list.settled(""))]).toEqual(["bca", "zy"]);
});

test("[IN13] a snoozed one goes to the end and comes back by itself", () => {
  let now = 100;
  const list = createAskList({ now: () => now });
  list.put(view("a", { createdAt: 1, snoozedUntil: 200 }));
  list.put(view("b", { createdAt: 2 }));
  list.put(view("c", { createdAt: 3, snoozedUntil: 150 }));
  expect(ids(list.waiting(""))).toBe("bac");
  now = 150;
  expect(ids(list.waiting(""))).toBe("bca");
  now = 200;
  expect(ids(list.waiting(""))).toBe("abc");
});

test("[IN14] an older version never takes the place of a newer one", () => {
  const list = createAskList({ now: () => 0 });
  list.put(view("a", { version: 3, state: "settled", outcome: answered({ picks: [0] }) }));
  list.put(view("a", { version: 1 }));
  expect([ids(list.waiting("")), ids(list.settled(""))]).toEqual(["", "a"]);
});

test("[IN15] the filter wants every word, in project, branch, agent, kind, header or question", () => {
  const list = createAskList({ now: () => 0 });
  list.put(view("a", { origin: { agent: "x", project: "Shop", branch: "feature/pay" }, createdAt: 1 }));
  list.put(view("b", { kind: "plan", questions: [question("Delete backups?", ["Yes"])], createdAt: 2 }));
  const found = (filter: string) => ids(list.waiting(filter));
  expect(["", "SHOP pay", "shop plan", "plan", "DELETE choice", "claude", "zzz"].map(found)).toEqual([
    "ab",
    "a",
    "",
    "b",
    "b",
    "ab",
    "",
  ]);
});

test("[IN16] a list is the same array until something in it changes", () => {
  const list = createAskList({ now: () => 0 });
  list.put(view("a"));
  const before = list.waiting("");
  expect(list.waiting("")).toBe(before);
  list.put(view("b"));
  expect(list.waiting("")).not.toBe(before);
});

test("[IN120] an inbox that is open for long forgets what was settled long ago, and nothing that waits", () => {
  const list = createAskList({ now: () => 100 });
  const name = (i: number) => `a${i}`;
  for (let i = 0; i < 3 * MOST_SETTLED; i++) list.put(view(name(i), { createdAt: i }));
  expect(list.waiting("")).toHaveLength(3 * MOST_SETTLED);
  for (let i = 1; i < 3 * MOST_SETTLED; i++)
    list.put(view(name(i), { state: "verified", settledAt: i, outcome: answered({ picks: [0] }) }));
  expect(ids(list.waiting(""))).toBe("a0");
  const settled = list.settled("");
  expect(settled.length).toBeLessThan(MOST_SETTLED + 101);
  expect(settled.slice(0, MOST_SETTLED).map(({ id }) => id)).toEqual(
    Array.from({ length: MOST_SETTLED }, (_, i) => name(3 * MOST_SETTLED - 1 - i)),
  );
  list.remove(name(0));
  expect(list.waiting("")).toEqual([]);
});
