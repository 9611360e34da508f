import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { validateStrict } from "./strict.ts";

const option = (label: unknown, more: object = {}) => ({ label, description: "What it means", ...more });
const question = (more: object = {}) => ({
  question: "Which database?",
  header: "Database",
  multiSelect: false,
  options: [option("SQLite"), option("Postgres")],
  ...more,
});
const ask = (more: object = {}, others: object[] = []) => ({ questions: [question(more), ...others] });

function problemsOf(input: unknown) {
  const result = validateStrict(input);
  return result.ok ? [] : result.problems;
}

describe("what passes", () => {
  test("[V1] a valid ask becomes questions, unknown fields kept", () => {
    const options = [
      option(" SQLite ", { preview: "db.sqlite" }),
      option("Postgres", { recommended: true, icon: "x" }),
    ];
    expect(validateStrict(ask({ options, priority: 2 }))).toEqual({
      ok: true,
      prefill: undefined,
      questions: [
        {
          text: "Which database?",
          header: "Database",
          multiSelect: false,
          priority: 2,
          options: [
            { label: "SQLite", description: "What it means", preview: "db.sqlite", recommended: false },
            { label: "Postgres", description: "What it means", recommended: true, icon: "x" },
          ],
        },
      ],
    });
  });

  test("[V2] `text` stands for `question`", () => {
    const { question: text, ...rest } = question();
    expect(validateStrict({ questions: [{ ...rest, text }] })).toEqual(validateStrict(ask()));
  });

  test("[V3] a label that says (Recommended) is recommended", () => {
    const result = validateStrict(ask({ options: [option("SQLite (Recommended)"), option("Postgres")] }));
    expect(result.ok && result.questions[0]?.options.map((o) => o.recommended)).toEqual([true, false]);
  });

  test("[V4] answers become one prefilled answer per question", () => {
    const second = question({ header: "Scope", multiSelect: true, options: [option("Auth"), option("Search")] });
    expect(validateStrict({ ...ask({}, [second]), answers: { Scope: "Search, fuzzy" } })).toMatchObject({
      ok: true,
      prefill: [{ picks: [] }, { picks: [1], text: "fuzzy" }],
    });
    expect(validateStrict({ ...ask(), answers: {} })).toMatchObject({ ok: true, prefill: undefined });
  });
});

