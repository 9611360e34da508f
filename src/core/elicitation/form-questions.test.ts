import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { z } from "zod";
import type { Answer } from "../ask/answer/answer.ts";
import { checkAnswers } from "../ask/answer/check-answer.ts";
import type { Outcome } from "../ask/outcome.ts";
import { describeAnswers } from "../words/outcome/describe-answer.ts";
import { fieldWords } from "../words/field-words.ts";
import { draftOf, openForm, updateForm } from "../form/form.ts";
import { answersIn, elicitationResult } from "./elicitation-result.ts";
import { addressQuestions, formQuestions } from "./form-questions.ts";

const asked = (properties: Record<string, unknown>, required: string[] = []) =>
  formQuestions({ server: "lab", message: "Tell me", schema: { type: "object", properties, required } });
const questionsOf = (properties: Record<string, unknown>, required?: string[]) =>
  asked(properties, required)?.questions ?? [];
const answered = (answers: Answer[]): Outcome => ({
  type: "answered",
  actor: { type: "person", surface: "cli" },
  at: 1,
  answers,
});
const problems = (definition: object, answer: Partial<Answer>, required = ["x"]) => {
  const checked = checkAnswers(questionsOf({ x: definition }, required), [{ picks: [], ...answer }]);
  return checked.ok ? [] : checked.problems.map(({ message }) => message);
};

describe("the fields of a form", () => {
  test("[EL1] each kind of field becomes a question, with what it offers, bounds and defaults", () => {
    const form = asked(
      {
        name: { type: "string", title: "Name", description: "What is it called?", minLength: 2, default: "abc" },
        size: { type: "integer", minimum: 1, maximum: 5, default: 2 },
        go: { type: "boolean", default: false },
        db: { type: "string", enum: ["pg", "lite"], enumNames: ["Postgres", "SQLite"] },
        more: { type: "array", items: { anyOf: [{ const: "a", title: "Auth" }] }, minItems: 1, default: ["a"] },
      },
      ["name", "db"],
    );
    expect(form?.questions.map(({ text, header, multiSelect }) => [text, header, multiSelect])).toEqual([
      ["lab asks: Tell me\n\nWhat is it called?", "Name", false],
      ["size", "size", false],
      ["go", "go", false],
      ["db", "db", false],
      ["more", "more", true],
    ]);
    expect(form?.questions.map(({ options }) => options.map(({ label }) => label))).toEqual([
      [],
      [],
      ["Yes", "No", "Leave it empty"],
      ["Postgres", "SQLite"],
      ["Auth"],
    ]);
    expect(form?.prefill).toEqual([
      { picks: [], text: "abc" },
      { picks: [], text: "2" },
      { picks: [1] },
      { picks: [] },
      { picks: [0] },
    ]);
    expect(form?.questions.map(({ field }) => field && fieldWords(field))).toEqual([
      "at least 2 characters",
      "a whole number, 1 to 5 · optional",
      "optional",
      "",
      "at least 1 of them · optional",
    ]);
  });

  test.each([
    ["a pattern", { x: { type: "string", pattern: "^a" } }],
    ["a multiple", { x: { type: "number", multipleOf: 2 } }],
    ["a nested object", { x: { type: "object", properties: {} } }],
    ["a list of texts", { x: { type: "array", items: { type: "string" } } }],
    ["a choice by conditions", { x: { type: "string", oneOf: [{ pattern: "a" }] } }],
    ["no type", { x: {} }],
    ["no object", { x: 3 }],
    ["no field", {}],
  ])("[EL2] what cannot be checked is left to the agent's own dialog: %s", (_, properties) => {
    expect(asked(properties)).toBeUndefined();
  });

  test("[EL2] a required field that is not there, or a schema that is none, is left to it too", () => {
    expect(asked({ x: { type: "string" } }, ["y"])).toBeUndefined();
    for (const schema of [
      undefined,
      null,
      3,
      "x",
      [],
      { properties: 3 },
      { properties: { x: { type: "string" } }, required: 3 },
    ])
      expect(formQuestions({ server: "lab", message: "", schema })).toBeUndefined();
  });

  test("[EL3] a value is checked by its type, bounds and format before anything is sent", () => {
    expect(problems({ type: "string", minLength: 2, maxLength: 3 }, { text: "😀" })).toEqual(["At least 2 characters"]);
    expect(problems({ type: "string", minLength: 2, maxLength: 3 }, { text: "😀😀😀😀" })).toEqual([
      "At most 3 characters",
    ]);
    expect(problems({ type: "integer" }, { text: "1.5" })).toEqual(["Not a whole number"]);
    expect(problems({ type: "number" }, { text: "0x10" })).toEqual(["Not a number"]);
    expect(problems({ type: "number", minimum: -1, maximum: 1 }, { text: "-1e0" })).toEqual([]);
    expect(problems({ type: "number", maximum: 1 }, { text: "1e999" })).toEqual(["Not a number"]);
    expect(problems({ type: "string", format: "email" }, { text: "ada" })).toEqual(["Not an e-mail address"]);
    expect(problems({ type: "string", format: "date" }, { text: "2030-02-30" })).toEqual([
      "Not a date such as 2030-12-31",
    ]);
    expect(problems({ type: "string", format: "date-time" }, { text: "2030-02-28T10:00:00Z" })).toEqual([]);
    expect(problems({ type: "string", format: "uri" }, { text: "example.com" })).toHaveLength(1);
    expect(problems({ type: "string", enum: ["a"] }, { text: "b" })).toContain("Choose from what is offered");
    expect(
      problems({ type: "array", items: { enum: ["a", "b"], type: "string" }, maxItems: 1 }, { picks: [0, 1] }),
    ).toEqual(["Select at most 1"]);
    expect(problems({ type: "string" }, {})).toEqual(["No text entered"]);
    expect(problems({ type: "string", minLength: 3 }, {}, [])).toEqual([]);
    expect(problems({ type: "boolean" }, {}, [])).toEqual([]);
  });

  test("[EL4] whatever answers pass the check, what the server gets fits its schema", () => {
    const field = fc.oneof(
      fc.record(
        { type: fc.constant("string"), minLength: fc.nat({ max: 3 }), maxLength: fc.integer({ min: 3, max: 6 }) },
        { requiredKeys: ["type"] },
      ),
      fc.record({ type: fc.constant("string"), format: fc.constantFrom("email", "uri", "date", "date-time") }),
      fc.record(
        {
          type: fc.constantFrom("number", "integer"),
          minimum: fc.integer({ min: -3, max: 0 }),
          maximum: fc.nat({ max: 9 }),
        },
        { requiredKeys: ["type"] },
      ),
      fc.constant({ type: "boolean" }),
      fc.constantFrom(
        { type: "string", enum: ["a", "b"] },
        { type: "string", oneOf: [{ const: "a" }, { const: "c" }] },
      ),
      fc.record({
        type: fc.constant("array"),
        items: fc.constant({ type: "string", enum: ["a", "b", "c"] }),
        minItems: fc.nat({ max: 2 }),
        maxItems: fc.integer({ min: 2, max: 3 }),
      }),
    );
    const text = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom(
        "1",
        "-2",
        "0.5",
        "ada@example.com",
        "https://example.com/a",
        "2030-01-31",
        "2030-01-31T10:00:00Z",
        "",
      ),
    );
    const answer = fc.record(
      { picks: fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 3 }), text },
      { requiredKeys: ["picks"] },
    );
    const names = fc.uniqueArray(fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("__proto__", "constructor")), {
      minLength: 1,
      maxLength: 2,
    });
    let sent = 0;
    const run = fc.record({
      names,
      fields: fc.array(field, { minLength: 4, maxLength: 4 }),
      answers: fc.array(answer, { minLength: 4, maxLength: 4 }),
      needed: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    });
    fc.assert(
      fc.property(run, (given) => {
        const properties = Object.fromEntries(given.names.map((name, i) => [name, given.fields[i] ?? {}]));
        const required = given.names.filter((_, i) => given.needed[i]);
        const questions = questionsOf(properties, required);
        expect(questions).toHaveLength(given.names.length);
        const result = elicitationResult(questions, answered(given.answers.slice(0, questions.length)));
        if (result?.action !== "accept") return;
        sent += 1;
        const content = result.content ?? {};
        expect(required.filter((name) => !Object.hasOwn(content, name))).toEqual([]);
        for (const [name, value] of Object.entries(content)) {
          const schema = z.fromJSONSchema(Object.entries(properties).find(([key]) => key === name)?.[1] ?? false);
          expect(schema.safeParse(value).error?.message).toBeUndefined();
        }
      }),
      { numRuns: 3000 },
    );
    expect(sent).toBeGreaterThan(100);
  });

  test("[EL5] an address is accepted or declined, and nothing is sent beside that", () => {
    const questions = addressQuestions({ server: "lab", message: "Sign in", url: "https://example.com" });
    expect(elicitationResult(questions, answered([{ picks: [0] }]))).toEqual({ action: "accept" });
    expect(elicitationResult(questions, answered([{ picks: [1] }]))).toEqual({ action: "decline" });
    expect(elicitationResult(questions, answered([{ picks: [] }]))).toBeUndefined();
    for (const [type, action] of [
      ["declined", "decline"],
      ["cancelled", "cancel"],
    ] as const)
      expect(elicitationResult(questions, { ...answered([]), type })).toEqual({ action });
  });
});

