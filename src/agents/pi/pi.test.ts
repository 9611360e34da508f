import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { askOf } from "../../../test/sample.ts";
import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import { record } from "./record.ts";
import { remote } from "./remote.ts";

const fixture = (name: string) => join(import.meta.dir, "fixtures/0.73.1", name);
const events = readFileSync(fixture("events.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { name?: string });
const readings = (name: string) => events.filter((event) => event.name === name).flatMap((event) => remote.read(event));
const questionsOf = (name: string): Question[] => {
  const asked = readings(name).find(({ type }) => type === "asked");
  if (asked?.type !== "asked") throw new Error(`${name} asks nothing`);
  return asked.questions;
};
const person = { actor: { type: "person", surface: "cli" }, at: 1 } as const;
const answered = (...answers: Answer[]): Outcome => ({ type: "answered", answers, ...person });
const sent = (name: string, outcome: Outcome) =>
  remote.reply(askOf({ kind: "question", questions: questionsOf(name) }), outcome, "r")?.body;

test("[PK13] an answer is what the dialog itself could have given; anything else is not sent", () => {
  expect(sent("call_outside", answered({ picks: [1] }))).toEqual({ pick: 1 });
  expect(sent("call_outside", answered({ picks: [1], note: "small" }))).toEqual({ pick: 1, say: "small" });
  expect(sent("call_outside", answered({ picks: [], text: "DuckDB" }))).toBeUndefined();
  expect(sent("call_outside", answered({ picks: [0, 1] }))).toBeUndefined();
  expect(sent("call_confirm", answered({ picks: [0] }))).toEqual({ pick: 0 });
  expect(sent("call_input", answered({ picks: [], text: "acme" }))).toEqual({ text: "acme" });
  expect(sent("call_input", answered({ picks: [] }))).toBeUndefined();
  expect(sent("call_outside", { type: "cancelled", ...person })).toEqual({ none: true, stop: true });
  expect(sent("call_outside", { type: "declined", message: "later", ...person })).toEqual({
    none: true,
    say: "The user declined to answer this question: later",
  });
  const byRule: Outcome = { ...answered({ picks: [0] }), actor: { type: "rule", name: "db", surface: "autopilot" } };
  expect(sent("call_outside", byRule)).toEqual({
    pick: 0,
    say: "answered by a rule (db), not by a person",
  });
});

test("[PK14] pi's session file says what each dialog gave back, once its call has a result", async () => {
  const session = record.open(fixture("session.jsonl"));
  await session.refresh();
  const received = (name: string) => session.received(name, questionsOf(name));
  const text = (words: string) => `The user said: ${words}`;
  expect(received("call_outside")).toEqual({
    type: "answers",
    choices: [{ labels: ["SQLite, embedded"] }],
    text: text("SQLite, embedded"),
  });
  expect(received("call_terminal")).toMatchObject({ type: "answers", choices: [{ labels: ["PostgreSQL"] }] });
  expect(received("call_escape")).toEqual({ type: "refused", by: "escape", text: text("undefined") });
  expect(received("call_confirm")).toMatchObject({ choices: [{ labels: ["No"] }], text: text("false") });
  expect(received("call_input")).toMatchObject({ choices: [{ labels: [], text: "a, b" }] });
  expect(received("call_declined")).toMatchObject({ type: "denied", text: "Read docs/db.md first." });
  expect(session.unanswered()).toEqual([]);
  expect(await record.before(fixture("session.jsonl"), "call_escape")).toMatchObject({ lastText: "Let me ask." });
});

test("[PK15] an answer of Parley's own is not believed on the word of its own end", () => {
  expect(readings("call_outside").map(({ type }) => type)).toEqual(["asked", "settled"]);
  expect(readings("call_terminal").map(({ type }) => type)).toEqual(["asked", "result", "settled"]);
});
