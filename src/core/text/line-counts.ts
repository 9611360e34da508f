import { structuredPatch } from "diff";

export type LineCounts = { added: number; removed: number };
/** Finding the shortest change takes the square of the changed lines; a name need not be that exact. */
const MOST_CHANGED = 500;

/** How many lines a change of a text adds and removes. */
export function countChanged(before: string, after: string): LineCounts {
  const found = structuredPatch("", "", ended(before), ended(after), "", "", {
    context: 0,
    maxEditLength: MOST_CHANGED,
  });
  if (!found) return { added: linesIn(after), removed: linesIn(before) };
  return countIn(found.hunks.flatMap(({ lines }) => lines));
}

/** The same of a unified diff. */
export const countInPatch = (patch: string): LineCounts => {
  const lines = patch.split("\n");
  const first = lines.findIndex((line) => line.startsWith("@@"));
  return countIn(first < 0 ? [] : lines.slice(first));
};

const countIn = (lines: readonly string[]): LineCounts => ({
  added: lines.filter((line) => line.startsWith("+")).length,
  removed: lines.filter((line) => line.startsWith("-")).length,
});

/** A last line without an end is not another one for it. */
const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
const linesIn = (text: string): number => ended(text).split("\n").length - 1;