describe("what does not", () => {
  const long = { options: ["one two three four five six", "B"].map((label) => option(label)) };
  test.each([
    ["[V5]", "no object", "x", "ask", "Ask must be an object", "object", "string"],
    ["[V5]", "no list", {}, "questions", "Questions must be a list", "list", "nothing"],
    [
      "[V5]",
      "no object",
      { questions: [1] },
      "questions[0]",
      "Question must be an object: questions[0]",
      "object",
      "number",
    ],
    ["[V6]", "no question", { questions: [] }, "questions", "Ask must have 1-4 questions: 0", "1-4", "0"],
    [
      "[V7]",
      "empty",
      ask({ question: " " }),
      "questions[0].question",
      "Question must not be empty: Database",
      "text",
      "empty",
    ],
    [
      "[V7]",
      "missing",
      ask({ question: undefined }),
      "questions[0].question",
      "Question must not be empty: Database",
      "text",
      "nothing",
    ],
    [
      "[V8]",
      "no ?",
      ask({ question: "Pick one." }),
      "questions[0].question",
      "Question must end with ?: Database",
      "?",
      ".",
    ],
    [
      "[V9]",
      "empty",
      ask({ header: "\u200b" }),
      "questions[0].header",
      "Header must be 1-12 characters: questions[0].header",
      "1-12 characters",
      "0 characters",
    ],
    [
      "[V9]",
      "long",
      ask({ header: "Thirteen char" }),
      "questions[0].header",
      "Header must be 1-12 characters: Thirteen char",
      "1-12 characters",
      "13 characters",
    ],
    [
      "[V10]",
      "twice",
      ask({}, [question({ header: " DATABASE" })]),
      "questions[1].header",
      "Duplicate header: DATABASE",
      "unique",
      "DATABASE",
    ],
    [
      "[V11]",
      "missing",
      ask({ multiSelect: undefined }),
      "questions[0].multiSelect",
      "multiSelect must be true or false: Database",
      "true or false",
      "nothing",
    ],
    [
      "[V12]",
      "no list",
      ask({ options: "A" }),
      "questions[0].options",
      "Options must be a list: Database",
      "list",
      "string",
    ],
    [
      "[V12]",
      "one",
      ask({ options: [option("A")] }),
      "questions[0].options",
      "Question must have 2-4 options: Database",
      "2-4",
      "1",
    ],
    [
      "[V12]",
      "five",
      ask({ options: ["A", "B", "C", "D", "E"].map((l) => option(l)) }),
      "questions[0].options",
      "Question must have 2-4 options: Database",
      "2-4",
      "5",
    ],
    [
      "[V12]",
      "no object",
      ask({ options: [null, option("A")] }),
      "questions[0].options[0]",
      "Option must be an object: questions[0].options[0]",
      "object",
      "null",
    ],
    [
      "[V13]",
      "six words",
      ask(long),
      "questions[0].options[0].label",
      "Option label must be 1-5 words: one two three four five six",
      "1-5 words",
      "6 words",
    ],
    [
      "[V13]",
      "no words",
      ask({ options: [option("A"), option(" ")] }),
      "questions[0].options[1].label",
      "Option label must be 1-5 words: questions[0].options[1].label",
      "1-5 words",
      "0 words",
    ],
    [
      "[V14]",
      "twice",
      ask({ options: [option("A"), option("A ")] }),
      "questions[0].options[1].label",
      "Duplicate option label: A",
      "unique",
      "A",
    ],
    [
      "[V15]",
      "Other",
      ask({ options: [option("A"), option("oTher")] }),
      "questions[0].options[1].label",
      'Option label "Other" is reserved',
      "not Other",
      "oTher",
    ],
    [
      "[V15]",
      "hidden Other",
      ask({ options: [option("A"), option("Ot\u200bher")] }),
      "questions[0].options[1].label",
      'Option label "Other" is reserved',
      "not Other",
      "Other",
    ],
    [
      "[V16]",
      "no description",
      ask({ options: [option("A"), { label: "B" }] }),
      "questions[0].options[1].description",
      "Option description must not be empty: B",
      "text",
      "nothing",
    ],
    [
      "[V16]",
      "preview",
      ask({ options: [option("A"), option("B", { preview: 1 })] }),
      "questions[0].options[1].preview",
      "Option preview must be text: B",
      "text",
      "number",
    ],
    [
      "[V16]",
      "recommended",
      ask({ options: [option("A"), option("B", { recommended: "yes" })] }),
      "questions[0].options[1].recommended",
      "Option recommended must be true or false: B",
      "true or false",
      "string",
    ],
    [
      "[V17]",
      "unknown key",
      { ...ask(), answers: { Cache: "A" } },
      "answers.Cache",
      "Unknown answers key: Cache",
      "Database",
      "Cache",
    ],
    [
      "[V17]",
      "no text",
      { ...ask(), answers: { Database: 1 } },
      "answers.Database",
      "Answer must be text: Database",
      "text",
      "number",
    ],
    ["[V17]", "no object", { ...ask(), answers: [] }, "answers", "Answers must be an object", "object", "list"],
  ])(
    "%s a problem names field, message, limit and actual: %s",
    (_rule, _case, input, field, message, limit, actual) => {
      expect(problemsOf(input)).toEqual([{ field, message, limit, actual }]);
    },
  );

  test("[V6] five questions are too many", () => {
    const many = ["A", "B", "C", "D", "E"].map((header) => question({ header }));
    expect(problemsOf({ questions: many }).map((p) => p.message)).toEqual(["Ask must have 1-4 questions: 5"]);
  });

  test("[V6] what is too many is counted, not looked into", () => {
    const questions = [question(), ...Array.from({ length: 1000 }, () => ({}))];
    const fields = problemsOf({ questions }).map((problem) => problem.field);
    expect(fields[0]).toBe("questions");
    expect(fields.at(-1)).toBe("questions[3].options");
  });

  test("[V9] a header is counted in characters as a person sees them", () => {
    expect(problemsOf(ask({ header: "👨‍👩‍👧‍👦".repeat(12) }))).toEqual([]);
  });

  test("[V18] all problems come at once, in the order of the input", () => {
    const bad = { question: "No", header: "", options: [{ label: "Other", description: "" }] };
    const input = { answers: { x: "y" }, questions: [bad, { ...bad, header: "B", multiSelect: 1 }] };
    expect(problemsOf(input).map((problem) => problem.field)).toEqual([
      "questions[0].question",
      "questions[0].header",
      "questions[0].multiSelect",
      "questions[0].options",
      "questions[0].options[0].label",
      "questions[0].options[0].description",
      "questions[1].question",
      "questions[1].multiSelect",
      "questions[1].options",
      "questions[1].options[0].label",
      "questions[1].options[0].description",
      "answers.x",
    ]);
  });

  test("[V19] a name in a message is one short safe line", () => {
    const messages = problemsOf(ask({ question: "x", header: `\x1b[31m${"y".repeat(500)}\n` })).map((p) => p.message);
    expect(messages[0]).toBe(`Question must end with ?: ${"y".repeat(79)}…`);
  });

  test("[V18] any input gives a result, never an exception", () => {
    const loose = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.anything(),
        fc.array(tie("value"), { maxLength: 5 }),
        fc.record({ questions: tie("value"), answers: tie("value") }, { requiredKeys: [] }),
        fc.record({ question: fc.string(), header: fc.string(), options: tie("value") }, { requiredKeys: [] }),
      ),
    })).value;
    fc.assert(
      fc.property(loose, (input) => {
        const result = validateStrict(input);
        expect(result.ok || result.problems.length > 0).toBe(true);
      }),
    );
  });
});
