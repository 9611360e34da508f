import { type Block, readMarkdown } from "./markdown.ts";
import { type Inline, readInline } from "./markdown-inline.ts";

type Paint = (text: string) => string;

/** How a surface paints what markdown says. Contract: each paints a piece by itself, with `text` as the ground. */
export type Paints = { text: Paint; strong: Paint; code: Paint; muted: Paint };
/** `wrap` and `widthOf` take painted text; `verbatim` keeps spaces. */
export type MarkdownLook = {
  paint: Paints;
  width: number;
  wrap: (line: string, width: number, verbatim: boolean) => string[];
  widthOf: (line: string) => number;
};
/** `lead` and `tail`, painted, go before and after the words. */
type Around = { lead?: string; tail?: string };

/**
 * Markdown as lines of a terminal. Contract: the text is safe already; nothing it says is left out, a link shows where it
 * leads, and a text without any markdown comes out as it went in.
 */
export function markdownLines(text: string, look: MarkdownLook, { lead = "", tail = "" }: Around = {}): string[] {
  const blocks = readMarkdown(text);
  const lines = blocks.flatMap((block, i) => {
    const before = i === 0 ? lead : "";
    const after = i === blocks.length - 1 ? tail : "";
    const gap = i > 0 && !isClose(blocks[i - 1], block) ? [""] : [];
    return [...gap, ...blockLines(block, look, look.width, { lead: before, tail: after })];
  });
  return lines.length > 0 ? lines : look.wrap(lead + tail, look.width, false);
}

/**
 * Paints word by word: a line is broken between words, and what is painted ends before that, whatever its colours are made
 * of. Where there are no colours a piece of code keeps its ticks.
 */
export function wordPaints({ text, strong, code, muted }: Paints): Paints {
  const byWord = (paint: Paint) => (words: string) => words.replaceAll(/[^ \n]+/g, (word) => paint(word));
  const hasColour = code("x") !== "x";
  const ticked = (words: string) => byWord(text)(`\`${words}\``);
  return { text: byWord(text), strong: byWord(strong), code: hasColour ? byWord(code) : ticked, muted: byWord(muted) };
}

/** One line of markdown, painted and not yet wrapped. */
export const paintedInline = (text: string, paint: Paints): string => painted(readInline(text), paint);

/** What belongs together has no blank line between. */
const isClose = (before: Block | undefined, next: Block) =>
  before?.type === "heading" || (before?.type === "paragraph" && next.type !== "paragraph" && next.type !== "heading");

function blockLines(block: Block, look: MarkdownLook, width: number, { lead = "", tail = "" }: Around = {}): string[] {
  const { paint, wrap } = look;
  if (block.type === "paragraph" || block.type === "heading") {
    const ground = block.type === "heading" ? { ...paint, text: paint.strong } : paint;
    const words = `${lead}${painted(block.content, ground)}${tail}`;
    return words.split("\n").flatMap((line) => wrap(line, width, false));
  }
  return [
    ...(lead === "" ? [] : wrap(lead.trimEnd(), width, false)),
    ...otherLines(block, look, width),
    ...(tail === "" ? [] : wrap(tail.trimStart(), width, false)),
  ];
}

function otherLines(block: Exclude<Block, { content: Inline[] }>, look: MarkdownLook, width: number): string[] {
  const { paint, wrap } = look;
  const inside = (by: number) => Math.max(2, width - by);
  switch (block.type) {
    case "code":
      return block.text
        .split("\n")
        .flatMap((line) => wrap(line, inside(2), true).map((part) => `  ${part === "" ? "" : paint.code(part)}`));
    case "quote":
      return nested(block.blocks, look, inside(2)).map((line) => `${paint.muted("│")} ${line}`);
    case "list":
      return block.items.flatMap((item, i) => {
        const mark = block.ordered ? `${block.start + i}. ` : "• ";
        const lines = nested(item, look, inside(mark.length));
        const indent = " ".repeat(mark.length);
        return (lines.length > 0 ? lines : [""]).map((line, n) => `${n === 0 ? paint.muted(mark) : indent}${line}`);
      });
    case "table":
      return tableLines(block, look, width);
    case "rule":
      return [paint.muted("─".repeat(Math.min(width, 20)))];
  }
}

const nested = (blocks: readonly Block[], look: MarkdownLook, width: number): string[] =>
  blocks.flatMap((block) => blockLines(block, look, width));

/** In columns where they fit; else one cell after the other. */
function tableLines({ head, rows }: Block & { type: "table" }, look: MarkdownLook, width: number): string[] {
  const { paint, wrap, widthOf } = look;
  const strong = { ...paint, text: paint.strong };
  const cells = [
    head.map((cell) => painted(cell, strong)),
    ...rows.map((row) => row.map((cell) => painted(cell, paint))),
  ];
  const widths = head.map((_, i) => Math.max(...cells.slice(0, 200).map((row) => widthOf(row[i] ?? ""))));
  const fits = widths.reduce((sum, each) => sum + each + 3, -3) <= width;
  const padded = (cell: string, i: number) => cell + " ".repeat(Math.max(0, (widths[i] ?? 0) - widthOf(cell)));
  const between = paint.muted(" │ ");
  return cells.flatMap((row) => wrap(row.map((cell, i) => (fits ? padded(cell, i) : cell)).join(between), width, fits));
}

/** Each piece by itself: an attribute that ends must not end the one around it. */
function painted(content: readonly Inline[], paint: Paints): string {
  return content.map((item) => inlineWords(item, paint)).join("");
}

function inlineWords(item: Inline, paint: Paints): string {
  switch (item.type) {
    case "text":
      return item.text === "" ? "" : paint.text(item.text);
    case "code":
      return paint.code(item.text);
    case "break":
      return "\n";
    case "strong":
      return painted(item.content, { ...paint, text: paint.strong });
    // As everybody writes them where there is no other way.
    case "emphasis":
      return `${paint.text("*")}${painted(item.content, paint)}${paint.text("*")}`;
    case "deleted":
      return `${paint.text("~~")}${painted(item.content, paint)}${paint.text("~~")}`;
    case "link": {
      const label = painted(item.content, paint);
      const plain = item.content.map((part) => ("text" in part ? part.text : "")).join("");
      const isSame = plain === item.href || `${plain}/` === item.href;
      return isSame ? label : `${label} ${paint.muted(`(${item.href})`)}`;
    }
  }
}
