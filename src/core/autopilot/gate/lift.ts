import { ANSWERABLE } from "../rule/rule-match.ts";
import type { CompiledRule } from "../rule/rule.ts";
import type { Subject } from "../category/subject.ts";
import { safeLine } from "../../text/text.ts";
import { slotIn } from "../trust/template.ts";
import type { GateHold } from "./gate.ts";
import { reasonsIn } from "./read-field.ts";

const MOST_SAID = 2;

/**
 * Why the gate leaves an Ask to a person, for all that the rules of its questions say; undefined: it does not.
 * Contract: only a rule of the person's own lifts anything, and only what it names.
 */
export function heldByGate(subject: Subject, rules: readonly (CompiledRule | undefined)[]): string | undefined {
  const left = subject.gate.filter((hold) => !isLifted(hold, subject, rules[hold.question]));
  if (left.length === 0) return undefined;
  const said = [...new Set(left.map(({ why }) => why))].slice(0, MOST_SAID);
  return said.join(", ");
}

/** By which rules of the person's own the gate is open, and by what they name; undefined: nothing held it. */
export function openedBy(subject: Subject, rules: readonly (CompiledRule | undefined)[]): string | undefined {
  const said = subject.gate.flatMap(({ question }) => {
    const rule = rules[question];
    return rule ? [`opened by your rule "${rule.name}", which ${namedBy(subject, question, rule)}`] : [];
  });
  return said.length === 0 ? undefined : [...new Set(said)].slice(0, MOST_SAID).join("; ");
}

function namedBy({ ask, questions }: Subject, question: number, { match, conditions }: CompiledRule): string {
  if (!ANSWERABLE.includes(ask.kind)) return `names the kind ${ask.kind}`;
  const text = ask.questions[question]?.text ?? "";
  for (const template of match.template ?? []) {
    const slot = slotIn(template, text)?.slot;
    if (slot !== undefined)
      return `names this question by its template; "${safeLine(slot, { max: 60 })}" in its middle is harmless by itself`;
  }
  const isExact = conditions.question?.some(({ texts }) => texts.includes(questions[question]?.text ?? "")) === true;
  return isExact ? "names exactly this question" : `names what is at stake: ${(match.stakes ?? []).join(", ")}`;
}

function isLifted(hold: GateHold, subject: Subject, rule: CompiledRule | undefined): boolean {
  if (!rule || rule.from === "project") return false;
  const { kind } = subject.ask;
  // Calls and plans are code by nature: who names the kind knows.
  if (!ANSWERABLE.includes(kind)) return rule.match.kind?.includes(kind) === true;
  if (rule.match.template) return isTemplated(hold, subject, rule);
  return isOfNamedStake(hold, rule) || isQuoted(hold, subject, rule);
}

/**
 * The rule names the question by its template, all of its options and the one it takes. Its person read all but what
 * stands in the slot: so only what the fixed words say is lifted, and the slot has to be harmless by itself.
 */
function isTemplated(
  { sign, field, question, why }: GateHold,
  { ask, questions }: Subject,
  rule: CompiledRule,
): boolean {
  const asked = ask.questions[question];
  const { match, choose, conditions } = rule;
  if (!asked || sign === "hidden" || typeof choose !== "object" || !("label" in choose)) return false;
  if (!areNamed(conditions.options ?? [], questions[question]?.labels ?? [])) return false;
  if (field === "label") return true;
  if (field === "header")
    return conditions.header?.some(({ texts }) => texts.includes(questions[question]?.header ?? "")) === true;
  if (field !== "question") return UNJUDGED.has(sign) && field !== "before";
  return (match.template ?? []).some((each) => {
    const found = slotIn(each, asked.text);
    if (!found || reasonsIn(found.slot, "asked").length > 0) return false;
    return reasonsIn(found.fixed, "asked").some((reason) => why.endsWith(reason.why));
  });
}

const areNamed = (named: readonly { texts: readonly string[] }[], labels: readonly string[]): boolean =>
  labels.length === named.length && labels.every((label) => named.some(({ texts }) => texts.includes(label)));

/** What is not seen, not read, too long or not said here is nothing that a person can have meant by naming a stake. */
const UNMEANT: ReadonlySet<GateHold["sign"]> = new Set([
  "hidden",
  "length",
  "language",
  "code",
  "command",
  "address",
  "variable",
  "elsewhere",
]);

function isOfNamedStake({ sign, stake }: GateHold, { match: { stakes = [] } }: CompiledRule): boolean {
  if (stakes.length === 0 || UNMEANT.has(sign)) return false;
  return stake === undefined || stakes.includes(stake) || (stake === "destructive" && stakes.includes("irreversible"));
}

/** What a rule that quotes the question lifts in what it does not quote: that nobody could judge it, not that it alarms. */
const UNJUDGED: ReadonlySet<GateHold["sign"]> = new Set(["language", "word"]);

/** The rule has the question word for word and names the option: its person read both, in whatever language. */
function isQuoted({ sign, field, question }: GateHold, { questions }: Subject, rule: CompiledRule): boolean {
  if (sign === "hidden" || field === "before") return false;
  if (!["question", "header", "label"].includes(field) && !UNJUDGED.has(sign)) return false;
  const isNamed = typeof rule.choose === "object" && "label" in rule.choose;
  const text = questions[question]?.text ?? "";
  return isNamed && rule.conditions.question?.some(({ texts }) => texts.includes(text)) === true;
}
