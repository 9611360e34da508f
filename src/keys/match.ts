import type { Manner } from "../agents/capability/screen-layout.ts";
import type { Question } from "../core/ask/question.ts";
import { safeLine } from "../core/text/text.ts";
import type { QuestionScreen, Row, Screen } from "./screen.ts";
import { squeeze } from "./read/squeeze.ts";

/** A question cut off with `…` must show at least this much of itself. */
const ENOUGH = 10;

/**
 * Why the shown question is not the stored one; undefined when it is.
 * `seen`: it was on this screen in full before, so that a part of it is enough after the list has grown.
 */
export function mismatch(
  screen: QuestionScreen,
  question: Question,
  { seen = false, manner }: { seen?: boolean; manner?: Manner | undefined } = {},
): string | undefined {
  const drawn = drawnBy(manner);
  return (
    textMismatch(screen, question, seen, drawn) ??
    (manner ? listMismatch(screen, question, { seen, manner }) : rowsMismatch(screen, question))
  );
}

/** A text as it can be compared with what stands on the screen. */
export const drawnBy =
  (manner: Manner | undefined) =>
  (text: string): string =>
    manner?.lost ? squeeze(text).replaceAll(manner.lost, "") : squeeze(text);

/** Can the dialog on the screen be the one of these questions? A review page shows none of them. */
export function isShown(screen: Screen, questions: readonly Question[]): boolean {
  if (screen.type !== "question") return screen.type === "review";
  return questions.some((question) => mismatch(screen, question, { seen: true }) === undefined);
}

function textMismatch(
  { text, cut }: QuestionScreen,
  question: Question,
  seen: boolean,
  drawn: (text: string) => string,
): string | undefined {
  const parts = partsOf(question);
  if (parts && hasInOrder(squeeze(text), parts)) return undefined;
  const [shown, stored] = [drawn(text), drawn(drawnAs(question))];
  if (shown === stored) return undefined;
  if (shown.endsWith("…") && shown.length > ENOUGH && stored.startsWith(shown.slice(0, -1))) return undefined;
  const isEnd = cut && stored.endsWith(shown);
  if (isEnd && seen) return undefined;
  if (isEnd) return "the terminal is not tall enough: the question is not on the screen, or not all of it";
  return `another question is on the screen: ${safeLine(text, { max: 100 })}`;
}

/** Where not every line of its dialog is known: what it begins with, what follows somewhere, what it ends with. */
const partsOf = ({ shown }: Question): string[] | undefined =>
  Array.isArray(shown) && shown.length > 1 ? shown.map((part) => squeeze(String(part))) : undefined;

function hasInOrder(text: string, parts: readonly string[]): boolean {
  let at = 0;
  for (const part of parts.slice(0, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || (part === parts[0] && at === 0 && found > 0)) return false;
    at = found + part.length;
  }
  const last = parts.at(-1) ?? "";
  return text.endsWith(last) && text.length - last.length >= at;
}

/** Where its dialog says more than the question, or says it otherwise, that is kept with it. */
const drawnAs = ({ text, shown }: Question): string => (typeof shown === "string" ? shown : text);

function rowsMismatch({ rows, preview, multiSelect }: QuestionScreen, question: Question): string | undefined {
  if (multiSelect !== question.multiSelect)
    return multiSelect ? "the dialog takes several options, the question one" : "the dialog takes one option only";
  const all = rows.filter(({ kind }) => kind === "option");
  // Rows behind those of the question, which are not for us to pick.
  const options = question["hasMore"] === true ? all.slice(0, question.options.length) : all;
  const chat = rows.find(({ kind }) => kind === "chat");
  const count = preview || !chat ? options.length : (chat.number ?? 0) - 2;
  if (count !== question.options.length) return `the dialog has ${count} options, not ${question.options.length}`;
  const other = options.find((row) => !isOption(row, question, preview));
  return other && `option ${other.number} is another one on the screen: ${safeLine(other.text, { max: 60 })}`;
}

/** A list that shows a part of itself: what is there must be of the question, and its end where that is to be seen. */
function listMismatch(
  { rows, multiSelect }: QuestionScreen,
  question: Question,
  { seen, manner }: { seen: boolean; manner: Manner },
): string | undefined {
  if (multiSelect !== question.multiSelect)
    return multiSelect ? "the dialog takes several options, the question one" : "the dialog takes one option only";
  const count = question.options.length;
  const own = rows.find(({ kind }) => kind === "own-words");
  const last = count + 1 + (multiSelect && manner.hasAll ? 1 : 0);
  if (own?.number !== undefined && own.number !== last)
    return `the dialog has ${own.number - (last - count)} options, not ${count}`;
  if (!seen && count > 0 && rows[0]?.number !== 1) return "its first option is not on the screen";
  const drawn = drawnBy(manner);
  const other = rows
    .filter(({ kind }) => kind === "option")
    .find(({ number = 0, text }) => {
      const option = question.options[number - 1];
      return !option || drawn(text) !== drawn(option.label + option.description);
    });
  return other && `option ${other.number} is another one on the screen: ${safeLine(other.text, { max: 60 })}`;
}

function isOption({ number, text }: Row, { options }: Question, preview: boolean): boolean {
  const option = options[(number ?? 0) - 1];
  if (!option) return false;
  return squeeze(text) === squeeze(preview ? option.label : option.label + option.description);
}
