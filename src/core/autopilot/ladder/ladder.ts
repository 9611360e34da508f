import type { LadderSettings, Step } from "./ladder-settings.ts";
import type { Answer } from "../../ask/answer/answer.ts";
import { checkAnswers } from "../../ask/answer/check-answer.ts";
import type { Actor } from "../../ask/outcome.ts";
import type { Settlement } from "../../ask/settle.ts";
import { climbRules } from "./ladder-rules.ts";
import { weigh } from "./precedent.ts";
import { followed } from "../style/conventions.ts";
import { ANSWERABLE } from "../rule/rule-match.ts";
import type { CompiledRule } from "../rule/rule.ts";
import type { Subject } from "../category/subject.ts";

/**
 * `never`: nothing but a person may answer it, later neither. `warning`: planning missed what is asked now. `earns`: the
 * rule's name in the ledger of trust, where it proposes until it has earned more.
 */
export type Verdict =
  | { next: "settle"; settlement: Settlement; by: Actor; warning?: string; earns?: string }
  | { next: "brain"; brain: string; rule?: string; warning?: string }
  | { next: "human"; reason: string; never?: true };

/** What precedents say where no rule lets them answer alone. */
export type Suggestion = { settlement: Settlement; by: Actor; why: string };
export type Climb = { steps: Step[]; verdict: Verdict; suggestion?: Suggestion };

export const PLANNING_MISSED = "Planning missed this: a design question came up while the plan was carried out";

/** Contract: total, and the same for the same arguments. The first step that decides wins; every step says why. */
export function runLadder(subject: Subject, rules: readonly CompiledRule[], settings: LadderSettings): Climb {
  const steps: Step[] = [];
  const warning = missedByPlanning(subject) ? { warning: PLANNING_MISSED } : {};
  const human = (reason: string, never?: true): Verdict => {
    steps.push({ step: "human", result: "decided", why: reason });
    return { next: "human", reason, ...(never && { never }) };
  };
  if (subject.ask.questions.length === 0) return { steps, verdict: human("there is no question to answer") };

  const ruled = climbRules(subject, rules, settings);
  steps.push(...ruled.steps);
  if (ruled.result === "held") return { steps, verdict: human(ruled.why, ruled.never) };
  if (ruled.result === "settled") {
    const { settlement, by, earns } = ruled;
    const verdict: Verdict = { next: "settle", settlement, by, ...warning };
    if (earns === undefined) return { steps, verdict };
    const suggestion = suggestedBy(subject, steps);
    return { steps, verdict: { ...verdict, earns }, ...(suggestion && { suggestion }) };
  }
  if (ruled.result === "brain") {
    const name = ruled.brain;
    if (settings.brains.includes(name))
      return { steps, verdict: { next: "brain", brain: name, rule: ruled.rule, ...warning } };
    steps.push({ step: "brain", name, result: "failed", why: "there is no brain of this name" });
  }

  const suggestion = suggestedBy(subject, steps) ?? suggestedByCode(subject, steps);
  const verdict = ((): Verdict => {
    if (ruled.result === "risky") return human(ruled.why, true);
    const { kind } = subject.ask;
    if (!ANSWERABLE.includes(kind)) return human(`no rule names what to do with ${kind}`, true);
    const name = settings.brain;
    if (name === undefined) return human("no rule decided, and no brain is asked");
    if (!settings.brains.includes(name)) {
      steps.push({ step: "brain", name, result: "failed", why: "there is no brain of this name" });
      return human(`there is no brain "${name}"`);
    }
    steps.push({ step: "brain", name, result: "asked", why: "no rule decided" });
    return { next: "brain", brain: name, ...warning };
  })();
  return { steps, verdict, ...(suggestion && { suggestion }) };
}

function suggestedBy({ ask, precedents }: Subject, steps: Step[]): Suggestion | undefined {
  const weighed = ask.questions.map((question) => weigh(question, precedents));
  const why = [...new Set(weighed.map((each) => each.why))].join("; ");
  const answers: Answer[] = weighed.flatMap(({ answer }) => (answer ? [answer] : []));
  const isWhole = answers.length === ask.questions.length && checkAnswers(ask.questions, answers).ok;
  if (!isWhole) {
    steps.push({ step: "precedent", result: "passed", why });
    return undefined;
  }
  steps.push({ step: "precedent", result: "suggested", why });
  const by: Actor = { type: "rule", surface: "autopilot", name: "precedent" };
  return { settlement: { action: "answer", answers, reason: why }, by, why };
}

/** What the code follows is shown to a person; it answers nothing alone. */
function suggestedByCode({ ask, followed: counted }: Subject, steps: Step[]): Suggestion | undefined {
  const found = ask.questions.map((question, i) => {
    const counts = counted[i];
    return counts && followed(question, counts);
  });
  const why = found.flatMap((each) => (each ? [each.why] : [])).join("; ");
  if (why === "") return undefined;
  const answers: Answer[] = found.flatMap((each) => (each?.pick === undefined ? [] : [{ picks: [each.pick] }]));
  const isWhole = answers.length === ask.questions.length && checkAnswers(ask.questions, answers).ok;
  steps.push({ step: "code", result: isWhole ? "suggested" : "passed", why });
  if (!isWhole) return undefined;
  const by: Actor = { type: "rule", surface: "autopilot", name: "code" };
  return { settlement: { action: "answer", answers, reason: why }, by, why };
}

function missedByPlanning({ phase, questions }: Subject): boolean {
  return phase === "execute" && questions.some(({ category }) => category === "architecture-decision");
}
