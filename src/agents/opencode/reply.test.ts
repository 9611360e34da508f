import { expect, test } from "bun:test";
import { answered, askOf } from "../../../test/sample.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import { compareAnswer } from "../../core/receipt/compare.ts";
import { readPermission, readQuestion } from "./read-event.ts";
import { readPart } from "./receipt.ts";
import { reply } from "./reply.ts";
import { versionIn, versionInHealth } from "./version.ts";

const options = (labels: string[]) => labels.map((label) => ({ label, description: "" }));
const questions = [
  { question: "Which?", header: "", options: options(["A, B", "C"]) },
  { question: "What else?", header: "", multiple: true, options: options(["A", "B", "A, B"]) },
];
const asked = readQuestion({
  id: "que_1",
  sessionID: "ses_1",
  questions,
  tool: { messageID: "msg_1", callID: "call_1" },
});
const permission = {
  id: "per_1",
  sessionID: "ses_1",
  permission: "bash",
  patterns: ["ls"],
  always: ["ls *"],
  metadata: {},
};
const planExit = {
  id: "que_2",
  sessionID: "ses_1",
  questions: [{ question: "Start?", header: "Build Agent", custom: false, options: options(["Yes", "No"]) }],
};
const ask = (reading: { kind: "question" | "approval" | "plan"; questions: Question[] } | undefined) =>
  askOf({ kind: reading?.kind ?? "question", questions: reading?.questions ?? [] });
const ended = (type: Outcome["type"], message?: string): Outcome => ({
  ...answered(),
  type,
  ...(message !== undefined && { message }),
});

test("[OC20] answers go by position and label, own words and the note behind them", () => {
  const outcome = answered({ picks: [0] }, { picks: [2, 0], text: "mine, too", note: "small" });
  expect(reply("que_1", ask(asked), outcome)).toEqual({
    method: "POST",
    path: "/question/que_1/reply",
    body: { answers: [["A, B"], ["A, B", "A", "mine, too", "[note] small"]] },
  });
  expect(reply("que_1", ask(asked), answered({ picks: [], text: "D" }))).toMatchObject({
    body: { answers: [["D"], []] },
  });
});

test("[OC21] what was sent is read back from the record as it was sent, commas and all", () => {
  const outcome = answered({ picks: [0] }, { picks: [2, 0], text: "mine, too", note: "small" });
  const sent = reply("que_1", ask(asked), outcome)?.body?.["answers"] as string[][];
  const output = `"Which?"="${sent[0]?.join(", ")}", "What else?"="${sent[1]?.join(", ")}"`;
  const state = { status: "completed", input: { questions }, output, metadata: { answers: sent } };
  const received = readPart({ type: "tool", tool: "question", callID: "call_1", state })?.received;
  if (received === undefined || received === "running" || received.type !== "answers") throw new Error("no answers");
  const verdicts = asked?.questions.map((question, i) =>
    compareAnswer(question, outcome.answers?.[i] ?? { picks: [] }, received.choices[i] ?? { labels: [] }),
  );
  expect(verdicts).toEqual([{ same: true }, { same: true }]);
});

test("[OC22] who declines or wants to talk is quoted in the place of the answer; only a cancelled question is dismissed", () => {
  const talk = { ...ended("chat"), message: "why a database?" };
  expect(reply("que_1", ask(asked), talk)).toEqual({
    method: "POST",
    path: "/question/que_1/reply",
    body: {
      answers: (asked?.questions ?? []).map(() => [
        "The user wants to talk about this before answering: why a database?",
      ]),
    },
  });
  expect(reply("que_1", ask(asked), ended("declined"))?.body).toEqual({
    answers: (asked?.questions ?? []).map(() => ["The user declined to answer this question."]),
  });
  expect(reply("que_1", ask(asked), ended("expired"))?.path).toBe("/question/que_1/reply");
  expect(reply("que_1", ask(asked), ended("cancelled"))).toEqual({ method: "POST", path: "/question/que_1/reject" });
});

test("[OC23] a permission is given once, for good, or refused; without words the turn stops", () => {
  const sent = (outcome: Outcome) => reply("per_1", ask(readPermission(permission)), outcome);
  const path = "/permission/per_1/reply";
  expect(sent(answered({ picks: [0] }))).toEqual({ method: "POST", path, body: { reply: "once" } });
  expect(sent(answered({ picks: [1] }))?.body).toEqual({ reply: "always" });
  expect(sent(answered({ picks: [2], note: "no" }))?.body).toEqual({
    reply: "reject",
    message: "The user does not allow this: no",
  });
  expect(sent(answered({ picks: [3] }))?.body).toEqual({ reply: "reject" });
  expect(sent(ended("cancelled"))?.body).toEqual({ reply: "reject" });
});

test("[OC24] leaving its plan mode is a plan: never by words of one's own, which opencode takes for a yes", () => {
  const reading = readQuestion(planExit);
  expect(reading).toMatchObject({ kind: "plan", questions: [{ options: [{ effect: "allow" }, { effect: "deny" }] }] });
  expect(reply("que_2", ask(reading), answered({ picks: [0] }))?.body).toEqual({ answers: [["Yes"]] });
  expect(reply("que_2", ask(reading), answered({ picks: [1] }))?.path).toBe("/question/que_2/reject");
  expect(reply("que_2", ask(reading), answered({ picks: [], text: "not yet" }))?.path).toBe("/question/que_2/reject");
  const plain = { ...reading, kind: "question" as const, questions: reading?.questions ?? [] };
  expect(reply("que_2", ask(plain), answered({ picks: [], text: "not yet" }))).toBeUndefined();
});

test("[OC25] a request's name cannot lead to another path", () => {
  expect(reply("../../x?y", ask(asked), ended("cancelled"))?.path).toBe("/question/..%2F..%2Fx%3Fy/reject");
});

test("[OC26] the version is read from what opencode says of itself", () => {
  expect(versionInHealth({ healthy: true, version: "1.18.33" })).toBe("1.18.33");
  expect(versionInHealth("no")).toBeUndefined();
  expect(versionIn("1.1.11\n")).toBe("1.1.11");
  expect(versionIn("")).toBeUndefined();
});
