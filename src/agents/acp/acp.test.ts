import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { recordedAcp } from "../../../test/acp/recorded.ts";
import { askOf } from "../../../test/sample.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import { choicesIn, contentOf, formQuestions } from "./form.ts";
import { Elicitation } from "./payload.ts";
import { remote } from "./remote.ts";

const person = { actor: { type: "person", surface: "cli" }, at: 1 } as const;
const asked = (name: string) => {
  const found = recordedAcp().find((each) => each.name === name);
  const reading = found?.told.flatMap((told) => remote.read(told)).find(({ type }) => type === "asked");
  if (reading?.type !== "asked") throw new Error(`${name} asks nothing`);
  const { kind, questions } = reading;
  return { reading, ask: askOf({ kind, questions }) };
};
const answered = (pick: number, more: object = {}): Outcome => ({
  type: "answered",
  answers: [{ picks: [pick], ...more }],
  ...person,
});
const sent = (ask: Ask, outcome: Outcome) => remote.reply(ask, outcome, "r")?.body;

test("[AC15] what real agents ask is read, and answered in their own words", () => {
  const claude = asked("claude-agent-acp-0.99.1/question.jsonl").ask;
  expect(claude.questions.map(({ text, header }) => [text, header])).toEqual([
    ["Which database should I use?", "Database"],
  ]);
  expect(sent(claude, answered(1))).toEqual({ result: { action: "accept", content: { question_0: "SQLite" } } });
  const own: Outcome = { type: "answered", answers: [{ picks: [], text: "DuckDB" }], ...person };
  expect(sent(claude, own)).toEqual({ result: { action: "accept", content: { question_0_custom: "DuckDB" } } });

  const codex = asked("codex-acp-2.6.0/question.jsonl").ask;
  const note = { result: { action: "accept", content: { database: "SQLite", database_note: "small" } } };
  expect(sent(codex, answered(1, { note: "small" }))).toEqual(note);
  const none = { database: "None of the above", database_note: "DuckDB" };
  expect(sent(codex, own)).toEqual({ result: { action: "accept", content: none } });

  const qwen = asked("qwen-code-0.24.4/question.jsonl").ask;
  const outcome = { outcome: "selected", optionId: "proceed_once" };
  expect(sent(qwen, answered(1))).toEqual({ result: { outcome, answers: { "0": "SQLite" } } });
  for (const ask of [claude, codex]) {
    expect(sent(ask, { type: "cancelled", ...person })).toEqual({ result: { action: "cancel" }, stop: true });
    expect(JSON.stringify(sent(ask, { type: "chat", message: "why?", ...person }))).toContain("wants to talk");
  }
});

test("[AC16] a permission has its agent's options in the order that people know, and is answered by the agent's names", () => {
  const { reading, ask } = asked("qwen-code-0.24.4/permission.jsonl");
  const labels = [
    "Allow",
    "Always Allow in project: touch *",
    "Always Allow for user: touch *",
    "Reject",
    "Deny and stop",
  ];
  expect(ask.questions[0]?.options.map(({ label }) => label)).toEqual(labels);
  expect(ask.questions[0]).toMatchObject({ title: "$ touch labfile.txt", text: "Allow this command?" });
  // It has a field that may change what runs: good enough to ask about, never to allow.
  expect([reading.call, reading.about]).toEqual([undefined, { type: "command", command: "touch labfile.txt" }]);
  const selected = (optionId: string) => ({ result: { outcome: { outcome: "selected", optionId } } });
  expect([0, 1, 2, 3].map((pick) => sent(ask, answered(pick)))).toEqual(
    ["proceed_once", "proceed_always_project", "proceed_always_user", "cancel"].map(selected),
  );
  const stopped = { result: { outcome: { outcome: "cancelled" } }, stop: true };
  expect([sent(ask, answered(4)), sent(ask, { type: "cancelled", ...person })]).toEqual([stopped, stopped]);
  // Nothing but an option that allows ever allows.
  for (const type of ["declined", "chat", "expired"] as const)
    expect(sent(ask, { type, message: "no", ...person })).toEqual(selected("cancel"));
  const { call } = asked("opencode-1.18.33/permission.jsonl").reading;
  expect(call).toBeUndefined();
  expect(asked("claude-agent-acp-0.99.1/permission.jsonl").reading.call).toEqual({
    type: "command",
    command: "touch labfile.txt",
  });
});

