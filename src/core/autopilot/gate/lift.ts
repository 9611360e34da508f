import { ANSWERABLE } from "../rule/rule-match.ts";
import type { CompiledRule } from "../rule/rule.ts";
import type { Subject } from "../category/subject.ts";
import type { GateHold } from "./gate.ts";

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

function isLifted(hold: GateHold, subject: Subject, rule: CompiledRule | undefined): boolean {
  if (!rule || rule.from === "project") return false;
  const { kind } = subject.ask;
  // Calls and plans are code by nature: who names the kind knows.
  if (!ANSWERABLE.includes(kind)) return rule.match.kind?.includes(kind) === true;
  return isOfNamedStake(hold, rule) || isQuoted(hold, subject, rule);
}

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
