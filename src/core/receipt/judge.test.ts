import { describe, expect, test } from "bun:test";
import { answered, askOf, database, delivery, features, PERSON, question } from "../../../test/sample.ts";
import type { Ask, Delivery } from "../ask/ask.ts";
import { judge, withdraw } from "./judge.ts";
import type { Outcome } from "../ask/outcome.ts";
import type { Decider, Received, ReceivedChoice } from "./received.ts";

const AT = 9000;
const TERMINAL = { type: "person", surface: "terminal" } as const;
const AGENT = { type: "system", surface: "agent" } as const;
const RACING = delivery({ state: "sent", racing: true });
const HELD = delivery({ state: "sent", racing: false });

const chose = (...choices: (ReceivedChoice | undefined)[]): Received => ({ type: "answers", choices, text: "read" });
const sqlite: ReceivedChoice = { labels: ["SQLite"], raw: "SQLite" };
const postgres: ReceivedChoice = { labels: ["Postgres"], raw: "Postgres" };
const decided = (by: Decider, ...choices: ReceivedChoice[]): Received => ({
  type: "answers",
  choices,
  text: "read",
  decidedBy: by,
});

function verdict(outcome: Outcome | undefined, where: Delivery, received: Received, more: Partial<Ask> = {}) {
  return judge(askOf({ ...(outcome && { outcome }), deliveries: [where], ...more }), where, received, AT);
}

const escape: Received = { type: "refused", by: "escape", text: "STOP" };
const chat: Received = { type: "refused", by: "chat", text: "clarify" };
const denied: Received = { type: "denied", text: "not here" };
const timedOut: Received = { type: "timed-out", text: "No response after 60s" };
const interrupted: Received = { type: "interrupted", text: "[Tool call interrupted]" };
const lost: Received = { type: "lost", text: "[Tool result missing]" };

describe("an open Ask", () => {
  test.each([
    [chose(sqlite), { type: "answered-elsewhere", actor: TERMINAL, at: AT, answers: [{ picks: [0] }] }],
    [
      chose({ labels: ["gone"], text: "mine", note: "n" }),
      { type: "answered-elsewhere", actor: TERMINAL, at: AT, answers: [{ picks: [], text: "mine", note: "n" }] },
    ],
    [chose(undefined), { type: "answered-elsewhere", actor: TERMINAL, at: AT, answers: [{ picks: [], unread: "" }] }],
    [
      { type: "answers", choices: [undefined], unread: '{"0":"SQLite"}', text: "read" },
      { type: "answered-elsewhere", actor: TERMINAL, at: AT, answers: [{ picks: [], unread: '{"0":"SQLite"}' }] },
    ],
    [escape, { type: "declined", actor: TERMINAL, at: AT }],
    [chat, { type: "chat", actor: TERMINAL, at: AT }],
    [denied, { type: "declined", actor: { type: "system", surface: "another hook" }, at: AT, reason: "not here" }],
    [
      { ...denied, by: "its don't ask mode" },
      { type: "declined", actor: { type: "system", surface: "its don't ask mode" }, at: AT, reason: "not here" },
    ],
    [timedOut, { type: "expired", actor: AGENT, at: AT, reason: "the agent's own timer ran out" }],
    [interrupted, { type: "withdrawn", actor: AGENT, at: AT, reason: "agent-exited" }],
    [lost, { type: "withdrawn", actor: AGENT, at: AT, reason: "moved-on", message: "[Tool result missing]" }],
  ] as [Received, Outcome][])("[J1] ends as the agent's record says: %j", (received, outcome) => {
    expect(verdict(undefined, delivery(), received)).toEqual({ type: "ask.ended", key: "toolu_1", outcome });
  });
});

