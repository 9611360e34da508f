import { expect, test } from "bun:test";
import { answered, askOf } from "../../test/sample.ts";
import type { Ask } from "../core/ask/ask.ts";
import { digestOf, savedBy } from "./digest.ts";

const HOUR = 3_600_000;
const RULE = { type: "rule" as const, surface: "autopilot", name: "go-on" };
const at = (hour: number, session: string, more: Partial<Ask> = {}): Ask =>
  askOf({
    id: `${session}${hour}`,
    createdAt: hour * HOUR,
    origin: { agent: "script", session, project: "shop" },
    outcome: { ...answered({ picks: [0] }), actor: RULE, at: hour * HOUR },
    autopilot: { state: "held", at: 0, why: "" },
    ...more,
  });

test("[TU17] an agent waits once until its person is back, and each agent for itself", () => {
  expect(savedBy([at(1, "a"), at(2, "a"), at(3, "b")], [8 * HOUR], 20 * HOUR)).toBe(7 * HOUR + 5 * HOUR);
  // Somebody came by at five: what was answered later is another wait.
  expect(savedBy([at(1, "a"), at(6, "a")], [5 * HOUR], 8 * HOUR)).toBe(4 * HOUR + 2 * HOUR);
  expect(savedBy([at(1, "a", { outcome: answered({ picks: [0] }) })], [], 8 * HOUR)).toBe(0);
});

test("[TU18] each question stands once, by project, and what the autopilot had no part in nowhere", () => {
  const { outcome: _none, ...open } = at(1, "o");
  const proposal = { action: "answer" as const, answers: [{ picks: [0] }], by: RULE, reason: "" };
  const asks = [
    at(1, "sent"),
    at(1, "wrong", { state: "mismatched" }),
    { ...open, id: "shown", autopilot: { state: "suggested" as const, at: 0, why: "", proposal } },
    { ...open, id: "left", autopilot: { state: "human" as const, at: 0, why: "" } },
    { ...open, id: "undone", autopilot: { state: "undone" as const, at: 0, why: "", takenBack: true } },
    at(1, "else", { origin: { agent: "script", project: "blog" }, outcome: answered({ picks: [0] }) }),
  ];
  const [shop, ...others] = digestOf(asks, [], 2 * HOUR);
  expect(others).toEqual([]);
  const ids = (list: Ask[] = []) => list.map(({ id }) => id);
  expect({
    answered: ids(shop?.answered),
    suggested: ids(shop?.suggested),
    left: ids(shop?.left),
    mismatched: ids(shop?.mismatched),
    undone: ids(shop?.undone),
  }).toEqual({
    answered: ["sent1"],
    suggested: ["shown"],
    left: ["left"],
    mismatched: ["wrong1"],
    undone: ["undone"],
  });
});
