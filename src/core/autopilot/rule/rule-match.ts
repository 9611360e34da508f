import type { Kind } from "../../ask/ask.ts";
import type { CompiledRule, Condition } from "./rule.ts";
import type { Subject } from "../category/subject.ts";
import { slotIn } from "../trust/template.ts";

export type Matched = { yes: boolean; why: string };

/** What a rule or a brain may answer without being told so: all else decides about more than a question. */
export const ANSWERABLE: readonly Kind[] = ["question"];

/** Whether a rule is about one question of an Ask, or the first reason why not. */
export function matches(rule: CompiledRule, subject: Subject, index: number): Matched {
  const against = mismatch(rule, subject, index);
  if (against !== undefined) return { yes: false, why: whyNot(against, subject, index) };
  const named = Object.entries(rule.match).flatMap(([key, value]) => (value === undefined ? [] : key));
  return { yes: true, why: named.length === 0 ? "matches everything" : `matches by ${named.join(", ")}` };
}

type Key = keyof CompiledRule["match"];

/** The first condition that does not hold. The cheap ones come first, and no words are made: most rules end here. */
export function mismatch({ match, act, conditions }: CompiledRule, subject: Subject, index: number): Key | undefined {
  const { kind, origin } = subject.ask;
  const question = subject.questions[index];
  if (!question) return "question";
  const { category, stakes, header, labels, text } = question;
  if (match.kind ? !match.kind.includes(kind) : act === undefined && !ANSWERABLE.includes(kind)) return "kind";
  if (match.phase && (subject.phase === undefined || !match.phase.includes(subject.phase))) return "phase";
  if (match.category && !match.category.includes(category)) return "category";
  if (match.stakes && !match.stakes.some((stake) => stakes.includes(stake))) return "stakes";
  if (conditions.agent && !isAny(conditions.agent, origin.agent.toLowerCase())) return "agent";
  if (conditions.project && !isAny(conditions.project, subject.project)) return "project";
  if (conditions.header && !isAny(conditions.header, header)) return "header";
  if (conditions.options && !areOffered(conditions.options, labels)) return "options";
  if (conditions.question && !isPartly(conditions.question, text)) return "question";
  const asked = subject.ask.questions[index]?.text ?? "";
  if (match.template && !match.template.some((each) => slotIn(each, asked) !== undefined)) return "template";
  return undefined;
}

function whyNot(key: Key, { ask, project, phase, questions }: Subject, index: number): string {
  const { category, stakes = [], header } = questions[index] ?? {};
  const actual: Record<Key, string> = {
    kind: `kind is ${ask.kind}`,
    phase: `phase is ${phase ?? "not known"}`,
    category: `category is ${category}`,
    stakes: `stakes: ${stakes.length === 0 ? "none" : stakes.join(", ")}`,
    agent: `agent is ${ask.origin.agent}`,
    project: `project is ${project || "not known"}`,
    header: `header is ${header || "empty"}`,
    options: "an option is missing",
    question: "the question is another",
    template: "the question is another",
  };
  return actual[key];
}

// Loops, because these run for every rule and question, and a closure each would keep the collector busy.

function isAny(conditions: readonly Condition[], actual: string): boolean {
  for (const condition of conditions) if (isIt(condition, actual)) return true;
  return false;
}

function areOffered(conditions: readonly Condition[], labels: readonly string[]): boolean {
  for (const condition of conditions) if (!isAmong(condition, labels)) return false;
  return true;
}

function isAmong(condition: Condition, labels: readonly string[]): boolean {
  for (const label of labels) if (isIt(condition, label)) return true;
  return false;
}

function isPartly(conditions: readonly Condition[], actual: string): boolean {
  for (const { texts, pattern } of conditions) {
    if (pattern?.(actual)) return true;
    for (const text of texts) if (actual.includes(text)) return true;
  }
  return false;
}

/** `actual` is plain. */
export function isIt({ texts, pattern }: Condition, actual: string): boolean {
  return pattern ? pattern(actual) : texts.includes(actual);
}
