import { type Inline, readInline } from "./markdown-inline.ts";

export type Block =
  | { type: "heading"; level: number; content: Inline[] }
  | { type: "paragraph"; content: Inline[] }
  | { type: "code"; text: string }
  | { type: "quote"; blocks: Block[] }
  | { type: "list"; ordered: boolean; start: number; items: Block[][] }
  | { type: "table"; head: Inline[][]; rows: Inline[][][] }
  | { type: "rule" };

const DEEPEST = 5;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t](.*)$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^\s{0,3}(?:-\s*){3,}$|^\s{0,3}(?:\*\s*){3,}$|^\s{0,3}(?:_\s*){3,}$/;
const QUOTE = /^\s{0,3}>\s?/;

/**
 * The part of markdown that questions use, as data. There is no block and no inline for markup: a tag in the text is
 * text, so whatever a model writes can only ever become what stands in these two types.
 */
export function readMarkdown(text: string, depth = 0): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      at++;
      continue;
    }
    const [block, next] = readBlock(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

/** The words alone, on one line. */
export function plainText(text: string): string {
  const words = (content: Inline[]): string =>
    content.map((item) => ("content" in item ? words(item.content) : "text" in item ? item.text : " ")).join("");
  const ofBlock = (block: Block): string => {
    if ("content" in block) return words(block.content);
    if (block.type === "code") return block.text;
    if (block.type === "quote") return block.blocks.map(ofBlock).join(" ");
    return block.type === "list" ? block.items.flat().map(ofBlock).join(", ") : "";
  };
  return readMarkdown(text).map(ofBlock).join(" ");
}

type Read = [block: Block, next: number];

function readBlock(lines: readonly string[], at: number, depth: number): Read {
  const line = lines[at] ?? "";
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return readFence(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading)
    return [
      { type: "heading", level: heading[1]?.length ?? 1, content: readInline((heading[2] ?? "").trim()) },
      at + 1,
    ];
  if (RULE.test(line)) return [{ type: "rule" }, at + 1];
  if (QUOTE.test(line) && depth < DEEPEST) return readQuote(lines, at, depth);
  if (ITEM.test(line) && depth < DEEPEST) return readList(lines, at, depth);
  if (line.includes("|") && isDelimiter(lines[at + 1] ?? "")) return readTable(lines, at);
  return readParagraph(lines, at);
}

function readFence(lines: readonly string[], at: number, fence: string): Read {
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? "").trim().startsWith(fence)) end++;
  return [{ type: "code", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function readQuote(lines: readonly string[], at: number, depth: number): Read {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end] ?? "")) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  return [{ type: "quote", blocks: readMarkdown(inner.join("\n"), depth + 1) }, end];
}

function readList(lines: readonly string[], at: number, depth: number): Read {
  const [, first = "", mark = "-"] = ITEM.exec(lines[at] ?? "") ?? [];
  const ordered = /\d/.test(mark);
  const items: string[][] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    const item = ITEM.exec(line);
    const indent = item?.[1]?.length ?? /^\s*/.exec(line)?.[0].length ?? 0;
    if (item && indent <= first.length && /\d/.test(item[2] ?? "") === ordered) items.push([item[3] ?? ""]);
    else if (indent > first.length && line.trim() !== "")
      items.at(-1)?.push(line.slice(Math.min(indent, first.length + 2)));
    else break;
  }
  const blocks = items.map((item) => readMarkdown(item.join("\n"), depth + 1));
  return [{ type: "list", ordered, start: Number.parseInt(mark, 10) || 1, items: blocks }, end];
}

function readTable(lines: readonly string[], at: number): Read {
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end++;
  const rows = lines.slice(at + 2, end).map(cellsOf);
  return [{ type: "table", head: cellsOf(lines[at] ?? ""), rows }, end];
}

/** `|---|:-:|`. Cell by cell: one pattern for the whole line takes minutes for a line made of spaces. */
function isDelimiter(line: string): boolean {
  return splitRow(line).every((cell) => /^:?-+:?$/.test(cell));
}

function cellsOf(line: string): Inline[][] {
  return splitRow(line).map((cell) => readInline(cell));
}

function splitRow(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

function readParagraph(lines: readonly string[], at: number): Read {
  let end = at + 1;
  const ends = (line: string) =>
    line.trim() === "" || [FENCE, HEADING, ITEM, RULE, QUOTE].some((pattern) => pattern.test(line));
  while (end < lines.length && !ends(lines[end] ?? "")) end++;
  return [{ type: "paragraph", content: readInline(lines.slice(at, end).join("\n")) }, end];
}
