import { describe, expect, test } from "bun:test";
import { answered, askOf, database, delivery, features, PERSON } from "../../../../test/sample.ts";
import type { Ask } from "../../ask/ask.ts";
import type { Outcome } from "../../ask/outcome.ts";
import { describeOutcome, sentence } from "./sentence.ts";
import { duration } from "../time.ts";

const NOW = 10_000;
const say = (more: Partial<Ask>) => sentence(askOf(more), "Claude Code", NOW);
const ours = answered({ picks: [0] });
const terminal = { type: "person", surface: "terminal" } as const;
const closed = (outcome: Partial<Outcome> & Pick<Outcome, "type">) =>
  say({ state: "closed", outcome: { actor: terminal, at: 2000, ...outcome } });

describe("sentence", () => {
  test("[TC41] what to make of a task is received by Parley, not by the task's agent", () => {
    const deliveries = [delivery({ state: "verified", channel: "self" })];
    expect(say({ state: "verified", outcome: ours, deliveries })).toStartWith('✓ Parley received "SQLite" (');
  });

  test("[SF57] an answer that could not be read is never shown as an empty one", () => {
    const elsewhere = (...answers: Outcome["answers"] & object) =>
      closed({ type: "answered-elsewhere", answers: [...answers] });
    const raw = '{"0":"SQLite"}';
    expect(elsewhere({ picks: [], unread: raw })).toBe(
      `✗ answered in the terminal; the answer could not be read: ${raw}`,
    );
    expect(elsewhere({ picks: [], unread: "" })).toBe(
      "✗ answered in the terminal; the answer is not in the agent's record",
    );
    expect(elsewhere({ picks: [] })).toBe("✓ answered in the terminal: nothing");
    expect(closed({ type: "overtaken", reason: "answered-elsewhere", answers: [{ picks: [], unread: raw }] })).toBe(
      `✗ the terminal was first; the answer could not be read: ${raw}`,
    );
    const two = { state: "closed" as const, questions: [database, features] };
    const answers = [{ picks: [0] }, { picks: [], unread: raw }];
    expect(say({ ...two, outcome: { type: "answered-elsewhere", actor: terminal, at: 1, answers } })).toBe(
      `✗ answered in the terminal: SQLite; (could not be read: ${raw})`,
    );
    const deliveries = [delivery({ state: "mismatched", detail: `could not be read: ${raw}` })];
    expect(say({ state: "mismatched", outcome: ours, deliveries })).toBe(
      `✗ what Claude Code received could not be read: ${raw}`,
    );
  });

  test("[SF22] a task that was cancelled: underway, then done, with the words", () => {
    const outcome = { type: "cancelled", actor: PERSON, at: 1 } as const;
    const origin = { agent: "claude-code", task: "t" };
    expect(say({ state: "delivered", origin, outcome })).toBe("… cancelling the task");
    expect(say({ state: "closed", origin, outcome: { ...outcome, message: "too late" } })).toBe(
      `✓ task cancelled by ${PERSON.surface}: too late`,
    );
  });

  test("[WD4] open: how long it waits", () => {
    expect(say({})).toBe("… waiting for an answer for 9 s");
    expect(say({ createdAt: NOW - 3_600_000 * 3 })).toBe("… waiting for an answer for 3 h");
  });

  test("[WD5] settled: what is kept, and whether the way is gone", () => {
    expect(say({ state: "settled", outcome: ours })).toBe('… saved: "SQLite"; Claude Code has not picked it up yet');
    expect(
      say({
        state: "settled",
        outcome: ours,
        deliveries: [delivery({ state: "sent" }), delivery({ released: "signal" })],
      }),
    ).toBe(
      '… saved: "SQLite"; Claude Code has not picked it up yet (its hook is gone; it gets the answer when the session is resumed)',
    );
    const parked = { origin: { ...askOf().origin, task: "t" }, deliveries: [delivery({ released: "parked" })] };
    expect(say({ state: "settled", outcome: ours, ...parked })).toBe('… saved: "SQLite"; its task continues with it');
  });

  test("[WD6] delivered: not yet proof", () => {
    expect(say({ state: "delivered", outcome: ours })).toBe(
      '… sent "SQLite" to Claude Code, not yet confirmed by its own record',
    );
  });

  test("[WD7] verified: received, and how fast", () => {
    const deliveries = [
      delivery({ state: "verified", confirmedAt: 2010 }),
      delivery({ state: "verified", confirmedAt: 2038 }),
    ];
    expect(say({ state: "verified", outcome: ours, deliveries })).toBe('✓ Claude Code received "SQLite" (38 ms)');
    const declined: Outcome = { type: "declined", actor: PERSON, at: 2000 };
    expect(say({ state: "verified", outcome: declined, deliveries })).toBe('✓ Claude Code received "declined" (38 ms)');
    expect(say({ state: "verified", outcome: { ...declined, message: "not now" }, deliveries })).toBe(
      '✓ Claude Code received "not now" (declined) (38 ms)',
    );
  });

  test("[WD8] mismatched: the difference", () => {
    const deliveries = [delivery({ state: "mismatched", detail: 'sent "SQLite", received "Postgres"' })];
    expect(say({ state: "mismatched", outcome: ours, deliveries })).toBe(
      '✗ Claude Code received something else: sent "SQLite", received "Postgres"',
    );
  });

  test.each([
    [{ type: "answered-elsewhere", answers: [{ picks: [1] }] }, "✓ answered in the terminal: Postgres"],
    [{ type: "overtaken", answers: [{ picks: [1] }] }, "✗ the terminal was first: Postgres"],
    [{ type: "overtaken", reason: "chat" }, "✗ the terminal was first: chat"],
    [{ type: "overtaken" }, "✗ the terminal was first: declined"],
    [{ type: "declined" }, "✗ declined in the terminal"],
    [{ type: "declined", actor: { type: "system", surface: "another hook" } }, "✗ declined by another hook"],
    [{ type: "chat" }, "✗ “chat about this” chosen in the terminal"],
    [{ type: "expired", reason: "the agent's own timer ran out" }, "✗ expired: the agent's own timer ran out"],
    [{ type: "expired" }, "✗ expired"],
    [{ type: "withdrawn", reason: "agent-exited" }, "✗ withdrawn: Claude Code is gone"],
    [{ type: "withdrawn", reason: "session-ended" }, "✗ withdrawn: the session ended"],
    [{ type: "withdrawn", reason: "moved-on" }, "✗ withdrawn: Claude Code continued without an answer"],
    [{ type: "withdrawn", reason: "other" }, "✗ withdrawn"],
    [{ type: "cancelled", actor: PERSON }, "✗ cancelled by cli"],
    [{ type: "answered", actor: PERSON, answers: [{ picks: [0] }] }, "✓ answered by cli: SQLite"],
  ] as [Partial<Outcome> & Pick<Outcome, "type">, string][])("[WD9] closed: %j", (outcome, words) => {
    expect(closed(outcome)).toBe(words);
  });

  test("[WD10] several answers, own words and notes in one line, neutralised", () => {
    const outcome = answered({ picks: [], text: "a\n\x1b[31mb" }, { picks: [0, 1], text: "mine", note: "soon" });
    expect(say({ questions: [database, features], state: "delivered", outcome })).toBe(
      '… sent "a b; Auth, A, B, mine (note: soon)" to Claude Code, not yet confirmed by its own record',
    );
    const long = say({ state: "delivered", outcome: answered({ picks: [], text: "x".repeat(5000) }) });
    expect(long).toHaveLength('… sent "" to Claude Code, not yet confirmed by its own record'.length + 200);
  });
});

