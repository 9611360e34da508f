import type { Answer } from "../../ask/answer/answer.ts";
import { checkAnswers } from "../../ask/answer/check-answer.ts";
import type { Actor } from "../../ask/outcome.ts";
import type { Settlement } from "../../ask/settle.ts";
import { digest } from "../digest.ts";
import { applyRule } from "../rule/apply-rule.ts";
import { openedBy } from "../gate/lift.ts";
import { heldForPerson } from "../gate/permission.ts";
import type { LadderSettings, Step } from "./ladder-settings.ts";
import { ANSWERABLE, matches, mismatch } from "../rule/rule-match.ts";
import type { CompiledRule } from "../rule/rule.ts";
import type { Subject } from "../category/subject.ts";

/**
 * `risky`: nobody but a person may go on. `open`: no rule decided. `earns`: the rules as they are, where one of them does
 * not say itself which option it is: then it proposes until it has earned more.
 */
export type RuleResult =
  | { result: "settled"; settlement: Settlement; by: Actor; earns?: string }
  | { result: "brain"; brain: string; rule: string }
  | { result: "held"; why: string; never?: true }
  | { result: "risky"; why: string }
  | { result: "open" };

type Fired = { rule: CompiledRule; why: string } | undefined;

/** The first rule that matches, for each question; the most careful of them decides for the whole Ask. */
export function climbRules(
  subject: Subject,
  rules: readonly CompiledRule[],
  settings: LadderSettings,
): RuleResult & { steps: Step[] } {
  const fired = subject.ask.questions.map((_, index) => firstMatch(subject, rules, index));
  const steps: Step[] = [];
  const firing = fired.flatMap((each) => (each ? [each] : []));
  const held = firing.find(({ rule }) => rule.act === "never-auto") ?? firing.find(({ rule }) => rule.act === "hold");
  if (held) {
    steps.push({ step: "rule", name: held.rule.name, result: "held", why: held.why });
    const isNever = held.rule.act === "never-auto";
    const never = isNever || !isMeant(subject, held.rule);
    const why = isNever
      ? `the rule "${held.rule.name}" says never`
      : `the rule "${held.rule.name}" holds it for a person`;
    return { steps, result: "held", why, ...(never && { never }) };
  }
  const about = fired.map((each) => each?.rule);
  const { atStake: risk, notHarmless: closed } = heldForPerson(subject, about);
  if (risk !== undefined) {
    for (const { rule, why } of firing)
      steps.push({ step: "rule", name: rule.name, result: "passed", why: `${why}, but at stake: ${risk}` });
    steps.push({ step: "stakes", result: "held", why: risk });
    return { steps, result: "risky", why: `at stake: ${risk}` };
  }
  if (closed !== undefined) {
    for (const { rule, why } of firing)
      steps.push({ step: "rule", name: rule.name, result: "passed", why: `${why}, but ${closed}` });
    steps.push({ step: "gate", result: "held", why: closed });
    return { steps, result: "risky", why: `not plainly harmless: ${closed}` };
  }
  if (subject.stakes.length > 0)
    steps.push({ step: "stakes", result: "passed", why: `named by a rule: ${inWords(subject)}` });
  const opened = openedBy(subject, about);
  if (opened !== undefined) steps.push({ step: "gate", result: "passed", why: opened });
  return { ...act(subject, fired, settings, steps), steps };
}

function act(subject: Subject, fired: readonly Fired[], settings: LadderSettings, steps: Step[]): RuleResult {
  const firing = fired.flatMap((each) => (each ? [each] : []));
  if (firing.length === 0) {
    steps.push({ step: "rule", result: "passed", why: "no rule matches" });
    return { result: "open" };
  }
  const foreign = firing.find(
    ({ rule }) => rule.from === "project" && (!settings.projectRules || rule.brain !== undefined),
  );
  if (foreign) {
    const why = settings.projectRules
      ? "a project's rule asks no brain"
      : "the project's own rules are not switched on";
    steps.push({ step: "rule", name: foreign.rule.name, result: "passed", why });
    return { result: "open" };
  }
  const asking = firing.find(({ rule }) => rule.brain !== undefined);
  if (asking?.rule.brain !== undefined) {
    steps.push({ step: "rule", name: asking.rule.name, result: "decided", why: `${asking.why}; asks a brain` });
    return { result: "brain", brain: asking.rule.brain, rule: asking.rule.name };
  }
  const chatting = firing.find(({ rule }) => rule.chat !== undefined);
  if (chatting?.rule.chat !== undefined) {
    steps.push({ step: "rule", name: chatting.rule.name, result: "decided", why: `${chatting.why}; talks instead` });
    const settlement: Settlement = { action: "chat", message: chatting.rule.chat, reason: chatting.why };
    return { result: "settled", settlement, by: actorOf(subject, [chatting.rule]) };
  }
  return answer(subject, fired, steps);
}

function answer(subject: Subject, fired: readonly Fired[], steps: Step[]): RuleResult {
  const answers: Answer[] = [];
  const said = new Map<string, Step>();
  fired.forEach((each, index) => {
    if (!each) return;
    const { rule, why } = each;
    const applied = applyRule(rule, subject, index);
    const result = applied.answer ? "decided" : "failed";
    said.set(`${rule.name} ${result} ${applied.why}`, {
      step: "rule",
      name: rule.name,
      result,
      why: `${why}; ${applied.why}`,
    });
    if (applied.answer) answers.push(applied.answer);
  });
  steps.push(...said.values());
  const rules = fired.flatMap((each) => (each ? [each.rule] : []));
  const { questions } = subject.ask;
  if (rules.length < questions.length) {
    steps.push({
      step: "rule",
      result: "passed",
      why: `no rule matches ${questions.length - rules.length} of ${questions.length} questions`,
    });
    return { result: "open" };
  }
  if (answers.length < questions.length) return { result: "open" };
  const checked = checkAnswers(questions, answers);
  if (!checked.ok) {
    const why = checked.problems.map(({ message }) => message).join("; ");
    steps.push({ step: "rule", result: "failed", why });
    return { result: "open" };
  }
  const reason = [...said.values()].map(({ why }) => why).join("; ");
  return {
    result: "settled",
    settlement: { action: "answer", answers: checked.answers, reason },
    by: actorOf(subject, rules),
    ...earning(rules),
  };
}

function earning(rules: readonly CompiledRule[]): { earns?: string } {
  if (rules.every(({ choose }) => typeof choose !== "string")) return {};
  return { earns: digest(JSON.stringify(rules.map(({ match, choose }) => [match, choose]))).slice(0, 8) };
}

function firstMatch(subject: Subject, rules: readonly CompiledRule[], index: number): Fired {
  const rule = rules.find((each) => mismatch(each, subject, index) === undefined);
  return rule && { rule, why: matches(rule, subject, index).why };
}

/** A rule that holds everything says nothing about what decides over more than a question. */
function isMeant({ ask: { kind } }: Subject, { from, match }: CompiledRule): boolean {
  return ANSWERABLE.includes(kind) || (from !== "project" && match.kind?.includes(kind) === true);
}

function inWords({ stakes }: Subject): string {
  return [...new Set(stakes.map(({ stake }) => stake))].join(", ");
}

function actorOf({ ask }: Subject, rules: readonly CompiledRule[]): Actor {
  const name = [...new Set(rules.map((rule) => rule.name))].join(", ");
  const isNamed = rules.every((rule) => rule.from !== "project" && rule.match.kind?.includes(ask.kind) === true);
  return { type: "rule", surface: "autopilot", name, ...(isNamed && { kind: ask.kind }) };
}
