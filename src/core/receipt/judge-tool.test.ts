import { expect, test } from "bun:test";
import { answered, askOf, delivery, PERSON } from "../../../test/sample.ts";
import type { Ask } from "../ask/ask.ts";
import { judgeTool } from "./judge-tool.ts";
import type { Outcome } from "../ask/outcome.ts";
import type { Received } from "./received.ts";

const option = (label: string, effect: "allow" | "deny" | "cancel") => ({
  label,
  description: "",
  recommended: false,
  effect,
});
const options = [option("Approve", "allow"), option("Deny", "deny"), option("Deny and stop", "cancel")];
const approval = (outcome?: Outcome): Ask =>
  askOf({
    kind: "approval",
    questions: [{ text: "Allow?", header: "Bash", multiSelect: false, options }],
    ...(outcome && { outcome, state: "delivered" as const }),
  });
const judged = (outcome: Outcome | undefined, received: Received) =>
  judgeTool(approval(outcome), delivery({ state: outcome ? "sent" : "waiting" }), received, 5000);
const ran = (more: Partial<Received & { type: "ran" }> = {}): Received => ({
  type: "ran",
  text: "ok",
  isError: false,
  ...more,
});
const escaped: Received = { type: "refused", by: "escape", text: "rejected" };
const refusal = "The user does not allow this: no";

test.each([
  [answered({ picks: [0] }), ran()],
  [answered({ picks: [0] }), ran({ decidedBy: "hook" })],
  [answered({ picks: [0] }), ran({ isError: true, text: "exit code 1" })],
  [answered({ picks: [1], note: "no" }), ran({ isError: true, text: refusal, decidedBy: "hook" })],
  [answered({ picks: [1], note: "no" }), { type: "denied" as const, text: refusal }],
  [answered({ picks: [2] }), escaped],
])("[AP30] %j is proven by %j", (outcome, received) => {
  expect(judged(outcome, received)).toMatchObject({ type: "ask.verified", key: "toolu_1", detail: received.text });
});

test.each([
  [answered({ picks: [0] }), escaped, "declined"],
  [answered({ picks: [0] }), ran({ decidedBy: "person" }), "answered-elsewhere"],
  [answered({ picks: [0] }), ran({ isError: true, decidedBy: "hook", text: "blocked" }), "declined"],
  [answered({ picks: [1], note: "no" }), ran(), "answered-elsewhere"],
  [answered({ picks: [1], note: "no" }), ran({ isError: true, text: "another refusal" }), "answered-elsewhere"],
])("[AP31] %j was overtaken when the record says %j", (outcome, received, reason) => {
  expect(judged(outcome, received)).toMatchObject({
    type: "ask.ended",
    outcome: { type: "overtaken", reason, lost: outcome },
  });
});

test("[AP32] an open one ends as the record says: allowed, refused, denied by another hook, or gone", () => {
  const ended = (received: Received) => (judged(undefined, received) as { outcome: Outcome } | undefined)?.outcome;
  const terminal = { ...PERSON, surface: "terminal" };
  expect(ended(ran())).toMatchObject({ type: "answered-elsewhere", actor: terminal, answers: [{ picks: [0] }] });
  expect(ended(escaped)).toMatchObject({ type: "declined", actor: terminal });
  expect(ended(ran({ isError: true, decidedBy: "hook" }))).toMatchObject({ type: "declined", actor: { type: "rule" } });
  expect(ended({ type: "denied", text: "no" })).toMatchObject({ type: "declined", actor: terminal, reason: "no" });
  expect(ended({ type: "interrupted", text: "" })).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
});

test("[AP33] what the record does not say is not concluded; an answer kept for later is still owed", () => {
  for (const type of ["timed-out", "lost"] as const) expect(judged(undefined, { type, text: "" })).toBeUndefined();
  expect(judged(answered({ picks: [0] }), { type: "interrupted", text: "" })).toBeUndefined();
});

test("[WS6] a note with an accepted plan is proven by the record that holds it, and by nothing else", () => {
  const plan = { ...option("Accept", "allow"), takesNote: true };
  const outcome = answered({ picks: [0], note: "keep it small" });
  const questions = [{ text: "Accept?", header: "Plan", multiSelect: false, options: [plan] }];
  const ask = askOf({ kind: "plan", questions, outcome, state: "delivered" });
  const judgedPlan = (text: string) => judgeTool(ask, delivery({ state: "sent" }), ran({ text }), 5000);
  expect(judgedPlan("Approved plan: keep it small")).toMatchObject({ type: "ask.verified" });
  expect(judgedPlan("")).toBeUndefined();
  expect(judgedPlan("Approved plan")).toMatchObject({
    type: "ask.mismatched",
    detail: 'sent note "keep it small", received no note',
  });
});
