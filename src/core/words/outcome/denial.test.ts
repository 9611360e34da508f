import { describe, expect, test } from "bun:test";
import { answered, askOf, database, delivery, PERSON } from "../../../../test/sample.ts";
import type { Ask } from "../../ask/ask.ts";
import type { Outcome } from "../../ask/outcome.ts";
import type { Question } from "../../ask/question.ts";
import { outcomeWords } from "./outcome-words.ts";
import { describeOutcome, sentence } from "./sentence.ts";

const option = (label: string, effect: string) => ({ label, effect, description: "", recommended: false });
const asked: Question = {
  text: "Allow this command?",
  header: "Bash",
  multiSelect: false,
  options: [option("Approve", "allow"), option("Deny", "deny"), option("Deny and stop", "cancel")],
};
const outcome = (type: Outcome["type"], more: Partial<Outcome> = {}): Outcome => ({
  type,
  actor: PERSON,
  at: 8000,
  ...more,
});
const ask = (ended: Outcome, more: Partial<Ask> = {}) =>
  askOf({ kind: "approval", questions: [asked], outcome: ended, state: "verified", ...more });
const said = (ended: Outcome, more: Partial<Ask> = {}) =>
  sentence(
    ask(ended, { deliveries: [delivery({ state: "verified", confirmedAt: ended.at + 300 })], ...more }),
    "Claude Code",
    10_000,
  );

test("[PT5] words that do not reach the agent with a refusal are not said to have been received", () => {
  const refuse = { ...option("No", "deny"), takesNote: false };
  const wordless = [{ ...asked, options: [option("Yes", "allow"), refuse] }];
  for (const ended of [answered({ picks: [1], note: "use /tmp" }), outcome("declined", { message: "use /tmp" })])
    expect(said(ended, { questions: wordless })).toBe(
      '✓ denied (not told to the agent: "use /tmp"); Claude Code received it (300 ms)',
    );
  expect(said(answered({ picks: [1] }), { questions: wordless })).toBe("✓ denied; Claude Code received it (300 ms)");
});

describe("refusing a call", () => {
  test.each<[Outcome, string]>([
    [answered({ picks: [1] }), "denied"],
    [answered({ picks: [1], note: "use /tmp" }), 'denied: "use /tmp"'],
    [answered({ picks: [], text: "use /tmp" }), 'denied: "use /tmp"'],
    [outcome("declined", { message: "use /tmp" }), 'denied: "use /tmp"'],
    [outcome("declined"), "denied"],
    [answered({ picks: [2] }), "denied and stopped"],
    [outcome("cancelled"), "denied and stopped"],
    [outcome("cancelled", { message: "think" }), 'denied and stopped: "think"'],
  ])("[VB1] %j is said in one vocabulary, with its words", (ended, words) => {
    expect(said(ended)).toBe(`✓ ${words}; Claude Code received it (300 ms)`);
    expect(said(ended, { state: "delivered" })).toBe(
      `… ${words}; sent to Claude Code, not yet confirmed by its own record`,
    );
    const [verb, own] = words.split(": ");
    const history = outcomeWords(ended, [asked]);
    if (ended.type !== "cancelled") expect(history).toStartWith(`${verb} by a person (${PERSON.surface})`);
    const late = describeOutcome(ask(ended), 10_000);
    expect(late).toStartWith(`${verb} by ${PERSON.surface} `);
    if (own) expect(late).toEndWith(`: ${own.slice(1, -1)}`);
  });

  test("[VB1] what was allowed, and what no call waits for, keep their words", () => {
    expect(said(answered({ picks: [0] }))).toBe('✓ Claude Code received "Approve" (300 ms)');
    const plain = { kind: "question" as const, questions: [database] };
    expect(said(outcome("declined", { message: "neither" }), plain)).toBe(
      '✓ Claude Code received "neither" (declined) (300 ms)',
    );
  });

  test("[VB1] in the terminal too, and a task that ends is no call that was denied", () => {
    const terminal = { actor: { type: "person", surface: "terminal" } as const };
    expect(said(outcome("declined", terminal), { state: "closed" })).toBe("✗ denied in the terminal");
    expect(said(outcome("overtaken", { ...terminal, reason: "declined" }), { state: "closed" })).toBe(
      "✗ the terminal was first: denied",
    );
    const task = { origin: { agent: "claude-code", task: "t" }, state: "closed" as const };
    expect(said(outcome("cancelled"), task)).toBe(`✓ task cancelled by ${PERSON.surface}`);
  });
});
