import { describe, expect, test } from "bun:test";
import { formatAskUserQuestionOutput } from "./answer.ts";
import type { AskUserQuestionError } from "./error.ts";
import { type AskUserQuestionArgs, PARAMETERS, validateAskUserQuestionArgs } from "./schema.ts";
import { type AskUserQuestionRef, collapsedTitle, createAskUserQuestionTool } from "./tool.ts";

const options = (...labels: string[]) => labels.map((label) => ({ label, description: `What ${label} means` }));
const ARGS: AskUserQuestionArgs = {
  questions: [
    { question: "Which database?", header: "Database", multiSelect: false, options: options("SQLite", "Postgres") },
    { question: "Which features?", header: "Features", multiSelect: true, options: options("Auth", "A, B", "Search") },
  ],
};
const TEXT = `Collected answers:
- Database: Other: DuckDB
- Features: Auth, A, B, Other: mine

JSON:
{
  "answers": {
    "Database": "Other: DuckDB",
    "Features": "Auth, A, B, Other: mine"
  }
}`;
const answering = (given: Awaited<ReturnType<NonNullable<AskUserQuestionRef["current"]>>>): AskUserQuestionRef => ({
  current: async () => given,
});
const failure = (work: Promise<unknown>): Promise<AskUserQuestionError> =>
  work.then(
    () => expect.unreachable(),
    (error: AskUserQuestionError) => error,
  );

