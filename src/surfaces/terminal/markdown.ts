import {
  type MarkdownLook,
  markdownLines,
  paintedInline,
  type Paints,
  wordPaints,
} from "../../core/text/markdown-lines.ts";
import { wrap, wrapped } from "./columns.ts";
import type { Page, Style } from "./terminal.ts";

type Paint = (text: string) => string;
/** What goes before and after the words, not yet painted. */
type Around = { lead?: string; tail?: string };

/**
 * Safe markdown as painted lines. Contract: where there is no end of a line, as in a file or a pipe, it is what was
 * written: a program reads it there.
 */
export function proseLines(text: string, { style, width }: Page, ground: Paint, around: Around = {}): string[] {
  const { lead = "", tail = "" } = around;
  if (width === Infinity) return `${lead}${text}${tail}`.split("\n").map((line) => (line === "" ? "" : ground(line)));
  const paint = paintsOf(style, ground);
  const words = { lead: paint.text(lead), tail: paint.text(tail) };
  return markdownLines(text, lookOf(paint, width), words).map((line) => line.trimEnd());
}

/** One line of it. */
export const proseWords = (text: string, { style, width }: Page): string =>
  width === Infinity
    ? text
    : paintedInline(
        text,
        paintsOf(style, (words) => words),
      );

const paintsOf = ({ bold, cyan, dim }: Style, ground: Paint): Paints =>
  wordPaints({ text: ground, strong: bold, code: cyan, muted: dim });

const lookOf = (paint: Paints, width: number): MarkdownLook => ({
  paint,
  width,
  wrap: (line, room, verbatim) =>
    verbatim ? wrapped(line, room, { hard: true, wordWrap: false, trim: false }) : wrap(line, room),
  widthOf: (line) => Bun.stringWidth(line),
});
