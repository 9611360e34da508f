import { describe, expect, test } from "bun:test";
import { question } from "../../../../test/sample.ts";
import { parseAnswer, type Words } from "./parse-answer.ts";

const approach = question("Which approach?", ["Option A", "Option B (Recommended)", "7"]);
const features = question("Which features?", ["Auth", "Yes, all", "Export"], true);
const name = question("What name?", []);

const parse = (questions: Parameters<typeof parseAnswer>[0], words: Partial<Words>) =>
  parseAnswer(questions, { choices: [], messages: [], texts: [], ...words });
const answersOf = (questions: Parameters<typeof parseAnswer>[0], words: Partial<Words>) => {
  const { answers, problems } = parse(questions, words);
  expect(problems).toEqual([]);
  return answers;
};

describe("choices", () => {
  test.each([
    [["1"], [0]],
    [["2"], [1]],
    [["Option A"], [0]],
    [["Option", "A"], [0]],
    [["option b"], [1]],
    [["Option B (Recommended)"], [1]],
  ])("[W1] one question takes a number, a label or the words of a label: %j", (choices, picks) => {
    expect(answersOf([approach], { choices })).toEqual([{ picks }]);
  });

  test("[W2] a label that is a number goes before the number of an option", () => {
    expect(answersOf([question("How many?", ["2", "1"])], { choices: ["1"] })).toEqual([{ picks: [1] }]);
    expect(answersOf([approach], { choices: ["7"] })).toEqual([{ picks: [2] }]);
  });

  test.each([
    [["1,3"]],
    [["3 , 1"]],
    [["3, 1", "1"]],
    [["1,", "3"]],
    [["1", "3"]],
    [["Auth, Export"]],
    [["Export,", "Auth"]],
  ])("[W3] several options come as numbers or labels: %j", (choices) => {
    expect(answersOf([features], { choices })[0]?.picks.toSorted()).toEqual([0, 2]);
  });

  test("[W4] a label with a comma survives", () => {
    expect(answersOf([features], { choices: ["Auth, Yes, all"] })).toEqual([{ picks: [0, 1] }]);
  });

  test("[W5] words go to the questions in their order, `qN=` names one", () => {
    const both = [approach, features];
    expect(answersOf(both, { choices: ["2", "1,3"] })).toEqual([{ picks: [1] }, { picks: [0, 2] }]);
    expect(answersOf(both, { choices: ["q2=Export", "Option A"] })).toEqual([{ picks: [0] }, { picks: [2] }]);
    expect(answersOf(both, { choices: ["Q2=1"] })).toEqual([{ picks: [] }, { picks: [0] }]);
  });

  test("[W6] a question without options takes the words themselves", () => {
    expect(answersOf([name], { choices: ["my", "name"] })).toEqual([{ picks: [], text: "my name" }]);
    expect(answersOf([approach, name], { choices: ["1", "42"] })).toEqual([{ picks: [0] }, { picks: [], text: "42" }]);
  });
});

describe("messages", () => {
  test("[W7] a message beside a choice is its note, alone it is the answer", () => {
    expect(answersOf([approach], { choices: ["2"], messages: ["but small"] })).toEqual([
      { picks: [1], note: "but small" },
    ]);
    expect(answersOf([approach], { messages: ["neither"] })).toEqual([{ picks: [], text: "neither" }]);
    expect(answersOf([approach], { texts: ["mine"], messages: ["because"] })).toEqual([
      { picks: [], text: "mine", note: "because" },
    ]);
  });

  test("[W8] the number after the last option is Other: its words are the answer", () => {
    expect(answersOf([approach], { choices: ["4"], messages: ["mine"] })).toEqual([{ picks: [], text: "mine" }]);
    expect(answersOf([features], { choices: ["1,4"], messages: ["mine"] })).toEqual([{ picks: [0], text: "mine" }]);
    expect(answersOf([features], { choices: ["1,4"], texts: ["mine"], messages: ["note"] })).toEqual([
      { picks: [0], text: "mine", note: "note" },
    ]);
  });

  test("[W9] `qN=` sends a message or text to a later question; several to one are lines of one", () => {
    expect(answersOf([approach, features], { choices: ["1", "2"], messages: ["q2=why\nnot", "first"] })).toEqual([
      { picks: [0], note: "first" },
      { picks: [1], note: "why\nnot" },
    ]);
    expect(answersOf([approach, features], { choices: ["1"], texts: ["q2=a", "q2=b"] })).toEqual([
      { picks: [0] },
      { picks: [], text: "a\nb" },
    ]);
    expect(answersOf([approach], { messages: ["a", "b"] })).toEqual([{ picks: [], text: "a\nb" }]);
  });
});

describe("problems", () => {
  test.each([
    [{ choices: ["9"] }, { field: "q1", message: "There is no option 9", limit: "1-3", actual: "9" }],
    [{ choices: ["0"] }, { field: "q1", message: "There is no option 0", limit: "1-3", actual: "0" }],
    [
      { choices: ["Option C"] },
      {
        field: "q1",
        message:
          'No option is called "Option C"; own words go with -m. Options: "Option A", "Option B (Recommended)", "7"',
        limit: "an option's number or label",
        actual: "Option C",
      },
    ],
    [
      { choices: ["4"] },
      { field: "q1", message: "Other selected but no text entered", limit: "text with -m", actual: "none" },
    ],
    [{ choices: ["q2=1"] }, { field: "q2", message: "There is no question 2", limit: "1-1", actual: "2" }],
    [{ messages: ["q0=x"] }, { field: "q0", message: "There is no question 0", limit: "1-1", actual: "0" }],
  ])("[W10] is told with field, limit and actual: %j", (words, problem) => {
    expect(parse([approach], words).problems).toEqual([problem]);
  });

  test("[W11] two answers to one question are not silently one", () => {
    expect(parse([approach, features], { choices: ["1", "q1=2"] }).problems).toEqual([
      { field: "q1", message: "Question 1 is answered 2 times: 1 and 2", limit: "1", actual: "2" },
    ]);
  });

  test("[W12] more words than questions are told, every one", () => {
    const { problems } = parse([approach, features], { choices: ["1", "2", "3", "4"] });
    expect(problems.map(({ message }) => message)).toEqual(["There is no question 3", "There is no question 4"]);
  });
});
