import { phasesWith } from "../../../autopilot/workflows.ts";
import { expect, test } from "bun:test";
import { answered, askOf, question } from "../../../../test/sample.ts";
import type { Ask } from "../../ask/ask.ts";
import type { Question } from "../../ask/question.ts";
import { runLadder, PLANNING_MISSED } from "./ladder.ts";
import type { LadderSettings } from "./ladder-settings.ts";
import { compileRules, Rule, type SourcedRule } from "../rule/rule.ts";
import { subjectOf, type Surroundings } from "../category/subject.ts";
import { withNote } from "../tell.ts";

const settings: LadderSettings = { brains: ["thinker"], projectRules: false };
const rule = (given: object, from?: "project"): SourcedRule => ({
  ...Rule.parse({ name: "mine", ...given }),
  ...(from && { from }),
});
const climbed = (
  ask: Partial<Ask>,
  rules: SourcedRule[],
  more: Partial<LadderSettings> = {},
  given: Surroundings = {},
) =>
  runLadder(subjectOf(askOf(ask), { phases: phasesWith({}), ...given }), compileRules(rules), { ...settings, ...more });
const asks = (...questions: Question[]): Partial<Ask> => ({ questions });

const goOn = question("Shall I go on?", ["Yes", "No"]);
const store = question("Which database should we use?", ["SQLite (Recommended)", "Postgres"]);
const wipe = question("Should I delete the old data?", ["Yes", "No"]);
const byMine = { type: "rule", surface: "autopilot", name: "mine" } as const;

test("[AL7] the first rule that matches decides, and says so", () => {
  const rules = [
    rule({ name: "other", match: { header: "nothing" }, act: "hold" }),
    rule({ match: { category: "confirmation" }, choose: { label: "Yes" } }),
    rule({ name: "late", choose: { label: "No" } }),
  ];
  const reason = 'matches by category; "Yes" is matched by label';
  expect(climbed(asks(goOn), rules)).toEqual({
    steps: [{ step: "rule", name: "mine", result: "decided", why: reason }],
    verdict: { next: "settle", settlement: { action: "answer", answers: [{ picks: [0] }], reason }, by: byMine },
  });
});

test("[AL7] a rule that goes by category says which one it is and why", () => {
  expect(climbed(asks(goOn), [rule({ choose: "category" })]).steps[0]?.why).toBe(
    'matches everything; confirmation (one option affirms it, another does not); "Yes" is the affirmative option',
  );
});

test("[TU25] a rule that reads the options itself has to earn more, under a name of its own for each reading", () => {
  const earns = (given: Parameters<typeof rule>[0]) => {
    const { verdict } = climbed(asks(goOn), [rule(given)]);
    return verdict.next === "settle" ? verdict.earns : verdict.next;
  };
  expect(earns({ choose: { label: "Yes" } })).toBeUndefined();
  expect(earns({ type: "Go on" })).toBeUndefined();
  const [affirmative, category] = [earns({ choose: "affirmative" }), earns({ choose: "category" })];
  expect([affirmative, category].every((name) => /^[0-9a-f]{8}$/.test(name ?? ""))).toBe(true);
  expect(affirmative).not.toBe(category);
  expect(earns({ name: "renamed", choose: "affirmative" })).toBe(affirmative);
});

test("[AL8] a rule chooses by label, pattern, recommendation or all, types, or talks", () => {
  const features = question("Which features?", ["Auth", "Search"], true);
  const given = (asked: Question, acts: object) => {
    const { verdict } = climbed(asks(asked), [rule(acts)]);
    if (verdict.next !== "settle") return verdict.next;
    return verdict.settlement.action === "chat" ? verdict.settlement.message : verdict.settlement.answers;
  };
  expect(given(store, { choose: { label: "postgres" } })).toEqual([{ picks: [1] }]);
  expect(given(store, { choose: { label: "SQLite" } })).toEqual([{ picks: [0] }]);
  expect(given(store, { choose: { pattern: "^post" } })).toEqual([{ picks: [1] }]);
  expect(given(store, { choose: "recommended" })).toEqual([{ picks: [0] }]);
  expect(given(features, { choose: "all" })).toEqual([{ picks: [0, 1] }]);
  expect(given(features, { choose: { pattern: "." } })).toEqual([{ picks: [0, 1] }]);
  expect(given(store, { type: "DuckDB" })).toEqual([{ picks: [], text: "DuckDB" }]);
  expect(given(store, { chat: "Look at ROADMAP.md first" })).toBe("Look at ROADMAP.md first");
});

