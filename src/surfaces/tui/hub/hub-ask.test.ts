import { expect, test } from "bun:test";
import { askOf, question } from "../../../../test/sample.ts";
import type { HubAskView } from "../../../protocol/hub/hub.ts";
import { createAskList } from "../ask-list.ts";
import { canTakeBack, hubNotes, listedFor, notHere, whoWasFirst } from "./hub-ask.ts";

const view = (id: string, more: Partial<HubAskView> = {}): HubAskView => ({
  ...askOf(),
  id,
  agentTitle: "Claude Code",
  sentence: "",
  reachable: true,
  machine: { id: "m1", name: "laptop", online: true },
  ...more,
});
const claimed = (id: string, member: string) => ({ claim: { id, member, at: 0, until: 1000 } });
const intent = (state: "sent" | "received" | "withdrawn", at = 5) => ({ intent: { state, member: "Ann", at } });
const ids = (asks: readonly { id: string }[]) => asks.map(({ id }) => id).join("");
const list = () => createAskList({ now: () => 100, ...listedFor("ann", () => 100) });

test("[HI8] what is asked of somebody stands first for them; an answer takes it off the list, one that came to nothing brings it back", () => {
  const asks = list();
  asks.put(view("a", { createdAt: 1 }));
  asks.put(view("b", { createdAt: 2 }));
  asks.put(view("c", { createdAt: 3, ...claimed("ann", "Ann") }));
  expect(ids(asks.waiting(""))).toBe("cab");
  asks.put(view("a", { createdAt: 1, ...intent("sent") }));
  expect([ids(asks.waiting("")), ids(asks.settled(""))]).toEqual(["cb", "a"]);
  asks.put(view("a", { createdAt: 1, ...intent("withdrawn") }));
  expect([ids(asks.waiting("")), ids(asks.settled(""))]).toEqual(["cab", ""]);
});

test("[HI8] the filter finds machine and person as they are now", () => {
  const asks = list();
  asks.put(view("a", { machine: { id: "m2", name: "Build Server", online: false } }));
  asks.put(view("b", claimed("bob", "Bob")));
  asks.put(view("c", claimed("ann", "Ann")));
  const found = (filter: string) => ids(asks.waiting(filter));
  expect(["machine:build", "for:bob", "bob", "for:me", "machine:laptop for:ann"].map(found)).toEqual([
    "a",
    "b",
    "b",
    "c",
    "c",
  ]);
  asks.put(view("b"));
  expect(found("bob")).toBe("");
});

test("[HI9] the reply to an answer that comes after the news of its receipt changes nothing; another answer does", () => {
  const asks = list();
  asks.put(view("a", intent("withdrawn")));
  asks.put(view("a", intent("sent")));
  expect(ids(asks.waiting(""))).toBe("a");
  asks.put(view("a", intent("sent", 6)));
  expect(ids(asks.waiting(""))).toBe("");
});

test("[HI10] what asks for a secret is not answered through a hub, and no name of a machine or member acts on the terminal", () => {
  const secret = { ...question("Key?", []), field: { name: "key", type: "text" as const, secret: true } };
  expect(notHere(view("a", { questions: [secret as HubAskView["questions"][number]] }))).toBe(
    "It asks for a secret, which a hub does not carry: answer it on its machine",
  );
  expect(notHere(view("a"))).toBeUndefined();
  const hostile = view("a", { looking: [{ id: "x", member: "\u001b[2JEve" }], ...claimed("x", "\u001b]0;Eve\u0007") });
  expect(hubNotes(hostile, "ann", 10).join(" ")).not.toMatch(/[\u001b\u0007]/);
});

test("[HI11] whoever is on a question is so until the time they were given is over", () => {
  const ask = view("a", claimed("ann", "Ann"));
  const seen = (now: number) => {
    const { order, more } = listedFor("ann", () => now);
    return [order(ask), more(ask), hubNotes(ask, "ann", now).join()];
  };
  expect(seen(100)).toEqual([0, "machine:laptop for:Ann for:me", expect.stringContaining("Ann is on it")]);
  expect(seen(1000)).toEqual([1, "machine:laptop", ""]);
});

test("[HI12] first was whoever decided it: nobody whose answer came to nothing", () => {
  const said = { settlement: { action: "answer" as const, answers: [{ picks: [0] }] } };
  const outcome = {
    type: "answered" as const,
    answers: [{ picks: [1] }],
    actor: { type: "person" as const, surface: "cli" },
    at: 7,
  };
  const over = (state: "sent" | "withdrawn" | "overtaken", more = {}) =>
    view("a", { intent: { state, member: "Ann", at: 5, ...said }, ...more });
  expect(whoWasFirst(over("sent"), 10)).toContain("Ann was first");
  for (const state of ["withdrawn", "overtaken"] as const)
    expect(whoWasFirst(over(state, { state: "closed", outcome, settledAt: 7 }), 10)).not.toContain("Ann");
});

test("[HI13] only one's own answer on its way, or one's own choice of two, is taken back", () => {
  const [ann, bob] = [
    { id: "ann", name: "Ann" },
    { id: "bob", name: "Bob" },
  ];
  const may = (ask: HubAskView) => [ann, bob, undefined].map((me) => canTakeBack(ask, me));
  expect(may(view("a", intent("sent")))).toEqual([true, false, false]);
  expect(may(view("a", intent("received")))).toEqual([false, false, false]);
  // Of two who agreed it is each one's.
  const both = { state: "sent" as const, member: "Bob", with: ["Ann"], at: 5 };
  expect(may(view("a", { intent: both }))).toEqual([true, true, false]);
  expect(canTakeBack(undefined, ann)).toBe(false);
});

test("[HI18] a claim that ran out counts no more, though nobody changed anything", () => {
  let now = 100;
  const asks = createAskList({ now: () => now, ...listedFor("ann", () => now) });
  asks.put(view("a", { createdAt: 1 }));
  asks.put(view("c", { createdAt: 3, ...claimed("ann", "Ann") }));
  expect([ids(asks.waiting("")), ids(asks.waiting("for:me"))]).toEqual(["ca", "c"]);
  now = 1000;
  expect([ids(asks.waiting("")), ids(asks.waiting("for:me"))]).toEqual(["ac", ""]);
});
