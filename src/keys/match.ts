import type { Manner } from "../agents/screen-layout.ts";
import type { Question } from "../core/ask/question.ts";
import { safeLine } from "../core/text/text.ts";
import type { QuestionScreen, Row, Screen } from "./screen.ts";
import { squeeze } from "./squeeze.ts";

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
  const [shown, stored] = [drawn(text), drawn(question.text)];
  if (shown === stored) return undefined;
  if (shown.endsWith("…") && shown.length > ENOUGH && stored.startsWith(shown.slice(0, -1))) return undefined;
  const isEnd = cut && stored.endsWith(shown);
  if (isEnd && seen) return undefined;
  if (isEnd) return "the terminal is not tall enough: the question is not on the screen, or not all of it";
  return `another question is on the screen: ${safeLine(text, { max: 100 })}`;
}

function rowsMismatch({ rows, preview, multiSelect }: QuestionScreen, question: Question): string | undefined {
  if (multiSelect !== question.multiSelect)
    return multiSelect ? "the dialog takes several options, the question one" : "the dialog takes one option only";
  const options = rows.filter(({ kind }) => kind === "option");
  const count = preview ? options.length : (rows.at(-1)?.number ?? 0) - 2;
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
