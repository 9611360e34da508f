import type { Ask } from "../../ask/ask.ts";
import { subjectOf } from "../category/subject.ts";
import { compileRules, Rule } from "../rule/rule.ts";
import { heldForPerson } from "./permission.ts";

/** `risks`: why it is a person's today; `toml`: the rules that let this answer be given; `left`: what holds it even with them. */
export type Opening = { risks: string[]; toml: string; left?: string };

/** The rules that quote each question of an Ask with one of its options, and what they open. `labels`: one for each question. */
export function openingRules(ask: Ask, labels: readonly string[], name: string): Opening {
  const subject = subjectOf(ask);
  const given = ask.questions.map((question, index) => {
    const stakes = subject.questions[index]?.stakes.filter((stake) => stake !== "unread") ?? [];
    return {
      name,
      match: { question: question.text, ...(stakes.length > 0 && { stakes }) },
      choose: { label: labels[index] ?? "" },
    };
  });
  const rules = compileRules(given.map((each) => Rule.parse(each)));
  const { atStake, notHarmless } = heldForPerson(subject, rules);
  const left = atStake ?? notHarmless;
  const risks = [...subject.stakes.map(({ stake, why }) => `${stake}: ${why}`), ...subject.gate.map(({ why }) => why)];
  return { risks: [...new Set(risks)], toml: given.map(asToml).join("\n"), ...(left !== undefined && { left }) };
}

type Quoting = { name: string; match: { question: string; stakes?: string[] }; choose: { label: string } };

/** A JSON text is a TOML text too. */
function asToml({ name, match: { question, stakes }, choose }: Quoting): string {
  const named = stakes ? `, stakes = ${JSON.stringify(stakes)}` : "";
  return `[[autopilot.rules]]
name = ${JSON.stringify(name)}
match = { question = ${JSON.stringify(question)}${named} }
choose = { label = ${JSON.stringify(choose.label)} }
`;
}
