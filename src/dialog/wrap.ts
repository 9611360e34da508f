import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { safeLine, safeText } from "../core/text/text.ts";

/** A model may send a megabyte; what is drawn stays bounded, and the cut shows. */
const MAX = 50_000;
const REMEMBERED = 64;

const known = new Map<string, string[]>();

/** Text of somebody else as safe lines of at most `width` cells. The last results are kept: every key draws them again. */
export function wrapped(text: string, width: number, max = MAX): string[] {
  const key = `${width} ${text.length} ${text.slice(0, max)}`;
  const found = known.get(key);
  if (found) return found;
  const lines = wrapNow(text, Math.max(2, width), max);
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, lines);
  return lines;
}

function wrapNow(text: string, width: number, max: number): string[] {
  const safe = safeText(text.slice(0, max)).replace(/^\n+|\s+$/g, "");
  if (safe === "") return [];
  const cut = text.length > max ? ["… too long to show the rest here"] : [];
  return [...safe.split("\n").flatMap((line) => wrapTextWithAnsi(line, width)), ...cut];
}

/** One line of somebody else's text, cut with `…` to at most `width` cells. */
export function clipped(text: string, width: number): string {
  const line = safeLine(text.slice(0, 16 * Math.max(1, width)));
  return visibleWidth(line) <= width ? line : truncateToWidth(line, Math.max(1, width), "…").replace(/\x1b\[0m/g, "");
}

export function padded(line: string, width: number): string {
  return line + " ".repeat(Math.max(0, width - visibleWidth(line)));
}

/** `arrows` has, for every line shown, where the text goes on beyond it. */
export type Viewport = {
  shown: string[];
  top: number;
  overflows: boolean;
  arrows: readonly ("↑" | "↓" | "")[];
  /** Of a list: the row that each line shown belongs to, and how wide they are where something stands beside them. */
  rows?: readonly number[];
  rowWidth?: number;
};

/** The part of `lines` that fits, scrolled as far as it can be. */
export function viewport(lines: readonly string[], top: number, height: number): Viewport {
  const first = Math.max(0, Math.min(top, lines.length - height));
  const shown = lines.slice(first, first + Math.max(0, height));
  const goesOn = first + shown.length < lines.length;
  const arrows = shown.map((_, i) => {
    if (goesOn && i === shown.length - 1) return "↓";
    return first > 0 && i === 0 ? "↑" : "";
  });
  return { shown, top: first, overflows: lines.length > height, arrows };
}
