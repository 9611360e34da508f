import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { database, features, question } from "../../test/sample.ts";
import { checkAnswers } from "../core/ask/answer/check-answer.ts";
import { readReply } from "./read-reply.ts";

const select = { action: "select", optionIndex: 1, label: "Postgres" };
const reply = (actions: unknown, more: object = {}) => JSON.stringify({ actions, reason: " Because. ", ...more });
const problemsOf = (text: string, questions = [database]) => {
  const read = readReply(questions, text);
  return read.ok ? [] : read.problems.map(({ message }) => message);
};

test.each([
  ["the object itself", reply([select], { confidence: 0.7 })],
  ["in a code block", `Here it is:\n\`\`\`json\n${reply([select], { confidence: 0.7 })}\n\`\`\`\nDone.`],
  ["between words", `I choose ${reply([select], { confidence: 0.7 })}.`],
])("[BR5] a reply is one JSON object, %s", (_where, text) => {
  expect(readReply([database], text)).toEqual({
    ok: true,
    reply: {
      settlement: { action: "answer", answers: [{ picks: [1] }] },
      reason: "Because.",
      sources: ["judgement"],
      confidence: 0.7,
    },
  });
});

test("[BR6] junk, a missing option, a label that is another's and an unanswered question are named", () => {
  for (const junk of ["", "I would take Postgres.", "[1]", "{", "null", `"{}"`, "{]}", "}{", "NaN"])
    expect(problemsOf(junk)).toEqual([`There must be one JSON object with "actions" in it`]);
  expect(problemsOf(reply([{ action: "select", optionIndex: 2 }]))).toEqual(["There is no option 2"]);
  expect(problemsOf(reply([{ ...select, optionIndex: 0 }]))).toEqual([`Option 0 is "SQLite"`]);
  expect(problemsOf(reply([select]), [database, features])).toEqual(["There must be one action for each question"]);
  expect(problemsOf(reply([{ action: "multi-select", selectedIndices: [] }]), [features])).toEqual([
    "Select at least one option",
  ]);
  expect(problemsOf(reply([{ action: "multi-select", selectedIndices: [1, 1] }]), [features])).toEqual([
    "Duplicate pick: 1",
  ]);
  expect(problemsOf(reply([{ action: "type", text: "x".repeat(10_001) }]))).toEqual([
    "Text must be at most 10000 characters",
  ]);
  expect(problemsOf(reply([{ action: "chat", text: "x".repeat(10_001) }]))).toEqual([
    "Chat has at most 10000 characters",
  ]);
  expect(problemsOf(reply(undefined))).toHaveLength(1);
});

test("[BR7] reason and confidence are kept where they make sense and are not worth a refusal", () => {
  const long = readReply([database], JSON.stringify({ actions: [select], reason: "why ".repeat(1000) }));
  expect(long.ok && long.reply.reason.length).toBe(1000);
  for (const confidence of ["high", 7, -1, null]) {
    const read = readReply([database], JSON.stringify({ actions: [select], reason: 7, confidence }));
    expect(read).toEqual({
      ok: true,
      reply: { settlement: { action: "answer", answers: [{ picks: [1] }] }, reason: "", sources: ["judgement"] },
    });
  }
});

test("[BR8] own words and chat are answers, also where there are no options", () => {
  const typed = readReply([question("What name?", [])], reply([{ action: "type", text: "shop" }]));
  expect(typed.ok && typed.reply.settlement).toEqual({ action: "answer", answers: [{ picks: [], text: "shop" }] });
  const chat = readReply([database, features], reply([{ action: "chat", text: "Phase 2 decided this." }]));
  expect(chat.ok && chat.reply.settlement).toEqual({ action: "chat", message: "Phase 2 decided this." });
});

test("[BR48] whatever a brain writes is an answer that fits or a list of problems, never an exception", () => {
  const index = fc.oneof(fc.integer({ min: -1, max: 4 }), fc.double(), fc.constant("1"));
  const action = fc.record(
    {
      action: fc.constantFrom("select", "multi-select", "type", "chat", "press"),
      optionIndex: index,
      selectedIndices: fc.array(index, { maxLength: 4 }),
      label: fc.constantFrom("Auth", "A, B", "SQLite"),
      text: fc.string(),
      note: fc.string(),
    },
    { requiredKeys: ["action"] },
  );
  const likely = fc.array(action, { maxLength: 3 }).map((actions) => reply(actions));
  const text = fc.oneof(
    likely,
    fc.json(),
    fc.string(),
    likely.map((json) => `so: ${json} }`),
  );
  fc.assert(
    fc.property(text, fc.constantFrom([database], [features], [database, features]), (said, questions) => {
      const read = readReply(questions, said);
      if (!read.ok) return expect(read.problems.length).toBeGreaterThan(0);
      const { action: kind, answers, message } = read.reply.settlement;
      if (kind === "answer") return expect(checkAnswers(questions, answers).ok).toBe(true);
      expect(message).toMatch(/\S/);
    }),
    { numRuns: 2000 },
  );
});
