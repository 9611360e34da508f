import type { Ask } from "../../ask/ask.ts";
import { subjectOf } from "../category/subject.ts";
import { compileRules, Rule } from "../rule/rule.ts";
import { templateText } from "../trust/template.ts";
import { heldForPerson } from "./permission.ts";

/** `risks`: why it is a person's today; `toml`: the rules that let this answer be given; `left`: what holds it even with them. */
export type Opening = { risks: string[]; toml: string; left?: string };
type How = { name: string; /** By the template instead of the text. */ isTemplate?: boolean };

/** The rules that quote each question of an Ask with one of its options, and what they open. `labels`: one for each question. */
export function openingRules(ask: Ask, labels: readonly string[], { name, isTemplate = false }: How): Opening {
  const subject = subjectOf(ask);
  const given = ask.questions.map((question, index) => {
    const stakes = subject.questions[index]?.stakes.filter((stake) => stake !== "unread") ?? [];
    const template = isTemplate ? templateText(question) : undefined;
    const own = question.options.map(({ label }) => label);
    const header = question.header === "" ? {} : { header: question.header };
    return {
      name,
      match: {
        ...(template === undefined ? { question: question.text } : { template, options: own, ...header }),
        ...(stakes.length > 0 && { stakes }),
      },
      choose: { label: labels[index] ?? "" },
    };
  });
  const rules = compileRules(given.map((each) => Rule.parse(each)));
  const { atStake, notHarmless } = heldForPerson(subject, rules);
  const left = atStake ?? notHarmless;
  const risks = [...subject.stakes.map(({ stake, why }) => `${stake}: ${why}`), ...subject.gate.map(({ why }) => why)];
  return { risks: [...new Set(risks)], toml: given.map(asToml).join("\n"), ...(left !== undefined && { left }) };
}

type Quoting = { name: string; match: Record<string, string | string[]>; choose: { label: string } };

/** A JSON text is a TOML text too. */
function asToml({ name, match, choose }: Quoting): string {
  const named = Object.entries(match).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `[[autopilot.rules]]
name = ${JSON.stringify(name)}
match = { ${named.join(", ")} }
choose = { label = ${JSON.stringify(choose.label)} }
`;
}
