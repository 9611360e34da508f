import { z } from "zod";
import { Kind } from "../../ask/ask.ts";
import { CATEGORIES } from "../category/category-name.ts";
import { compilePattern, type Pattern } from "./pattern.ts";
import { PHASES } from "./phase.ts";
import { plain, plainLabel } from "../plain.ts";
import { STAKES } from "../stake/stake.ts";
import { writtenTemplate } from "../trust/template.ts";

const pattern = z.string().min(1).check(isPattern);
/** A text, or a pattern between slashes: "/^deploy/". */
const text = z
  .string()
  .min(1)
  .max(1000)
  .check((given) => {
    const source = patternIn(given.value);
    if (source !== undefined) isPattern({ ...given, value: source });
  });
/** A question with a slot: "More questions about … we continue?". */
const template = text.refine((given) => writtenTemplate(given) !== undefined, {
  error: "expected three words or more, one … and two words or more",
});
const oneOrMore = <T extends z.ZodType>(each: T) =>
  z.union([each.transform((one) => [one]), z.array(each).min(1)]).optional();

/** Every condition that is there must hold; of a list of values, one. `options`: each is a label that must be offered. */
export const Match = z.strictObject({
  project: oneOrMore(text),
  agent: oneOrMore(text),
  kind: oneOrMore(Kind),
  header: oneOrMore(text),
  question: oneOrMore(text),
  template: oneOrMore(template),
  options: oneOrMore(text),
  category: oneOrMore(z.enum(CATEGORIES)),
  phase: oneOrMore(z.enum(PHASES)),
  stakes: oneOrMore(z.enum(STAKES)),
});
export type Match = z.infer<typeof Match>;

export const Choose = z.union([
  z.enum(["recommended", "all", "affirmative", "precedent", "category"]),
  z.strictObject({ label: text }),
  z.strictObject({ pattern }),
]);
export type Choose = z.infer<typeof Choose>;

const ACTS = ["choose", "type", "chat", "brain", "act"] as const;

export const Rule = z
  .strictObject({
    name: z.string().trim().min(1).max(80),
    match: Match.default({}),
    choose: Choose.optional(),
    type: z.string().trim().min(1).max(10_000).optional(),
    chat: z.string().trim().min(1).max(10_000).optional(),
    brain: z.string().min(1).optional(),
    act: z.enum(["hold", "never-auto"]).optional(),
  })
  .refine((rule) => ACTS.filter((act) => rule[act] !== undefined).length === 1, {
    error: `expected exactly one of ${ACTS.join(", ")}`,
  });
export type Rule = z.infer<typeof Rule>;
/** Whose rule it is: the person's, or that of a project's own file, which may have come with a clone. */
export type SourcedRule = Rule & { from?: "user" | "project" };

/** A condition on a text, ready to be asked; `texts` are plain, as a text and as a label. */
export type Condition = { texts: readonly string[]; pattern?: Pattern };
type TextKey = "project" | "agent" | "header" | "question" | "options";
export type CompiledRule = SourcedRule & { conditions: Partial<Record<TextKey, Condition[]>>; chosen?: Condition };

/** Once when the rules are read: a pattern remembers what it learnt from the texts it has seen. */
export function compileRules(rules: readonly SourcedRule[]): CompiledRule[] {
  const known = new Map<string, Pattern>();
  const compiled = (source: string): Pattern => {
    const found = known.get(source) ?? compilePattern(source);
    known.set(source, found);
    return found;
  };
  const condition = (source: string): Condition => {
    const inner = patternIn(source);
    if (inner !== undefined) return { texts: [], pattern: compiled(inner) };
    return { texts: [...new Set([plain(source), plainLabel(source)])] };
  };
  return rules.map((rule) => ({
    ...rule,
    conditions: Object.fromEntries(
      (["project", "agent", "header", "question", "options"] as const).flatMap((key) => {
        const texts = rule.match[key];
        return texts ? [[key, texts.map(condition)]] : [];
      }),
    ),
    ...chosenIn(rule.choose, condition),
  }));
}

function chosenIn(choose: Choose | undefined, condition: (source: string) => Condition): { chosen?: Condition } {
  if (choose === undefined || typeof choose === "string") return {};
  return { chosen: condition("label" in choose ? choose.label : `/${choose.pattern}/`) };
}

function patternIn(value: string): string | undefined {
  return value.length > 2 && value.startsWith("/") && value.endsWith("/") ? value.slice(1, -1) : undefined;
}

function isPattern({ value, issues }: { value: string; issues: z.core.$ZodRawIssue[] }): void {
  try {
    compilePattern(value);
  } catch (error) {
    issues.push({ code: "custom", input: value, message: error instanceof Error ? error.message : String(error) });
  }
}
