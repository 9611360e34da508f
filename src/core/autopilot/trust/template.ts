import type { Ask } from "../../ask/ask.ts";
import type { Question } from "../../ask/question.ts";
import { safeLine } from "../../text/text.ts";
import { digest } from "../digest.ts";
import { plain, plainLabel } from "../plain.ts";

const FIRST = 3;
const LAST = 2;
/** What stands between may be anything but these: they turn a question into another one. */
const TURNS = new Set(
  "not no never without instead except unless skip skipping stop before after rather against only".split(" "),
);

/** One question with whatever stands in its slot: "More questions about <anything>, or move on?". */
export type Template = { key: string; title: string };

/** Of a whole Ask, where all its questions together are answered at once. */
export function templateOf({ questions }: Pick<Ask, "questions">): Template {
  return {
    key: digest(JSON.stringify(questions.map(templateIdentity))),
    title: questions.map(titleOf).join(" · "),
  };
}

/** Contract: the same only with the same options; without room for a slot it is the text itself. */
export function templateIdentity(question: Question): string {
  const words = wordsOf(question.text);
  const isSlotted = words.length > FIRST + LAST;
  const turns = words.slice(FIRST, -LAST).filter((word) => TURNS.has(word) || /n['’]t$/.test(word));
  const kept = isSlotted ? [...words.slice(0, FIRST), "…", ...turns.toSorted(), "…", ...words.slice(-LAST)] : words;
  return `slot ${kept.join(" ")} ${choiceOf(question)}`;
}

/** A template as a person writes it, "More questions about … we continue?"; undefined: it has no slot, or more than one. */
export function writtenTemplate(source: string): { before: string[]; after: string[] } | undefined {
  const parts = source.replaceAll("...", "…").split("…");
  const [before = [], after = []] = parts.map(wordsOf);
  return parts.length === 2 && before.length >= FIRST && after.length >= LAST ? { before, after } : undefined;
}

/** What stands in the slot of a written template; undefined: it is another question, or one that something turns round. */
export function slotIn(source: string, text: string): { slot: string; fixed: string } | undefined {
  const written = writtenTemplate(source);
  if (!written) return undefined;
  const { before, after } = written;
  const words = wordsOf(text);
  const slot = words.slice(before.length, words.length - after.length);
  const isIt =
    before.every((word, i) => words[i] === word) && after.every((word, i) => words.at(i - after.length) === word);
  if (!isIt || words.length <= before.length + after.length) return undefined;
  if (slot.some((word) => TURNS.has(word) || /n['’]t$/.test(word))) return undefined;
  return { slot: slot.join(" "), fixed: [...before, ...after].join(" ") };
}

/** The template of a question as a rule names it; undefined: there is no room for a slot. */
export function templateText({ text }: Question): string | undefined {
  const words = safeLine(text, { max: 300 }).split(" ");
  if (wordsOf(text).length <= FIRST + LAST) return undefined;
  return [...words.slice(0, FIRST), "…", ...words.slice(-LAST)].join(" ");
}

/** The options without their order, and without what a task adds around them. */
export function choiceOf({ options, multiSelect }: Pick<Question, "options" | "multiSelect">): string {
  const own = options.filter(({ effect }) => effect !== "cancel");
  return JSON.stringify([own.map(({ label }) => plainLabel(label)).toSorted(), multiSelect]);
}

function wordsOf(text: string): string[] {
  return plain(text)
    .split(" ")
    .map((word) => word.replace(/^[("'“‘]+|[)"'”’,;:.?!]+$/gu, ""))
    .filter((word) => word !== "");
}

function titleOf({ text }: Question): string {
  const words = safeLine(text, { max: 300 }).split(" ");
  if (wordsOf(text).length <= FIRST + LAST) return safeLine(text, { max: 120 });
  return safeLine([...words.slice(0, FIRST), "…", ...words.slice(-LAST)].join(" "), { max: 120 });
}
