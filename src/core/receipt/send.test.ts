import { expect, test } from "bun:test";
import { answered, PERSON } from "../../../test/sample.ts";
import type { Actor, Outcome } from "../ask/outcome.ts";
import { answersToSend, decisionToSend, refusalToSend } from "./send.ts";

const actor = (type: Actor["type"], name?: string): Actor => ({ type, surface: "x", ...(name && { name }) });

test("[WD1] a person's answers go out as they are", () => {
  expect(answersToSend(answered({ picks: [0] }, { picks: [1], note: "n" }))).toEqual([
    { picks: [0] },
    { picks: [1], note: "n" },
  ]);
  expect(answersToSend({ type: "declined", actor: PERSON, at: 1 })).toEqual([]);
});

test.each([
  [actor("agent"), "answered by another agent, not by a person"],
  [actor("rule", "night"), "answered by a rule (night), not by a person"],
  [actor("brain"), "answered by a policy, not by a person"],
  [actor("system"), "answered by a policy, not by a person"],
])("[WD2] where no person answered, the first note says so: %j", (who, told) => {
  expect(answersToSend({ ...answered({ picks: [0] }, { picks: [1] }), actor: who })).toEqual([
    { picks: [0], note: told },
    { picks: [1] },
  ]);
  expect(answersToSend({ ...answered({ picks: [0], note: "why" }), actor: who })).toEqual([
    { picks: [0], note: `why — ${told}` },
  ]);
});

test.each([
  [{ type: "declined" }, "The user declined to answer this question."],
  [{ type: "declined", message: "later" }, "The user declined to answer this question: later"],
  [{ type: "chat", message: "why?" }, "The user wants to talk about this before answering: why?"],
  [{ type: "cancelled" }, "The user cancelled this question; stop here and wait for them."],
  [{ type: "expired" }, "Nobody answered this question in time."],
  [
    { type: "declined", actor: actor("rule", "night") },
    "The user declined to answer this question. (answered by a rule (night), not by a person)",
  ],
] as [Partial<Outcome>, string][])("[WD3] a refusal in words: %j", (outcome, words) => {
  expect(refusalToSend({ type: "declined", actor: PERSON, at: 1, ...outcome })).toBe(words);
});

const effects = ["allow", "allow", "deny", "cancel"] as const;
const options = effects.map((effect, i) => ({ label: `${i}`, description: "", recommended: false, effect }));
const asked = (kind: "approval" | "plan") => ({
  kind,
  questions: [{ text: "?", header: "", multiSelect: false, options }],
});
const stop = "The user cancelled this question; stop here and wait for them";

test.each([
  [answered({ picks: [1] }), { allow: true, pick: 1 }],
  [answered({ picks: [2] }), { allow: false, message: "The user does not allow this.", interrupt: false }],
  [answered({ picks: [], text: "t" }), { allow: false, message: "The user does not allow this: t", interrupt: false }],
  [answered({ picks: [3] }), { allow: false, message: `${stop}.`, interrupt: true }],
  [answered({ picks: [3], note: "n" }), { allow: false, message: `${stop}: n`, interrupt: false }],
  [
    { type: "expired", actor: PERSON, at: 1 },
    { allow: false, message: "The user does not allow this.", interrupt: false },
  ],
  [answered({ picks: [9] }), { allow: false, message: "The user does not allow this.", interrupt: false }],
] as [Outcome, object][])("[AP34] only an option that allows lets a call through: %j", (outcome, decision) => {
  expect(decisionToSend(asked("approval"), outcome)).toEqual(decision as never);
});

test("[AP35] a plan that is not accepted is to be revised", () => {
  const message = "The user wants the plan revised: smaller";
  const sent = decisionToSend(asked("plan"), answered({ picks: [2], note: "smaller" }));
  expect(sent).toEqual({ allow: false, message, interrupt: false });
});
