import { checkAnswers } from "../../ask/answer/check-answer.ts";
import type { Question } from "../../ask/question.ts";
import type { Settlement } from "../../ask/settle.ts";
import { safeLine } from "../../text/text.ts";
import { FACTS, type OptionFacts, RISKS, type Screening, type Source } from "./verdict.ts";

/** `answered`: what the person answered then. */
export type Precedent = { id: string; asked: string; answered: string };
/** What a brain was shown and may rest on. */
export type Evidence = {
  documents: readonly { name: string; text: string }[];
  precedents: readonly Precedent[];
};
export type Given = { settlement: Settlement; screening: Screening; sources: readonly Source[]; confidence?: number };

/** A word or two of a document prove nothing. */
const SHORTEST_QUOTE = 12;
/** Nor does a letter of an option, unless it is all of it. */
const SHORTEST_WORD = 3;
const RISK_WORDS = {
  outside: "acts outside the work tree",
  spends: "spends something",
  reveals: "reveals something",
  widens: "widens what the agent may do",
  destroys: "destroys something",
} as const;

/**
 * Why this answer may only be suggested; undefined: nothing in the verdict speaks against giving it.
 * Contract: every condition needs something that is there. What is missing, unknown or not literally in the material
 * counts as against.
 */
export function onlySuggested(
  questions: readonly Question[],
  { settlement, screening, sources, confidence }: Given,
  evidence: Evidence,
  threshold: number,
): string | undefined {
  if (screening.needsPerson === true) return "it says that this needs a person";
  if (screening.needsPerson !== false) return "it did not say whether this needs a person";
  if (settlement.action !== "answer") return "what a brain writes itself is only suggested";
  const checked = checkAnswers(questions, settlement.answers);
  if (!checked.ok) return "it does not answer the question";
  const { answers } = checked;
  if (answers.some(({ text, note }) => text !== undefined || note !== undefined))
    return "what a brain writes itself is only suggested";
  if (answers.some(({ picks }) => picks.length === 0)) return "it did not pick an option for each question";
  const risky = questions.flatMap((question, i) => againstOptions(question, i, answers[i]?.picks ?? [], screening));
  if (risky[0] !== undefined) return risky[0];
  const unproved = questions.flatMap((_, i) => againstSource(sources[i] ?? "judgement", evidence));
  if (unproved[0] !== undefined) return unproved[0];
  if (confidence === undefined) return "it did not say how sure it is";
  return confidence >= threshold
    ? undefined
    : `it is ${percent(confidence)} sure, and ${percent(threshold)} are needed`;
}

function againstOptions(question: Question, index: number, picks: readonly number[], screening: Screening): string[] {
  const about = screening.options.filter((each) => each.question === index);
  const unknown = question.options.findIndex(
    (_, option) => !about.some((each) => each.option === option && FACTS.every((fact) => each[fact] !== undefined)),
  );
  if (unknown >= 0) return [`it did not say all of what "${labelOf(question, unknown)}" would do`];
  return about.filter(({ option }) => picks.includes(option)).flatMap((facts) => againstFacts(question, facts));
}

/** All that was said about an option counts, also what was said twice. */
function againstFacts(question: Question, facts: OptionFacts): string[] {
  const { option, quote } = facts;
  const label = labelOf(question, option);
  if (facts.reversible !== true) return [`"${label}" could not be undone, it says`];
  const risk = RISKS.find((each) => facts[each] !== false);
  if (risk !== undefined) return [`"${label}" ${RISK_WORDS[risk]}, it says`];
  const { label: name = "", description = "", preview = "" } = question.options[option] ?? {};
  const isWord = spaced(quote).length >= SHORTEST_WORD || spaced(quote) === spaced(name);
  const isThere = isWord && [name, description, preview, question.text].some((text) => holds(text, quote));
  return isThere ? [] : [`what it quotes about "${label}" is not there`];
}

function againstSource(source: Source, { documents, precedents }: Evidence): string[] {
  if (source === "judgement") return ["it rests on its own judgement"];
  const { quote } = source;
  if ("precedent" in source) {
    const isThere = precedents.some(({ id, answered }) => id === source.precedent && holds(answered, quote));
    return isThere ? [] : ["what it quotes is not in that earlier answer"];
  }
  if (spaced(quote).length < SHORTEST_QUOTE) return ["what it quotes of the document is too short"];
  const isThere = documents.some(({ name, text }) => name === source.document && holds(text, quote));
  return isThere ? [] : [`what it quotes is not in ${safeLine(source.document, { max: 60 }) || "the document"}`];
}

/** Letter for letter; only where lines break may differ. */
function holds(text: string, quote: string): boolean {
  const wanted = spaced(quote);
  return wanted !== "" && spaced(text).includes(wanted);
}

const spaced = (text: string) => text.replace(/\s+/gu, " ").trim();
const labelOf = ({ options }: Question, option: number) => safeLine(options[option]?.label ?? "", { max: 40 });
const percent = (share: number) => `${Math.round(share * 100)} %`;

/** What an answer rests on, for whoever asks why. */
export function sourceWords(sources: readonly Source[]): string {
  return sources
    .flatMap((source) => {
      if (source === "judgement") return [];
      const from = "document" in source ? source.document : `your earlier answer ${source.precedent}`;
      return [`${safeLine(from, { max: 60 })}: "${safeLine(source.quote, { max: 160 })}"`];
    })
    .join("; ");
}