test("[AL9] a rule that cannot be applied fails with its reason, and the ladder goes on", () => {
  const { steps, verdict } = climbed(asks(store), [rule({ choose: { pattern: "s" } })], { brain: "thinker" });
  expect(steps).toEqual([
    { step: "rule", name: "mine", result: "failed", why: "matches everything; several options are matched by pattern" },
    { step: "precedent", result: "passed", why: "it was not asked here before" },
    { step: "brain", name: "thinker", result: "asked", why: "no rule decided" },
  ]);
  expect(verdict).toEqual({ next: "brain", brain: "thinker" });
});

test("[AL9] no option that only looks like a yes is taken for one", () => {
  const language = question("Which language?", ["Rust", "Go"]);
  expect(climbed(asks(language), [rule({ choose: "affirmative" })]).steps[0]?.why).toBe(
    "matches everything; it does not ask for a yes",
  );
});

test("[AL10] several questions are settled together, each by its own rule, or not at all", () => {
  const rules = [rule({ name: "yes", match: { category: "confirmation" }, choose: "affirmative" })];
  const partly = climbed(asks(goOn, store), rules);
  expect(partly.verdict.next).toBe("human");
  expect(partly.steps[1]?.why).toBe("no rule matches 1 of 2 questions");
  const whole = climbed(asks(goOn, store), [...rules, rule({ name: "store", choose: "recommended" })]);
  expect(whole.verdict).toMatchObject({
    by: { name: "yes, store" },
    settlement: { answers: [{ picks: [0] }, { picks: [0] }] },
  });
});

test("[AL11] of the rules for several questions the most careful decides", () => {
  const first = rule({ name: "answer", match: { category: "confirmation" }, choose: "affirmative" });
  const next = (second: object) => climbed(asks(goOn, store), [first, rule(second)]).verdict;
  expect(next({ act: "never-auto" })).toEqual({ next: "human", reason: 'the rule "mine" says never', never: true });
  expect(next({ act: "hold" })).toEqual({ next: "human", reason: 'the rule "mine" holds it for a person' });
  expect(next({ brain: "thinker" })).toEqual({ next: "brain", brain: "thinker", rule: "mine" });
});

test("[AL19] an answer given while a plan is carried out warns that planning missed the question", () => {
  const origin = { agent: "claude-code", command: "/gsd:execute-phase 2" };
  const rules = [rule({ choose: "recommended" })];
  expect(climbed({ ...asks(store), origin }, rules).verdict).toMatchObject({
    next: "settle",
    warning: PLANNING_MISSED,
  });
  expect(climbed({ ...asks(store), origin }, [], { brain: "thinker" }).verdict).toMatchObject({
    warning: PLANNING_MISSED,
  });
  expect(climbed({ ...asks(goOn), origin }, [rule({ choose: "affirmative" })]).verdict).not.toHaveProperty("warning");
  const planning = { agent: "claude-code", command: "/gsd:plan-phase 2" };
  expect(climbed({ ...asks(store), origin: planning }, rules).verdict).not.toHaveProperty("warning");
});

test("[AL29] what is at stake waits for a person, unless the person's own rule names every stake", () => {
  const held = climbed(asks(wipe), [rule({ choose: "affirmative" })], { brain: "thinker" });
  expect(held.verdict).toEqual({ next: "human", reason: 'at stake: destructive ("delete the old data")', never: true });
  expect(held.steps.map(({ step, result }) => `${step} ${result}`)).toEqual([
    "rule passed",
    "stakes held",
    "precedent passed",
    "human decided",
  ]);
  const named = { match: { stakes: "destructive" }, choose: { label: "No" } };
  expect(climbed(asks(wipe), [rule(named)]).verdict).toMatchObject({ next: "settle" });
  expect(climbed(asks(wipe), [rule(named, "project")], { projectRules: true }).verdict).toMatchObject({ never: true });
  const both = question("Should I delete the old data? It cannot be undone", ["Yes", "No"]);
  expect(climbed(asks(both), [rule(named)]).verdict).toMatchObject({ never: true });
});

test("[EL8] what a server asks for is left to a person, unless their own rule names such forms", () => {
  const form: Partial<Ask> = { kind: "elicitation", questions: [goOn] };
  const next = (given: object, from?: "project") =>
    climbed(form, [rule(given, from)], { brain: "thinker" }).verdict.next;
  expect(next({ choose: { label: "Yes" } })).toBe("human");
  expect(next({ match: { header: "nothing" }, choose: { label: "Yes" } })).toBe("human");
  expect(next({ match: { kind: "elicitation" }, choose: { label: "Yes" } }, "project")).toBe("human");
});

test("[AL30] an approval or a plan is settled only by the person's own rule that names its kind and its stake", () => {
  const approval: Partial<Ask> = { kind: "approval", questions: [question("Run npm test?", ["Approve", "Deny"])] };
  const next = (given: object) => climbed(approval, [rule(given)], { brain: "thinker" }).verdict;
  expect(next({ choose: "affirmative" })).toMatchObject({ next: "human", never: true });
  expect(next({ match: { kind: "approval" }, choose: "affirmative" })).toMatchObject({ next: "human", never: true });
  expect(next({ match: { stakes: "permission" }, choose: "affirmative" })).toMatchObject({
    next: "human",
    never: true,
  });
  expect(next({ match: { kind: "approval", stakes: "permission" }, choose: "affirmative" })).toMatchObject({
    next: "settle",
    by: { ...byMine, kind: "approval" },
  });
});