describe("the tool", () => {
  test("[TL1] has its name, its label and the schema a model is given", () => {
    const { name, label, parameters, description } = createAskUserQuestionTool({});
    expect([name, label]).toEqual(["ask_user_question", "ask_user_question"]);
    expect(description).toStartWith("Ask the user one to four multiple-choice questions");
    expect(parameters).toEqual(PARAMETERS);
    expect(parameters).toEqual({
      type: "object",
      required: ["questions"],
      properties: {
        questions: {
          type: "array",
          minItems: 1,
          maxItems: 4,
          items: {
            type: "object",
            required: ["question", "header", "multiSelect", "options"],
            properties: {
              question: { type: "string", minLength: 1, description: "Question text ending with ?" },
              header: { type: "string", minLength: 1, maxLength: 12, description: "Short label" },
              multiSelect: { type: "boolean", description: "Allow multiple selections" },
              options: {
                type: "array",
                minItems: 2,
                maxItems: 4,
                items: {
                  type: "object",
                  required: ["label", "description"],
                  properties: {
                    label: { type: "string", minLength: 1, description: "Display text (1-5 words)" },
                    description: { type: "string", minLength: 1, description: "Explanation of choice" },
                  },
                },
              },
            },
          },
        },
        answers: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "Answers to start with, by header",
        },
      },
    });
  });

  test("[TL2] gives the answers as text in the order of the questions, and in their parts", async () => {
    const lossless = [
      { header: "Database", question: "Which database?", picks: [], labels: [], text: "DuckDB" },
      { header: "Features", question: "Which features?", picks: [0, 1], labels: ["Auth", "A, B"], text: "mine" },
    ];
    const { content, details } = await createAskUserQuestionTool(answering({ lossless })).execute("id", ARGS);
    expect(content).toEqual([{ type: "text", text: TEXT }]);
    expect(details).toEqual({
      outcome: "answered",
      answers: { Database: "Other: DuckDB", Features: "Auth, A, B, Other: mine" },
      lossless,
    });
  });

  test("[TL3] answers given as text alone are passed on as they are, and read into their parts", async () => {
    const given = { Features: "Auth, A, B, Other: mine", Database: "Other: DuckDB" };
    const { content, details } = await createAskUserQuestionTool(answering(given)).execute("id", ARGS);
    expect(content[0]?.text.split("\n\n")[0]).toBe(TEXT.split("\n\n")[0]);
    expect(details.answers).toEqual(given);
    expect(details.lossless).toEqual([
      { header: "Database", question: "Which database?", picks: [], labels: [], text: "DuckDB" },
      { header: "Features", question: "Which features?", picks: [0, 1], labels: ["Auth", "A, B"], text: "mine" },
    ]);
  });

  test("[TL4] notes reach the model in a text of their own", async () => {
    const part = { header: "Database", question: "Which database?", picks: [0], labels: ["SQLite"], note: "with WAL" };
    const { content } = await createAskUserQuestionTool(answering({ lossless: [part] })).execute("id", ARGS);
    expect(content.map(({ text }) => text.split("\n")[1])).toEqual(["- Database: SQLite", "- Database: with WAL"]);
    expect(content[1]?.text).toBe("Notes:\n- Database: with WAL");
  });

  test("[TL5] without an interface a call is refused until there is one", async () => {
    const ref: AskUserQuestionRef = {};
    const tool = createAskUserQuestionTool(ref);
    const error = await failure(tool.execute("id", ARGS));
    expect([error.name, error.outcome, error.message]).toEqual([
      "AskUserQuestionError",
      "invalid",
      "AskUserQuestion UI not ready",
    ]);
    ref.current = async () => ({ Database: "SQLite" });
    expect((await tool.execute("id", ARGS)).details.answers).toEqual({ Database: "SQLite" });
  });

  test("[TL6] everything wrong with the arguments is said at once, and nobody is asked", async () => {
    let calls = 0;
    const tool = createAskUserQuestionTool({ current: async () => (calls++, {}) });
    const wrong = {
      questions: [
        { question: "No mark", header: "Same", multiSelect: false, options: options("Other", "ok") },
        { question: "Fine?", header: "same", multiSelect: true, options: options("one two three four five six", "b") },
      ],
      answers: { Unknown: "x" },
    };
    const error = await failure(tool.execute("id", wrong));
    expect([error.outcome, calls]).toEqual(["invalid", 0]);
    expect(error.message.split("\n")).toEqual([
      "Question must end with ?: Same",
      'Option label "Other" is reserved',
      "Duplicate header: same",
      "Option label must be 1-5 words: one two three four five six",
      "Unknown answers key: Unknown",
    ]);
    expect(error.problems.map(({ field }) => field)).toEqual([
      "questions[0].question",
      "questions[0].options[0].label",
      "questions[1].header",
      "questions[1].options[0].label",
      "answers.Unknown",
    ]);
    expect(error.details).toMatchObject({ outcome: "invalid", answers: {}, lossless: [], problems: error.problems });
    expect([validateAskUserQuestionArgs(wrong), validateAskUserQuestionArgs(ARGS)]).toEqual([error.message, null]);
    expect((await failure(tool.execute("id", "nonsense"))).message).toBe("Ask must be an object");
  });

  test("[TL7] aborted before or during the call, also where the interface does not listen; no listener stays", async () => {
    const counted = countingSignal();
    const tool = createAskUserQuestionTool({ current: () => new Promise(() => {}) });
    const running = failure(tool.execute("id", ARGS, counted.signal));
    counted.abort();
    const before = await failure(tool.execute("id", ARGS, counted.signal));
    for (const error of [await running, before])
      expect([error.outcome, error.message]).toEqual(["aborted", "Operation aborted"]);
    expect(counted.listeners()).toBe(0);

    const answered = countingSignal();
    await createAskUserQuestionTool(answering({ Database: "SQLite" })).execute("id", ARGS, answered.signal);
    expect(answered.listeners()).toBe(0);
  });

  test("[TL8] what an interface of the host's own rejects with is typed by its words", async () => {
    const saying = (message: string) =>
      failure(createAskUserQuestionTool({ current: () => Promise.reject(new Error(message)) }).execute("id", ARGS));
    expect((await saying("AskUserQuestion cancelled by user")).outcome).toBe("cancelled");
    expect((await saying("Operation aborted")).outcome).toBe("aborted");
    expect(await saying("disk full")).toEqual(new Error("disk full") as AskUserQuestionError);
  });

  test("[TL9] is shown on one line as the number of its questions", () => {
    const [first] = ARGS.questions;
    expect([ARGS, { questions: [first] }, { questions: [] }, undefined].map(collapsedTitle)).toEqual([
      "2 questions",
      "1 question",
      "",
      "",
    ]);
  });

  test("[TL10] a header that is a word of JavaScript's own is a header like any other", async () => {
    const [first] = ARGS.questions;
    const args = {
      questions: [
        { ...first, header: "__proto__" },
        { ...first, header: "toString" },
      ],
    };
    const part = { header: "__proto__", question: "Which database?", picks: [0], labels: ["SQLite"] };
    const { content, details } = await createAskUserQuestionTool(answering({ lossless: [part] })).execute("id", args);
    expect(content[0]?.text).toStartWith("Collected answers:\n- __proto__: SQLite\n- toString: \n");
    expect(Object.entries(details.answers)).toEqual([["__proto__", "SQLite"]]);
    expect(formatAskUserQuestionOutput([{ header: "A" }], { A: "b" })).toStartWith("Collected answers:\n- A: b\n");
  });
});

function countingSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
  return { signal, abort: () => controller.abort(), listeners: () => listeners };
}
