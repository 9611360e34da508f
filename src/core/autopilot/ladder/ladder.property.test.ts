import { phasesWith } from "../../../autopilot/workflows.ts";
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { askOf, answered } from "../../../../test/sample.ts";
import type { Ask, Kind } from "../../ask/ask.ts";
import { checkAnswers } from "../../ask/answer/check-answer.ts";
import type { Question } from "../../ask/question.ts";
import { CATEGORIES } from "../category/category-name.ts";
import { type Climb, runLadder } from "./ladder.ts";
import type { LadderSettings } from "./ladder-settings.ts";
import { PHASES } from "../rule/phase.ts";
import { compileRules, Rule, type SourcedRule } from "../rule/rule.ts";
import { STAKES } from "../stake/stake.ts";
import { subjectOf } from "../category/subject.ts";

const LABELS = [
  "Yes",
  "No",
  "SQLite (Recommended)",
  "Postgres",
  "You decide",
  "Delete it",
  "Publish to npm",
  "All",
  "A",
  "None",
];
const TEXTS = [
  "Shall I go on?",
  "Which database should we use?",
  "Should I delete the old data?",
  "Publish v1.2.0 to npm?",
  "Which naming convention?",
  "What do you want to do?",
  "",
];
const question: fc.Arbitrary<Question> = fc
  .record({
    text: fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: "binary", maxLength: 40 })),
    header: fc.constantFrom("", "Store", "Next"),
    multiSelect: fc.boolean(),
    labels: fc.uniqueArray(fc.oneof(fc.constantFrom(...LABELS), fc.string({ maxLength: 8 })), { maxLength: 5 }),
  })
  .map(({ labels, ...rest }) => ({
    ...rest,
    options: labels.map((label) => ({ label, description: "", recommended: false })),
  }));
const kind = fc.constantFrom<Kind>("question", "question", "question", "approval", "plan", "gate", "elicitation");
const some = <T>(...values: T[]) => fc.option(fc.subarray(values, { minLength: 1 }), { nil: undefined });
const match = fc.record(
  {
    kind: some<Kind>("question", "approval", "plan", "gate"),
    header: some("Store", "Next"),
    question: some("database", "/^sh/"),
    options: some("Yes", "/^post/"),
    category: some(...CATEGORIES),
    phase: some(...PHASES),
    stakes: some(...STAKES),
  },
  { requiredKeys: [] },
);
const act = fc.constantFrom<object>(
  ...(["recommended", "all", "affirmative", "precedent", "category"] as const).map((choose) => ({ choose })),
  { choose: { label: "Postgres" } },
  { choose: { pattern: "e" } },
  { type: "as planned" },
  { chat: "why?" },
  { brain: "thinker" },
  { act: "hold" },
  { act: "never-auto" },
);
const daring = fc.constant({ kind: ["question", "approval", "plan"], stakes: [...STAKES] });
const rule = fc.tuple(
  fc.oneof({ weight: 3, arbitrary: match }, daring),
  act,
  fc.constantFrom<"user" | "project">("user", "user", "project"),
);
const rules = fc.array(rule, { maxLength: 5 }).map((given) =>
  given.map(([conditions, does, from], i): SourcedRule => {
    const named = Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined));
    return { ...Rule.parse({ name: `rule ${i}`, match: named, ...does }), from };
  }),
);
const settings: fc.Arbitrary<LadderSettings> = fc
  .record({ brain: fc.option(fc.constantFrom("thinker", "ghost"), { nil: undefined }), projectRules: fc.boolean() })
  .map(({ brain, projectRules }) => ({ brains: ["thinker"], projectRules, ...(brain && { brain }) }));
const command = fc.constantFrom(undefined, "/gsd:execute-phase 1", "/gsd:verify-work", "/gsd:plan-phase");
const world = fc.record({
  questions: fc.array(question, { maxLength: 3 }),
  kind,
  command,
  rules,
  settings,
  picks: fc.nat(4),
});

type World = { ask: Ask; climbed: Climb; again: Climb; rules: SourcedRule[]; stakes: string[] };

const check = (holds: (each: World) => void) =>
  fc.assert(
    fc.property(world, ({ questions, kind: asked, command: running, rules: given, settings: how, picks }) => {
      const ask = askOf({ questions, kind: asked, origin: { agent: "claude-code", command: running } });
      const outcome = answered(...questions.map(({ options }) => ({ picks: [picks % Math.max(1, options.length)] })));
      const subject = subjectOf(ask, { precedents: [askOf({ questions, outcome })], phases: phasesWith({}) });
      const once = () => runLadder(subject, compileRules(given), how);
      const stakes = subject.stakes.map(({ stake }) => stake);
      holds({ ask, climbed: once(), again: once(), rules: given, stakes });
    }),
    { numRuns: 3000 },
  );

test("[AL34] no verdict settles, or hands to a brain, what is at stake without the person's rule that names it", () => {
  let risky = 0;
  let named = 0;
  check(({ climbed: { verdict }, rules: given, stakes, ask }) => {
    if (stakes.length === 0) return;
    risky += 1;
    if (verdict.next === "human") return;
    named += 1;
    const own = given.filter(({ from }) => from === "user");
    const brave = own.filter(({ match: { stakes: naming = [], kind: kinds = [] } }) => {
      const isPermission = ask.kind === "approval" || ask.kind === "plan";
      return (
        stakes.some((stake) => (naming as string[]).includes(stake)) && (!isPermission || kinds.includes(ask.kind))
      );
    });
    const covered = new Set<string>(brave.flatMap(({ match: { stakes: naming = [] } }) => naming));
    expect(stakes.filter((stake) => !covered.has(stake))).toEqual([]);
  });
  expect(risky).toBeGreaterThan(500);
  expect(named).toBeGreaterThan(20);
});

test("[AL35] whatever a verdict settles or suggests passes the check of every answer", () => {
  let settled = 0;
  check(({ ask, climbed: { verdict, suggestion } }) => {
    const settlements = [
      ...(verdict.next === "settle" ? [verdict.settlement] : []),
      ...(suggestion ? [suggestion.settlement] : []),
    ];
    for (const { action, answers, message } of settlements) {
      settled += 1;
      if (action === "answer") expect(checkAnswers(ask.questions, answers)).toMatchObject({ ok: true });
      else expect([action, Boolean(message)]).toEqual(["chat", true]);
    }
  });
  expect(settled).toBeGreaterThan(500);
});

test("[AL36] climbing always ends, always the same way, and every step has its reason", () => {
  check(({ climbed, again }) => {
    expect(again).toEqual(climbed);
    expect(climbed.steps.length).toBeGreaterThan(0);
    expect(climbed.steps.filter(({ why }) => why.trim() === "")).toEqual([]);
  });
});
