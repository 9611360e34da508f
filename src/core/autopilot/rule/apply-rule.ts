import type { Answer } from "../../ask/answer/answer.ts";
import { isRecommended, type Question } from "../../ask/question.ts";
import { weigh } from "../ladder/precedent.ts";
import { affirm, caseOf, includeAll, type Proposal, propose } from "../ladder/propose.ts";
import { isIt } from "./rule-match.ts";
import type { CompiledRule } from "./rule.ts";
import type { Subject } from "../category/subject.ts";

/** What a rule makes of one question: an answer, or why it cannot give one. */
export type Applied = { answer: Answer; why: string } | { answer?: never; why: string };

export function applyRule(rule: CompiledRule, subject: Subject, index: number): Applied {
  const given = caseOf(subject, index);
  if (!given) return { why: "there is no such question" };
  if (rule.type !== undefined) return { answer: { picks: [], text: rule.type }, why: "types its text" };
  const { question, labels } = given;
  const { choose } = rule;
  switch (choose) {
    case undefined:
      return { why: "it chooses nothing" };
    case "category":
      return explained(propose(given), subject, index);
    case "affirmative":
      return affirm(given);
    case "all":
      return includeAll(given);
    case "precedent": {
      const { answer, why } = weigh(question, subject.precedents);
      return answer ? { answer, why } : { why };
    }
    case "recommended":
      return picked(question, recommendedIn(question), "recommended");
    default:
      return picked(question, chosenBy(rule, labels), "label" in choose ? "matched by label" : "matched by pattern");
  }
}

function explained(proposal: Proposal, { questions }: Subject, index: number): Applied {
  const { category, why } = questions[index] ?? {};
  return { ...proposal, why: `${category} (${why}); ${proposal.why}` };
}

function recommendedIn({ options }: Question): number[] {
  return options.flatMap(({ label, recommended }, i) => (isRecommended(label, recommended) ? [i] : []));
}

function chosenBy({ chosen }: CompiledRule, labels: readonly string[]): number[] {
  return chosen ? labels.flatMap((label, i) => (isIt(chosen, label) ? [i] : [])) : [];
}

function picked({ options, multiSelect }: Question, picks: number[], what: string): Applied {
  if (picks.length === 0) return { why: `no option is ${what}` };
  if (picks.length > 1 && !multiSelect) return { why: `several options are ${what}` };
  const names = picks.map((pick) => `"${options[pick]?.label}"`).join(", ");
  return { answer: { picks }, why: `${names} ${picks.length === 1 ? "is" : "are"} ${what}` };
}