describe("our answer", () => {
  const ours = answered({ picks: [0] });

  test("[J2] is verified when exactly it arrived, sent or thought to be still waiting", () => {
    const proof = { type: "ask.verified", key: "toolu_1", detail: "read" } as const;
    expect(verdict(ours, RACING, chose(sqlite))).toEqual(proof);
    expect(verdict(ours, HELD, chose(sqlite))).toEqual(proof);
    expect(verdict(ours, delivery(), chose(sqlite))).toEqual(proof);
  });

  test("[J3] another answer beside an open dialog was first, and ours is kept as lost", () => {
    expect(verdict(ours, RACING, chose(postgres))).toEqual({
      type: "ask.ended",
      key: "toolu_1",
      outcome: {
        type: "overtaken",
        actor: TERMINAL,
        at: AT,
        answers: [{ picks: [1] }],
        reason: "answered-elsewhere",
        lost: ours,
      },
    });
  });

  test.each([
    [escape, "declined"],
    [chat, "chat"],
    [timedOut, "expired"],
  ])("[J4] what ended the open dialog was first: %j", (received, reason) => {
    expect(verdict(ours, RACING, received)).toMatchObject({ outcome: { type: "overtaken", reason, lost: ours } });
  });

  test("[J5] another answer where no dialog was open is a mismatch", () => {
    expect(verdict(ours, HELD, chose(postgres))).toEqual({
      type: "ask.mismatched",
      key: "toolu_1",
      detail: 'sent "SQLite", received "Postgres"',
    });
    expect(verdict(ours, HELD, escape)).toMatchObject({
      type: "ask.mismatched",
      detail: "sent an answer, the agent's record says: STOP",
    });
  });

  test("[J6] nothing of ours went out, so any other answer is a person's", () => {
    expect(verdict(ours, delivery(), chose(postgres))).toMatchObject({ outcome: { type: "overtaken" } });
    expect(verdict(ours, delivery(), escape)).toMatchObject({ outcome: { type: "overtaken", reason: "declined" } });
  });

  test.each([
    ["other case", { labels: [], text: "sqlite", raw: "sqlite" }],
    ["quotes around it", { labels: [], text: '"SQLite"', raw: '"SQLite"' }],
    ["spaces within it", { labels: [], text: "SQ Lite", raw: "SQ Lite" }],
  ])("[J7] ours in damaged form is a mismatch, not the terminal: %s", (_, choice) => {
    expect(verdict(ours, RACING, chose(choice))).toMatchObject({ type: "ask.mismatched" });
  });

  test("[J7] where an answer has no letters, another one is the terminal's", () => {
    const questions = [question("How was it?", ["👍", "👎"])];
    const thumb = { labels: ["👎"], raw: "👎" };
    expect(verdict(ours, RACING, chose(thumb), { questions })).toMatchObject({ outcome: { type: "overtaken" } });
  });

  test("[J8] half an answer is a mismatch that names the question", () => {
    const both = answered({ picks: [0] }, { picks: [1] });
    const questions = [database, features];
    expect(verdict(both, RACING, chose(sqlite, undefined), { questions })).toEqual({
      type: "ask.mismatched",
      key: "toolu_1",
      detail: '"Which features?" has no answer in the agent\'s record',
    });
    expect(verdict(both, RACING, chose(undefined, undefined), { questions })).toMatchObject({ type: "ask.mismatched" });
  });

  test("[J9] where the agent says who decided, that is who was first", () => {
    const damaged = { labels: [], text: "sqlite", raw: "sqlite" };
    expect(verdict(ours, RACING, decided("hook", postgres))).toMatchObject({ type: "ask.mismatched" });
    expect(verdict(ours, RACING, decided("person", postgres))).toMatchObject({ outcome: { type: "overtaken" } });
    expect(verdict(ours, RACING, decided("person", damaged))).toMatchObject({ outcome: { type: "overtaken" } });
    expect(verdict(ours, RACING, decided("person", sqlite))).toMatchObject({ type: "ask.verified" });
  });

  test("[J10] a plain join that reads two ways is ours when it is ours letter for letter", () => {
    const commas = answered({ picks: [0, 1], text: "x, y" });
    const choice = { labels: ["Auth"], text: "A, B, x, y", raw: "Auth, A, B, x, y" };
    expect(verdict(commas, RACING, chose(choice), { questions: [features] })).toMatchObject({ type: "ask.verified" });
    const { raw: _, ...without } = choice;
    expect(verdict(commas, RACING, chose(without), { questions: [features] })).toMatchObject({
      type: "ask.mismatched",
    });
  });

  test("[J11] a note that did not arrive is a mismatch, also in a plain join", () => {
    const noted = answered({ picks: [0], note: "soon" });
    expect(verdict(noted, RACING, chose({ ...sqlite, note: "soon" }))).toMatchObject({ type: "ask.verified" });
    expect(verdict(noted, RACING, chose(sqlite))).toEqual({
      type: "ask.mismatched",
      key: "toolu_1",
      detail: 'sent note "soon", received no note',
    });
  });

  test("[J12] the note that tells of a rule is part of what was sent", () => {
    const ruled = { ...ours, actor: { type: "rule", surface: "policy" } as const };
    const note = "answered by a rule, not by a person";
    expect(verdict(ruled, RACING, chose({ ...sqlite, note }))).toMatchObject({ type: "ask.verified" });
    expect(verdict(ruled, RACING, chose(sqlite))).toMatchObject({ type: "ask.mismatched" });
  });

  test("[J13] a denial or a lost result in its place is a mismatch", () => {
    expect(verdict(ours, RACING, denied)).toMatchObject({
      type: "ask.mismatched",
      detail: "sent an answer, the agent's record says: not here",
    });
    expect(verdict(ours, RACING, lost)).toMatchObject({ type: "ask.mismatched" });
  });

  test("[J14] a session cut off before it recorded anything is still owed the answer", () => {
    expect(verdict(ours, RACING, interrupted)).toBeUndefined();
    expect(verdict(ours, delivery(), interrupted)).toBeUndefined();
  });
});

