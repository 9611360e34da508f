import { expect, test } from "bun:test";
import type { Ask } from "../ask.ts";
import { repeatDecision } from "./repeat-decision.ts";

const option = (label: string, effect: "allow" | "deny" | "cancel") => ({
  label,
  description: "",
  recommended: false,
  effect,
});
const question = (...options: ReturnType<typeof option>[]) => ({ text: "?", header: "", multiSelect: false, options });
const asked = question(option("Approve", "allow"), option("Always", "allow"), option("Deny", "deny"));
const before = (pick: number): Ask => ({
  id: "abc",
  version: 1,
  kind: "approval",
  state: "delivered",
  questions: [asked],
  origin: { agent: "a" },
  deliveries: [],
  outcome: { type: "answered", actor: { type: "person", surface: "web" }, at: 1, answers: [{ picks: [pick] }] },
  createdAt: 0,
  updatedAt: 0,
});

test("[TK9] an allowed call made again is allowed by the same person, with what they picked if it is still offered", () => {
  expect(repeatDecision(before(1), [asked], 9)).toMatchObject({
    type: "answered",
    actor: { type: "person", surface: "web" },
    at: 9,
    answers: [{ picks: [1] }],
    reason: "allowed before (abc)",
  });
  const fewer = [question(option("Approve", "allow"), option("Deny", "deny"))];
  expect(repeatDecision(before(1), fewer, 9)?.answers).toEqual([{ picks: [0] }]);
  expect(repeatDecision(before(0), [question(option("Deny", "deny"))], 9)).toBeUndefined();
});

test("[EF10] what is allowed again is the same thing, whatever it is called by now", () => {
  const named = (label: string, target: string) => ({ ...option(label, "allow"), target });
  const earlier = { ...before(1), questions: [question(named("Approve", "once"), named("Always", "rule 1"))] };
  const now = [question(named("Always", "once"), named("Other rule", "rule 2"), named("From now on", "rule 1"))];
  expect(repeatDecision(earlier, now, 9)?.answers).toEqual([{ picks: [2] }]);
  expect(repeatDecision(earlier, [question(...now[0]!.options.slice(0, 2))], 9)?.answers).toEqual([{ picks: [0] }]);
});