test("[AL31] a project's own rules only hold, until the person lets them act", () => {
  const answer = rule({ choose: "recommended" }, "project");
  expect(climbed(asks(store), [answer]).verdict.next).toBe("human");
  expect(climbed(asks(store), [answer], { projectRules: true }).verdict.next).toBe("settle");
  expect(climbed(asks(store), [rule({ act: "never-auto" }, "project")]).verdict).toMatchObject({ never: true });
  const asking = climbed(asks(store), [rule({ brain: "thinker" }, "project")], { projectRules: true });
  expect(asking.verdict.next).toBe("human");
  expect(asking.steps[0]?.why).toBe("a project's rule asks no brain");
});

test("[AL32] precedents suggest, and answer alone only where a rule lets them", () => {
  const precedents = [askOf({ questions: [store], outcome: answered({ picks: [1] }) })];
  const alone = climbed(asks(store), [], {}, { precedents });
  expect(alone.verdict).toEqual({ next: "human", reason: "no rule decided, and no brain is asked" });
  expect(alone.suggestion).toMatchObject({
    settlement: { answers: [{ picks: [1] }] },
    why: 'answered once: "Postgres"',
  });
  const allowed = climbed(asks(store), [rule({ choose: "precedent" })], {}, { precedents });
  expect(allowed.verdict).toMatchObject({ next: "settle", by: byMine, settlement: { answers: [{ picks: [1] }] } });
  const split = [...precedents, askOf({ questions: [store], outcome: answered({ picks: [0] }) })];
  const contradicted = climbed(asks(store), [rule({ choose: "precedent" })], {}, { precedents: split });
  expect(contradicted.verdict.next).toBe("human");
  expect(contradicted.suggestion).toBeUndefined();
  expect(contradicted.steps[0]?.why).toContain("contradict each other");
});

test("[AL33] a brain that does not exist, and a kind no rule names, end with a person", () => {
  expect(climbed(asks(store), [rule({ brain: "ghost" })]).steps[1]).toMatchObject({ step: "brain", result: "failed" });
  expect(climbed(asks(store), [], { brain: "ghost" }).verdict).toEqual({
    next: "human",
    reason: 'there is no brain "ghost"',
  });
  expect(climbed({ ...asks(store), kind: "gate" }, [], { brain: "thinker" }).verdict).toEqual({
    next: "human",
    reason: "no rule names what to do with gate",
    never: true,
  });
  expect(climbed(asks(), []).verdict).toEqual({ next: "human", reason: "there is no question to answer" });
});

test("[AU65] what a task asks when its agent stopped is for a person alone, unless a rule of theirs names the kind", () => {
  const verdict = (kind: Ask["kind"], given: object, from?: "project") =>
    climbed({ ...asks(store), kind }, [rule(given, from)], { brain: "thinker", projectRules: true }).verdict;
  for (const kind of ["idle", "dead", "error", "gate", "budget", "review"] as const) {
    expect(verdict(kind, { choose: "recommended" })).toMatchObject({ next: "human", never: true });
    expect(verdict(kind, { act: "hold" })).toMatchObject({ next: "human", never: true });
    expect(verdict(kind, { match: { kind }, act: "hold" }, "project")).toMatchObject({ next: "human", never: true });
    expect(verdict(kind, { match: { kind }, act: "hold" })).not.toHaveProperty("never");
    expect(verdict(kind, { match: { kind }, brain: "thinker" })).toMatchObject({ next: "brain" });
  }
  expect(verdict("question", { act: "hold" })).not.toHaveProperty("never");
});

test("[AL37] a remark goes beside the first answer, where the agent reads it, and never onto an allowed call", () => {
  const ask = askOf(asks(goOn, store));
  const answers = [{ picks: [0], note: "as before" }, { picks: [1] }];
  expect(withNote(ask, { action: "answer", answers }, PLANNING_MISSED).answers).toEqual([
    { picks: [0], note: `as before — ${PLANNING_MISSED}` },
    { picks: [1] },
  ]);
  expect(withNote(ask, { action: "chat", message: "why?" }, "late").message).toBe("why? — late");
  const option = { label: "Approve", description: "", recommended: false, effect: "allow" as const };
  const approval = askOf({ kind: "approval", questions: [{ ...goOn, options: [option] }] });
  const allowed = { action: "answer" as const, answers: [{ picks: [0] }] };
  expect(withNote(approval, allowed, "late")).toEqual(allowed);
});
