import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { checkAnswers } from "./check-answer.ts";
import type { Question } from "../question.ts";

const ask = (labels: string, multiSelect: boolean): Question => ({
  text: "Which?",
  header: "Which",
  multiSelect,
  options: labels.split("").map((label) => ({ label, description: "", recommended: false })),
});
const single = ask("ABC", false);
const multi = ask("ABC", true);
const open = ask("", false);

function problemsOf(questions: Question[], answers: unknown) {
  const result = checkAnswers(questions, answers);
  return result.ok ? [] : result.problems;
}

test("[C1] answers that fit the questions pass", () => {
  const answers = [{ picks: [1] }, { picks: [0, 2], text: "mine", note: "soon" }, { picks: [], text: "free" }];
  expect(checkAnswers([single, multi, open], answers)).toEqual({ ok: true, answers });
});

test("[C2] picks are sorted, text is trimmed, an empty note and unknown fields are dropped", () => {
  const given = [{ picks: [2, 0], text: " mine\n", note: "  ", actor: "x" }, { text: "a\ud800" }];
  expect(checkAnswers([multi, open], given)).toEqual({
    ok: true,
    answers: [
      { picks: [0, 2], text: "mine" },
      { picks: [], text: "a\ufffd" },
    ],
  });
});

describe("problems", () => {
  const long = "x".repeat(10_001);
  test.each([
    ["[C3]", "no list", single, {}, "answers", "Answers must be a list", "list", "object"],
    ["[C3]", "too few", single, [], "answers", "Expected 1 answers, received 0", "1", "0"],
    ["[C3]", "no object", single, ["A"], "answers[0]", "Answer must be an object", "object", "string"],
    ["[C4]", "unknown", single, [{ picks: [3] }], "answers[0].picks", "Unknown option: 3", "0-2", "3"],
    ["[C4]", "fraction", single, [{ picks: [0.5] }], "answers[0].picks", "Unknown option: 0.5", "0-2", "0.5"],
    ["[C4]", "label", single, [{ picks: ["A"] }], "answers[0].picks", "Unknown option: string", "0-2", "string"],
    [
      "[C4]",
      "no options",
      open,
      [{ picks: [0], text: "x" }],
      "answers[0].picks",
      "Unknown option: 0",
      "no options",
      "0",
    ],
    [
      "[C4]",
      "no list",
      single,
      [{ picks: 1 }],
      "answers[0].picks",
      "Picks must be a list of option numbers",
      "list",
      "number",
    ],
    ["[C5]", "twice", multi, [{ picks: [1, 1] }], "answers[0].picks", "Duplicate pick: 1", "unique", "1"],
    ["[C6]", "two picks", single, [{ picks: [0, 1] }], "answers[0].picks", "Select only one option", "1", "2"],
    [
      "[C6]",
      "both",
      single,
      [{ picks: [0], text: "x" }],
      "answers[0].text",
      "Select an option or enter text, not both",
      "pick or text",
      "pick and text",
    ],
    ["[C7]", "nothing", single, [{ picks: [] }], "answers[0].picks", "Select at least one option", "at least 1", "0"],
    ["[C7]", "note only", multi, [{ note: "x" }], "answers[0].picks", "Select at least one option", "at least 1", "0"],
    [
      "[C8]",
      "blank text",
      single,
      [{ text: " " }],
      "answers[0].text",
      "Other selected but no text entered",
      "text",
      "empty",
    ],
    [
      "[C8]",
      "pick and blank",
      multi,
      [{ picks: [0], text: "" }],
      "answers[0].text",
      "Other selected but no text entered",
      "text",
      "empty",
    ],
    ["[C9]", "no options, no text", open, [{}], "answers[0].text", "No text entered", "text", "empty"],
    [
      "[C10]",
      "long text",
      multi,
      [{ text: long }],
      "answers[0].text",
      "Text must be at most 10000 characters",
      "10000 characters",
      "10001 characters",
    ],
    [
      "[C10]",
      "long note",
      multi,
      [{ picks: [0], note: long }],
      "answers[0].note",
      "Note must be at most 10000 characters",
      "10000 characters",
      "10001 characters",
    ],
    ["[C10]", "NUL", multi, [{ text: "a\0b" }], "answers[0].text", "Text must not contain NUL", "no NUL", "NUL at 1"],
    ["[C10]", "no string", multi, [{ text: 1 }], "answers[0].text", "Text must be a string", "string", "number"],
  ] as const)(
    "%s a problem names field, message, limit and actual: %s",
    (_rule, _case, question, answers, field, message, limit, actual) => {
      expect(problemsOf([question], answers)).toEqual([{ field, message, limit, actual }]);
    },
  );

  test("[C10] length is counted in characters, not in units", () => {
    expect(problemsOf([open], [{ text: "😀".repeat(10_000) }])).toEqual([]);
  });

  test("[C11] all problems come at once", () => {
    const answers = [{ picks: [7, 7], note: 1 }, {}, { picks: [0] }, { picks: [0] }];
    expect(problemsOf([single, multi, single], answers).map(({ field, message }) => `${field}: ${message}`)).toEqual([
      "answers: Expected 3 answers, received 4",
      "answers[0].picks: Unknown option: 7",
      "answers[0].picks: Duplicate pick: 7",
      "answers[0].note: Note must be a string",
      "answers[1].picks: Select at least one option",
    ]);
  });
});

test("[C12] what passed passes again unchanged", () => {
  const answer = fc.record(
    { picks: fc.array(fc.nat({ max: 3 }), { maxLength: 3 }), text: fc.string({ unit: "binary" }), note: fc.string() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.constantFrom(single, multi, open), answer, (question, given) => {
      const first = checkAnswers([question], [given]);
      if (first.ok) expect(checkAnswers([question], first.answers)).toEqual(first);
    }),
  );
});
