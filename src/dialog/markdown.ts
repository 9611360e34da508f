import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import {
  type MarkdownLook,
  markdownLines,
  paintedInline,
  type Paints,
  wordPaints,
} from "../core/text/markdown-lines.ts";
import { safeText } from "../core/text/text.ts";
import type { Theme } from "./theme.ts";
import { wrapped } from "./wrap.ts";

/** What is longer is shown to the letter. */
const MAX = 20_000;
const REMEMBERED = 64;
const known = new Map<string, string[]>();

/** Somebody else's markdown as safe, painted lines of at most `width` cells. The last results are kept, as `wrapped` does. */
export function markdownWrapped(text: string, width: number, paint: Paints): string[] {
  if (text.length > MAX) return wrapped(text, width).map(paint.text);
  const key = `${width} ${paint.strong("x")}${paint.code("x")}${paint.text("x")} ${text}`;
  const found = known.get(key);
  if (found) return found;
  const safe = safeText(text).replace(/^\n+|\s+$/g, "");
  const lines = safe === "" ? [] : markdownLines(safe, lookOf(paint, Math.max(2, width)));
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, lines);
  return lines;
}

/** The same of a text that has no blocks. */
export function inlineWrapped(text: string, width: number, paint: Paints): string[] {
  const safe = safeText(text.slice(0, MAX)).replace(/^\n+|\s+$/g, "");
  return safe === ""
    ? []
    : paintedInline(safe, paint)
        .split("\n")
        .flatMap((line) => wrapTextWithAnsi(line, Math.max(2, width)));
}

export function paintsOf(theme: Theme, ground: (text: string) => string): Paints {
  const strong = (text: string) => theme.question(ground(text));
  return wordPaints({ text: ground, strong, code: theme.accent, muted: theme.muted });
}

const lookOf = (paint: Paints, width: number): MarkdownLook => ({
  paint,
  width,
  wrap: (line, room) => wrapTextWithAnsi(line, room),
  widthOf: visibleWidth,
});
