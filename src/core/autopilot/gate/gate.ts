import type { Ask } from "../../ask/ask.ts";
import type { Question } from "../../ask/question.ts";
import type { Stake } from "../stake/stake.ts";
import { apart, bare } from "./language/language.ts";
import { LANGUAGES } from "./language/languages.ts";
import { type Reason, reasonsIn, reasonsInReport, type Role, type Sign } from "./read-field.ts";

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
const ROLE: Record<Exclude<Field, "before">, Role> = {
  question: "asked",
  header: "asked",
  body: "asked",
  label: "offered",
  preview: "offered",
  description: "described",
};
const MOST_OPTIONS = 10;

/**
 * Whether a question may be answered without a person: only where every field, read by itself, is short, in a language that is
 * judged, of words known to be harmless, names nothing outside the work tree and points at nothing said elsewhere.
 * Contract: a text added to any field adds a reason to hold, and never takes one away.
 */
export function gateOf({ questions, origin }: Asked): GateHold[] {
  return questions.flatMap((question, index) => {
    const holds = fieldsOf(question).flatMap(({ field, text }) => found(field, heldBy(field, text)));
    const many =
      question.options.length > MOST_OPTIONS ? found("label", [{ sign: "length", why: "is one of too many" }]) : [];
    const guards = question.mayGuard ? found("question", [{ sign: "kind", why: "may guard a call" }]) : [];
    const before = leadsOn(question) ? found("before", heldByReport(origin?.lastText ?? "")) : [];
    return [...holds, ...many, ...guards, ...before].map((hold) => ({ question: index, ...hold }));
  });
}

function found(field: Field, reasons: readonly Reason[]): Omit<GateHold, "question">[] {
  return reasons.map((reason) => ({ field, ...reason, why: `${IN_WORDS[field]} ${reason.why}` }));
}

type ReadField = { field: Exclude<Field, "before">; text: string };

function fieldsOf({ text, header, body = "", options }: Question): ReadField[] {
  const offered = options.flatMap(({ label, description, preview = "" }): ReadField[] => [
    { field: "label", text: label },
    { field: "description", text: description },
    { field: "preview", text: preview },
  ]);
  return [{ field: "question", text }, { field: "header", text: header }, { field: "body", text: body }, ...offered];
}

/** Which one that is, its options may say; or somebody did before. */
const OF_OPTIONS = /(?<![a-z])(?:options?|variants?|alternatives?)(?![a-z])/;

function heldBy(field: ReadField["field"], text: string): Reason[] {
  if (text.length > LONGEST[field]) return [{ sign: "length", why: "is too long" }];
  if (text === "") return [];
  const option = field === "question" ? OF_OPTIONS.exec(apart(text).toLowerCase())?.[0] : undefined;
  return [
    ...reasonsIn(text, ROLE[field]),
    ...(option === undefined
      ? []
      : [{ sign: "elsewhere" as const, why: `points at something said elsewhere ("${option}")` }]),
  ];
}

function heldByReport(text: string): Reason[] {
  if (text === "") return [];
  return text.length > LONGEST.before ? [{ sign: "length", why: "is too long" }] : reasonsInReport(text);
}

/** It can be answered with no more than "go on": then what it goes on with was said before. */
function leadsOn({ text, options }: Question): boolean {
  const said = [text, ...options.map(({ label }) => label)].map((each) => bare(apart(each)));
  return said.some((each) => LANGUAGES.some((language) => language.leadsOn.test(each)));
}