const form = (properties: object, required: string[] = []) =>
  Elicitation.parse({ mode: "form", message: "Tell me", requestedSchema: { properties, required } });
const answer = (text: string) => [{ picks: [], text }];

test("[AC17] a field takes what fits its type and nothing else; a secret is typed where it is asked for", () => {
  const content = (field: object, answers: Parameters<typeof contentOf>[2], required = ["x"]) => {
    const asks = form({ x: field }, required);
    return contentOf(asks, formQuestions(asks) ?? [], answers);
  };
  expect(content({ type: "integer", minimum: 1 }, answer(" 42 "))).toEqual({ x: 42 });
  for (const bad of ["0", "1.5", "many", "", "1e400"])
    expect(content({ type: "integer", minimum: 1 }, answer(bad))).toBeUndefined();
  expect(content({ type: "number" }, answer("-1.5"))).toEqual({ x: -1.5 });
  expect(content({ type: "boolean" }, [{ picks: [1] }])).toEqual({ x: false });
  expect(content({ type: "string", format: "email" }, answer("me"))).toBeUndefined();
  expect(content({ type: "string", maxLength: 2 }, answer("😀😀"))).toEqual({ x: "😀😀" });
  expect(content({ type: "string" }, [{ picks: [] }])).toBeUndefined();
  expect(content({ type: "string" }, [{ picks: [] }], [])).toEqual({});
  const list = {
    type: "array",
    maxItems: 1,
    items: {
      anyOf: [
        { const: "a", title: "A" },
        { const: "b", title: "B" },
      ],
    },
  };
  expect(content(list, [{ picks: [1] }])).toEqual({ x: ["b"] });
  expect(content(list, [{ picks: [0, 1] }])).toBeUndefined();
  // An own text where there is no place for one would be lost.
  expect(content({ type: "string", enum: ["a", "b"] }, answer("c"))).toBeUndefined();
  for (const secret of [
    { type: "string", format: "password" },
    { type: "string", title: "API key" },
  ])
    expect(formQuestions(form({ x: secret }))).toBeUndefined();
  expect(formQuestions(form({}))).toBeUndefined();
  expect(Elicitation.safeParse({ mode: "url", message: "", url: "https://x" }).success).toBe(false);
});

test("[PT6] own words pick what the agent adds for that, not an option of its own that is called so", () => {
  const labels = ["Plain", "Other", "None of the above"];
  const asks = form({ q: { type: "string", enum: labels }, q_note: { type: "string" } }, ["q"]);
  const questions = formQuestions(asks) ?? [];
  expect(contentOf(asks, questions, answer("mine"))).toEqual({ q: "None of the above", q_note: "mine" });
  expect(choicesIn(asks, questions, { q: "None of the above", q_note: "mine" })).toEqual([
    { labels: [], text: "mine" },
  ]);
  expect(choicesIn(asks, questions, { q: "Other", q_note: "mine" })).toEqual([{ labels: ["Other"], note: "mine" }]);
  const last = form({ q: { type: "string", enum: ["Plain", "Other"] }, q_note: { type: "string" } }, ["q"]);
  expect(contentOf(last, formQuestions(last) ?? [], answer("mine"))).toEqual({ q: "Other", q_note: "mine" });
});

test("[AC18] what is filled into a form reads back as what was answered", () => {
  const text = fc.string({ minLength: 1 }).filter((words) => !words.includes("\nNote: "));
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 5 }),
      fc.nat(9),
      fc.option(text, { nil: undefined }),
      fc.boolean(),
      (values, at, own, isOwn) => {
        const asks = form({
          q: { type: "string", enum: values },
          q_note: { type: "string" },
          free: { type: "string" },
        });
        const questions = formQuestions(asks) ?? [];
        expect(questions).toHaveLength(2);
        const pick = at % values.length;
        const isText = isOwn && own !== undefined;
        const first = isText ? { picks: [], text: own } : { picks: [pick], ...(own !== undefined && { note: own }) };
        const content = contentOf(asks, questions, [first, { picks: [], text: "words" }]) ?? {};
        const choice = isText
          ? { labels: [], text: own }
          : { labels: [String(values[pick])], ...(own !== undefined && { note: own }) };
        expect(choicesIn(asks, questions, content)).toEqual([choice, { labels: [], text: "words" }]);
      },
    ),
  );
});
