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