describe("our refusal", () => {
  const outcome = (type: Outcome["type"], message?: string): Outcome => ({
    type,
    actor: PERSON,
    at: 2000,
    ...(message !== undefined && { message }),
  });
  const said = (text: string): Received => ({ type: "denied", text });

  test.each([
    [outcome("declined"), "The user declined to answer this question."],
    [outcome("declined", "no"), "PreToolUse:AskUserQuestion hook error: The user declined to answer this question: no"],
    [outcome("chat", "why?"), "The user wants to talk about this before answering: why?"],
    [outcome("cancelled", "x"), "The user cancelled this question; stop here and wait for them: x"],
  ])("[J15] is verified by its words: %j", (sent, text) => {
    expect(verdict(sent, RACING, said(text))).toEqual({ type: "ask.verified", key: "toolu_1", detail: text });
    expect(verdict(sent, HELD, said("something else"))).toMatchObject({
      type: "ask.mismatched",
      detail: `sent ${sent.type}, the agent's record says: something else`,
    });
  });

  test("[J16] a cancellation without words reads like Esc; one with words does not", () => {
    expect(verdict(outcome("cancelled"), RACING, escape)).toMatchObject({ type: "ask.verified", detail: "STOP" });
    expect(verdict(outcome("cancelled", "x"), RACING, escape)).toMatchObject({ outcome: { type: "overtaken" } });
    expect(verdict(outcome("cancelled"), RACING, chat)).toMatchObject({ outcome: { reason: "chat" } });
  });

  test("[J17] an answer or Esc beside the open dialog was first", () => {
    const declined = outcome("declined");
    expect(verdict(declined, RACING, escape)).toMatchObject({ outcome: { type: "overtaken", reason: "declined" } });
    expect(verdict(declined, RACING, chose(sqlite))).toMatchObject({
      outcome: { type: "overtaken", answers: [{ picks: [0] }], lost: declined },
    });
  });
});

test.each(["verified", "mismatched", "ended"] as const)("[J18] a delivery that is %s is not judged again", (state) => {
  expect(verdict(answered({ picks: [0] }), delivery({ state }), chose(sqlite))).toBeUndefined();
  expect(verdict(undefined, delivery({ state }), chose(sqlite))).toBeUndefined();
});

test("[J19] an open Ask is withdrawn with its reason, a decided one is kept", () => {
  expect(withdraw(askOf(), "moved-on", AT)).toEqual({
    type: "ask.closed",
    outcome: { type: "withdrawn", actor: AGENT, at: AT, reason: "moved-on" },
  });
  expect(withdraw(askOf({ outcome: answered({ picks: [0] }) }), "agent-exited", AT)).toBeUndefined();
});