describe("describeOutcome", () => {
  test.each([
    [ours, "answered by cli 8 s ago: SQLite"],
    [{ ...ours, actor: { ...PERSON, name: "Ann\x1b[1m" } }, "answered by Ann 8 s ago: SQLite"],
    [
      { ...ours, actor: { type: "agent", surface: "cli", session: "s" } },
      "answered by another agent (cli) 8 s ago: SQLite",
    ],
    [{ ...ours, type: "overtaken", actor: terminal }, "answered in the terminal 8 s ago: SQLite"],
    [{ type: "declined", actor: PERSON, at: 2000, message: "no" }, "declined by cli 8 s ago: no"],
    [{ type: "cancelled", actor: PERSON, at: 2000 }, "cancelled by cli 8 s ago"],
  ] as [Outcome, string][])("[WD11] tells who came too late: %j", (outcome, words) => {
    expect(describeOutcome(askOf({ outcome }), NOW)).toBe(words);
  });

  test("[WD11] an open Ask is open", () => {
    expect(describeOutcome(askOf(), NOW)).toBe("open");
  });
});

test.each([
  [-5, "0 ms"],
  [0, "0 ms"],
  [999, "999 ms"],
  [1000, "1 s"],
  [1240, "1.2 s"],
  [9960, "10 s"],
  [12_400, "12 s"],
  [89_999, "90 s"],
  [90_000, "2 min"],
  [5_399_000, "90 min"],
  [5_400_000, "2 h"],
  [129_599_000, "36 h"],
  [129_600_000, "2 d"],
])("[WD12] %d ms is said as %s", (ms, words) => {
  expect(duration(ms)).toBe(words);
});
