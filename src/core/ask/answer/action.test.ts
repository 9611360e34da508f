import { expect, test } from "bun:test";
import { readActions } from "./action.ts";
import { ParleyError } from "../../error.ts";
import type { Question } from "../question.ts";

const options = ["camelCase", "snake_case", "kebab-case"].map((label) => ({
  label,
  description: "",
  recommended: false,
}));
const one: Question = { text: "Which case?", header: "Case", multiSelect: false, options };
const many: Question = { ...one, multiSelect: true };

const problems = (questions: Question[], given: unknown) => {
  try {
    readActions(questions, given);
    return [];
  } catch (error) {
    return error instanceof ParleyError ? error.problems.map(({ message }) => message) : [String(error)];
  }
};

test("[AC1] one action for each question becomes its answer, counted from 0", () => {
  const actions = [
    { action: "select", optionIndex: 1, label: "snake_case" },
    { action: "multi-select", selectedIndices: [0, 2], text: "and mine" },
    { action: "type", text: "something else" },
  ];
  expect(readActions([one, many, one], actions)).toEqual({
    action: "answer",
    answers: [{ picks: [1] }, { picks: [0, 2], text: "and mine" }, { picks: [], text: "something else" }],
  });
});

test("[AC2] a chat about one question is about the whole dialog", () => {
  expect(readActions([one, many], [{ action: "chat", text: "Neither fits." }])).toEqual({
    action: "chat",
    message: "Neither fits.",
  });
});

test("[AC3] what does not fit its question is refused, with every problem named", () => {
  expect(problems([one], [{ action: "select", optionIndex: 3 }])).toEqual(["There is no option 3"]);
  expect(problems([one], [{ action: "select", optionIndex: 1, label: "camelCase" }])).toEqual([
    'Option 1 is "snake_case"',
  ]);
  expect(
    problems(
      [one, many],
      [
        { action: "multi-select", selectedIndices: [0] },
        { action: "select", optionIndex: 0 },
      ],
    ),
  ).toEqual(["This question takes one option: use select", "This question takes several options: use multi-select"]);
  expect(problems([one, one], [{ action: "type", text: "x" }])).toEqual(["There must be one action for each question"]);
  expect(problems([one], [{ action: "type", text: " " }])).toHaveLength(1);
  expect(problems([one], [{ action: "press", key: "Enter" }])).toHaveLength(1);
  expect(problems([one], "select 1")).toHaveLength(1);
});
