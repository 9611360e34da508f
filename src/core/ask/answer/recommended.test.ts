import { expect, test } from "bun:test";
import { askOf, question } from "../../../../test/sample.ts";
import { recommendedAnswers } from "./recommended.ts";

const single = question("Which?", ["SQLite (Recommended)", "Postgres"]);
const flagged = (multiSelect: boolean, ...recommended: number[]) => ({
  ...question("Which?", ["A", "B", "C"], multiSelect),
  options: ["A", "B", "C"].map((label, i) => ({ label, description: "", recommended: recommended.includes(i) })),
});

test("[IN3] what is recommended by a flag or in the label is the answer, one for each question", () => {
  expect(recommendedAnswers(askOf({ questions: [single, flagged(true, 0, 2), flagged(false, 1)] }))).toEqual({
    answers: [{ picks: [0] }, { picks: [0, 2] }, { picks: [1] }],
  });
});

test("[IN4] without one recommended option for every question there is no such answer", () => {
  expect(recommendedAnswers(askOf({ questions: [single, flagged(false)] }))).toEqual({
    reason: "no recommended option",
  });
  expect(recommendedAnswers(askOf({ questions: [flagged(false, 0, 1)] }))).toEqual({
    reason: "several recommended options",
  });
  expect(recommendedAnswers(askOf({ questions: [] }))).toEqual({ reason: "no question" });
});

test("[IN5] an approval, a plan or a notice is never answered by its recommendation", () => {
  for (const kind of ["approval", "plan", "idle", "error", "dead", "gate", "elicitation"] as const)
    expect(recommendedAnswers(askOf({ kind, questions: [single] }))).toEqual({
      reason: `${kind}: not answered this way`,
    });
});
