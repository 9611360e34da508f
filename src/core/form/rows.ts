import type { Option, Question } from "../ask/question.ts";

type Asked = Pick<Question, "options"> & Partial<Pick<Question, "field">>;

/** Ends everything instead of answering. */
export const isCancel = (option: Option | undefined): boolean => option?.effect === "cancel";

/** A call that waits to be allowed. */
export const isCall = ({ options }: Asked): boolean =>
  options.some(({ effect }) => effect === "allow" || effect === "deny");

/** What may happen, and what Parley itself is to do, is chosen, not written: words go along as a note, if at all. */
const CHOSEN = new Set<string | undefined>(["allow", "deny", "listen", "listen-to-none", "apply", "skip"]);
export const takesOwnWords = ({ options, field }: Asked): boolean =>
  field ? options.length === 0 : !options.some(({ effect }) => CHOSEN.has(effect));

/**
 * The rows of a question as every surface shows and numbers them: the options, Other (`options.length`), and last
 * what ends everything, so that nobody who counts means it by mistake.
 */
export function rowOrder(question: Asked): number[] {
  const rows = question.options.map((_, row) => row);
  const ends = (row: number) => isCancel(question.options[row]);
  const other = takesOwnWords(question) ? [rows.length] : [];
  return [...rows.filter((row) => !ends(row)), ...other, ...rows.filter(ends)];
}

/** The number a person types for this row. */
export const rowNumber = (question: Asked, row: number): number => rowOrder(question).indexOf(row) + 1;
