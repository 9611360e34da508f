import { visibleWidth } from "@earendil-works/pi-tui";
import { safeLine } from "../core/text/text.ts";

export type FieldLine = { cells: readonly Cell[]; start: number; end: number };
export type Cell = { shown: string; width: number; at: number };

let last: { text: string; width: number; lines: FieldLine[] } | undefined;

/**
 * The text as lines of at most `width` cells, broken between words; every line knows which part of the text it shows.
 * One key asks for the same lines several times, so the last ones are kept.
 */
export function layout(text: string, width: number): FieldLine[] {
  if (last?.text !== text || last.width !== width) last = { text, width, lines: broken(text, width) };
  return last.lines;
}

function broken(text: string, width: number): FieldLine[] {
  const lines: FieldLine[] = [];
  let cells: Cell[] = [];
  let [used, start] = [0, 0];
  const close = (end: number, next: number, rest: Cell[] = []) => {
    lines.push({ cells: cells.slice(0, cells.length - rest.length), start, end });
    [cells, used, start] = [rest, widthOf(rest), next];
  };
  for (const { segment, index } of GRAPHEMES.segment(text)) {
    if (segment === "\n" || segment === "\r\n") {
      close(index, index + segment.length);
      continue;
    }
    const cell = cellOf(segment, index);
    if (used + cell.width > width && cells.length > 0) {
      const word = lastWord(cells, cell, width);
      close(word[0]?.at ?? index, word[0]?.at ?? index, word);
    }
    cells.push(cell);
    used += cell.width;
  }
  close(text.length, text.length);
  return lines;
}

function cellOf(segment: string, at: number): Cell {
  if (/^[ -~]$/.test(segment)) return { shown: segment, width: 1, at };
  const shown = segment === "\t" ? "    " : safeLine(segment) || (segment.trim() === "" ? " " : "\ufffd");
  return { shown, width: visibleWidth(shown), at };
}

/** What moves to the next line together with `next`; nothing when it would not fit there either. */
function lastWord(cells: Cell[], next: Cell, width: number): Cell[] {
  const space = cells.findLastIndex(({ shown }) => shown === " ");
  const word = cells.slice(space + 1);
  return space === -1 || next.shown === " " || widthOf(word) + next.width > width ? [] : word;
}

/** The line the cursor is drawn on: at a wrap, the beginning of the next one. */
export function cursorLine(lines: readonly FieldLine[], cursor: number): number {
  const found = lines.findLastIndex((line) => line.start <= cursor);
  return Math.max(0, found);
}

export function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