describe("secrets", () => {
  test.each([
    ["password", {}],
    ["githubApiKey", {}],
    ["API_TOKEN", {}],
    ["x", { title: "Private key" }],
    ["x", { format: "password" }],
    ["x", { writeOnly: true }],
    ["x", { _meta: { "example.com/secret": true } }],
    ["x", { "x-sensitive": true }],
    ["pin", { type: "integer" }],
  ])("[EL6] %s with %j is taken for a secret, and its default is not shown", (name, more) => {
    const form = asked({ [name]: { type: "string", default: "hunter2", ...more } });
    expect(form?.questions[0]?.field?.secret).toBe(true);
    expect(JSON.stringify(form)).not.toContain("hunter2");
  });

  test.each(["name", "tokenizer", "passenger", "keyboard", "author", "spinner", "secretary"])(
    "[EL6] %s is none",
    (name) => expect(questionsOf({ [name]: { type: "string" } })[0]?.field?.secret).toBeUndefined(),
  );

  test("[EL7] a secret is in no words, no draft and no answer that comes back; spaces around it are meant", () => {
    const questions = questionsOf({ password: { type: "string" } }, ["password"]);
    const form = updateForm(openForm(questions), { kind: "type", text: " hunter2 " });
    expect(JSON.stringify(draftOf(form))).not.toContain("hunter2");
    const answers = [{ picks: [], text: " hunter2 " }];
    expect(describeAnswers(questions, answers)).toBe("(secret)");
    expect(elicitationResult(questions, answered(answers))).toEqual({
      action: "accept",
      content: { password: " hunter2 " },
    });
    expect(answersIn(questions, { password: "hunter2" })).toEqual([{ picks: [], secret: true }]);
    expect(
      JSON.stringify(checkAnswers(questionsOf({ pin: { type: "integer" } }), [{ picks: [], text: "hunter2" }])),
    ).not.toContain("hunter2");
  });
});
