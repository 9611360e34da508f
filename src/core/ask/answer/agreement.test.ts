import { expect, test } from "bun:test";
import { answered, askOf, PERSON } from "../../../../test/sample.ts";
import { tallyOf } from "./agreement.ts";
import type { Ask } from "../ask.ts";
import type { Outcome } from "../outcome.ts";
import type { Proposal } from "../proposal.ts";

const by = { type: "rule" as const, surface: "autopilot", name: "r" };
const piloted = (proposal: Partial<Proposal>, outcome?: Outcome, state: "held" | "suggested" = "suggested"): Ask =>
  askOf({
    autopilot: { state, at: 1, why: "w", proposal: { action: "answer", by, reason: "", ...proposal } },
    ...(outcome && { outcome }),
  });
const results = (proposal: Partial<Proposal>, ...outcomes: Outcome[]) =>
  outcomes.map((outcome) => tallyOf(piloted(proposal, outcome))?.result);

test("[AU16] agreement looks at what was chosen, not at notes, case or the order of picks", () => {
  expect(
    results({ answers: [{ picks: [1, 0] }] }, answered({ picks: [0, 1], note: "n" }), answered({ picks: [1] })),
  ).toEqual(["agreed", "differed"]);
  expect(results({ answers: [{ picks: [], text: "My  own" }] }, answered({ picks: [], text: "my own " }))).toEqual([
    "agreed",
  ]);
  const chat: Outcome = { type: "chat", actor: PERSON, at: 1, message: "why?" };
  expect(results({ action: "chat", message: "what?" }, chat, answered({ picks: [0] }))).toEqual(["agreed", "differed"]);
});

test("[SF54] an answer that could not be read says nothing about agreement", () => {
  const unread = { ...answered({ picks: [], unread: "{}" }), type: "answered-elsewhere" as const };
  expect(results({ answers: [{ picks: [0] }] }, unread)).toEqual(["ended"]);
});

test("[AU17] what went out by itself, or went away, says nothing about agreement", () => {
  const proposal = { answers: [{ picks: [0] }] };
  const withdrawn: Outcome = { type: "withdrawn", actor: { type: "system", surface: "agent" }, at: 1 };
  expect(results(proposal, { ...answered({ picks: [0] }), actor: by }, withdrawn)).toEqual(["sent", "ended"]);
  expect(tallyOf(piloted(proposal))).toEqual({ decider: "rule r", result: "open", spent: false });
  expect(tallyOf(piloted(proposal, undefined, "held"))?.spent).toBe(true);
  expect(tallyOf(askOf())).toBeUndefined();
  const asking: Ask = askOf({ autopilot: { state: "asking", at: 1, why: "", brain: "b" } });
  expect(tallyOf(asking)).toEqual({ decider: "brain b", result: "open", spent: true });
});
