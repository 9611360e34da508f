import { expect, test } from "bun:test";
import { database, features } from "../../../test/sample.ts";
import { describeAnswer, describeAnswers, pickedLabels } from "../words/outcome/describe-answer.ts";
import { ID_LENGTH, makeId, shortId } from "../id.ts";
import { headerOf } from "./header.ts";
import { isRecommended, Question } from "./question.ts";
import { canonicalQuestions } from "./canonical.ts";

test("[Q1] recommended is said by a flag or at the end of the label, never by the position", () => {
  expect(isRecommended("SQLite (Recommended)")).toBe(true);
  expect(isRecommended("SQLite (recommended)  ")).toBe(true);
  expect(isRecommended("SQLite", true)).toBe(true);
  expect(isRecommended("SQLite")).toBe(false);
  expect(isRecommended("(Recommended) SQLite")).toBe(false);
  expect(isRecommended("Recommended")).toBe(false);
  for (const flag of [false, "true", 1, null]) expect(isRecommended("SQLite", flag)).toBe(false);
});

test("[Q2] the same question is the same whatever the order of its fields and whatever else it carries", () => {
  const { text, header, multiSelect, options } = database;
  const other = Question.parse({
    options: options.map(({ label, description }) => ({
      description,
      label,
      recommended: true,
      preview: "p",
      extra: 1,
    })),
    multiSelect,
    header,
    text,
    answers: {},
  });
  expect(canonicalQuestions([other])).toBe(canonicalQuestions([database]));
});

test("[Q2] what a person would read makes a difference", () => {
  const [first, ...rest] = database.options;
  const changes: Partial<Question>[] = [
    { text: "Which one?" },
    { header: "DB" },
    { multiSelect: true },
    { options: [...rest, first!] },
    { options: [{ ...first!, label: "x" }, ...rest] },
    { options: [{ ...first!, description: "x" }, ...rest] },
  ];
  for (const change of changes)
    expect(canonicalQuestions([{ ...database, ...change }])).not.toBe(canonicalQuestions([database]));
  expect(canonicalQuestions([database, features])).not.toBe(canonicalQuestions([features, database]));
});

test("[Q3] a question without a header is called Question", () => {
  expect(headerOf({ ...database, header: "" })).toBe("Question");
  expect(headerOf({ ...database, header: " \t" })).toBe("Question");
  expect(headerOf(database)).toBe("Choice");
});

test("[Q4] what is missing in a stored question has a default, what is unknown is kept", () => {
  expect(Question.parse({ text: "Which?", options: [{ label: "A", colour: "red" }], extra: 1 })).toEqual({
    text: "Which?",
    header: "",
    multiSelect: false,
    options: [{ label: "A", description: "", recommended: false, colour: "red" }],
    extra: 1,
  });
});

test("[Q5] an answer is told as labels, own words and note; a pick that is no option is left out", () => {
  const answer = { picks: [1, 7, 2], text: "mine", note: "soon" };
  expect(pickedLabels(features, answer)).toEqual(["A, B", "Export"]);
  expect(describeAnswer(features, answer)).toBe("A, B, Export, mine (note: soon)");
  expect(describeAnswer(features, { picks: [], text: "" })).toBe("");
  expect(describeAnswers([database, features], [{ picks: [1] }])).toBe("Postgres; ");
});

test("[Q6] an id has twelve characters that can be read aloud, made of the given bytes alone", () => {
  const id = makeId(Uint8Array.from({ length: 16 }, (_, i) => i * 17));
  expect(id).toMatch(/^[2-9a-hjkmnp-z]{12}$/);
  expect(id).toHaveLength(ID_LENGTH);
  expect(makeId(Uint8Array.from({ length: 16 }, (_, i) => i * 17))).toBe(id);
  expect(makeId(new Uint8Array(16))).toBe("222222222222");
  expect(shortId(id)).toBe(id.slice(0, 6));
});
