import type { Ask } from "../../ask/ask.ts";
import type { Question } from "../../ask/question.ts";
import { safeLine } from "../../text/text.ts";
import type { Stake } from "../stake/stake.ts";
import { type Alarm, alarmsIn, elsewhereIn } from "./alarms.ts";
import { hiddenIn, oddIn, type Sign as Odd } from "./characters.ts";
import { isEnglish, unknownIn } from "./english.ts";

export type Sign = Odd | "length" | "language" | "word" | "elsewhere" | "alarm";
/** Why nobody but a person answers. `field`: whose text it is; `stake`: what an alarm is about, where there is a name for it. */
export type GateHold = { question: number; field: Field; sign: Sign; why: string; stake?: Stake };
export type Field = "question" | "header" | "label" | "description" | "preview" | "body" | "before";

type Asked = Pick<Ask, "questions"> & { origin?: Pick<Ask["origin"], "lastText"> };

const LONGEST: Record<Field, number> = {
  question: 300,
  header: 40,
  label: 80,
  description: 200,
  preview: 400,
  body: 400,
  before: 4000,
};
const IN_WORDS: Record<Field, string> = {
  question: "the question",
  header: "the header",
  label: "an option",
  description: "the description of an option",
  preview: "the preview of an option",
  body: "the text below the question",
  before: "what was said before it",
};
const MOST_OPTIONS = 10;

/**
 * Whether a question may be answered without a person: only where every field, read by itself, is short, plain English
 * that names nothing outside the work tree and points at nothing said elsewhere.
 * Contract: a text added to any field adds a reason to hold, and never takes one away.
 */
export function gateOf({ questions, origin }: Asked): GateHold[] {
  return questions.flatMap((question, index) => {
    const holds = fieldsOf(question).flatMap(({ field, text }) => found(field, heldBy(field, text)));
    const many =
      question.options.length > MOST_OPTIONS ? found("label", [{ sign: "length", why: "is one of too many" }]) : [];
    const before = leadsOn(question) ? found("before", heldByReport(origin?.lastText ?? "")) : [];
    return [...holds, ...many, ...before].map((hold) => ({ question: index, ...hold }));
  });
}

type Reason = { sign: Sign; why: string; stake?: Stake };

function found(field: Field, reasons: readonly Reason[]): Omit<GateHold, "question">[] {
  return reasons.map((reason) => ({ field, ...reason, why: `${IN_WORDS[field]} ${reason.why}` }));
}

function fieldsOf({ text, header, body = "", options }: Question): { field: Field; text: string }[] {
  const offered = options.flatMap(({ label, description, preview = "" }): { field: Field; text: string }[] => [
    { field: "label", text: label },
    { field: "description", text: description },
    { field: "preview", text: preview },
  ]);
  return [
    { field: "question", text } as const,
    { field: "header", text: header } as const,
    { field: "body", text: body } as const,
    ...offered,
  ];
}

/** As a whole label they do nothing; in a sentence they may do much. */
const DOING_NOTHING = new Set([
  "cancel",
  "skip",
  "stop",
  "not now",
  "leave it",
  "no, stop",
  "something else",
  "you decide",
]);
/** Which one that is, its options may say; or somebody did before. */
const OF_OPTIONS = /(?<![a-z])(?:options?|variants?|alternatives?)(?![a-z])/;

function heldBy(field: Field, text: string): Reason[] {
  if (text.length > LONGEST[field]) return [{ sign: "length", why: "is too long" }];
  if (field === "label" && DOING_NOTHING.has(text.toLowerCase())) return [];
  const odd = oddIn(text);
  const lower = text.replaceAll("’", "'").toLowerCase();
  const elsewhere = elsewhereIn(lower) ?? (field === "question" ? OF_OPTIONS.exec(lower)?.[0] : undefined);
  const [isPlain, unknown] = [isEnglish(text), unknownIn(text)];
  return [
    ...(odd ? [{ sign: odd.sign, why: `has ${odd.what}` }] : []),
    ...alarmsIn(lower).map(named),
    ...(elsewhere === undefined
      ? []
      : [{ sign: "elsewhere" as const, why: `points at something said elsewhere ("${elsewhere}")` }]),
    ...(isPlain ? [] : [{ sign: "language" as const, why: "is not plain English" }]),
    ...(unknown === undefined || !isPlain
      ? []
      : [{ sign: "word" as const, why: `has a word that is not known to be harmless ("${unknown}")` }]),
  ];
}

/** What an agent reports has paths and names in it; only what alarms, hides or is no English counts. */
function heldByReport(text: string): Reason[] {
  if (text.length > LONGEST.before) return [{ sign: "length", why: "is too long" }];
  return [
    ...(hiddenIn(text)
      ? [{ sign: "hidden" as const, why: "has a character that is not seen, or looks like another" }]
      : []),
    ...alarmsIn(text.toLowerCase()).map(named),
    ...(isEnglish(text) ? [] : [{ sign: "language" as const, why: "is not plain English" }]),
  ];
}

function named({ about, stake, words }: Alarm): Reason {
  return { sign: "alarm", why: `is about ${about} ("${safeLine(words, { max: 40 })}")`, ...(stake && { stake }) };
}

const LEADS_ON =
  /(?<![a-z])(?:yes|yep|yeah|ok|okay|sure|continue|proceed|go|going|ahead|start|begin|ready|next|carry|keep|confirm|accept|done|good|great|fine|right|correct|agree|perfect)/;

/** It can be answered with no more than "go on": then what it goes on with was said before. */
function leadsOn({ text, options }: Question): boolean {
  return [text, ...options.map(({ label }) => label)].some((each) => LEADS_ON.test(each.toLowerCase()));
}
