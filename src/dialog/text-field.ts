import { cursorLine, type FieldLine, layout, widthOf } from "./field-layout.ts";

/** Contract: `cursor` is an index into `text`, never inside a character as a person counts them. */
export type TextField = { readonly text: string; readonly cursor: number };

export function insert({ text, cursor }: TextField, added: string): TextField {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** What a key of the usual line editors does; undefined when it means nothing here. */
export function edit(field: TextField, key: string, width: number): TextField | undefined {
  const { text, cursor } = field;
  switch (key) {
    case "left":
    case "ctrl+b":
      return { text, cursor: before(text, cursor) };
    case "right":
    case "ctrl+f":
      return { text, cursor: after(text, cursor) };
    case "up":
      return { text, cursor: vertical(field, width, -1) };
    case "down":
      return { text, cursor: vertical(field, width, 1) };
    case "home":
    case "ctrl+a":
      return { text, cursor: lineStart(text, cursor) };
    case "end":
    case "ctrl+e":
      return { text, cursor: lineEnd(text, cursor) };
    case "alt+left":
    case "ctrl+left":
    case "alt+b":
      return { text, cursor: wordBefore(text, cursor) };
    case "alt+right":
    case "ctrl+right":
    case "alt+f":
      return { text, cursor: wordAfter(text, cursor) };
    case "backspace":
    case "shift+backspace":
    case "ctrl+h":
      return cut(text, before(text, cursor), cursor);
    case "delete":
    case "ctrl+d":
      return cut(text, cursor, after(text, cursor));
    case "ctrl+w":
    case "alt+backspace":
      return cut(text, wordBefore(text, cursor), cursor);
    case "ctrl+u":
      return cut(text, lineStart(text, cursor), cursor);
    case "ctrl+k":
      return cut(text, cursor, lineEnd(text, cursor));
    default:
      return undefined;
  }
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });

function cut(text: string, from: number, to: number): TextField {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

// A grapheme is looked for in a stretch around the cursor, so that a key in a long text stays quick.
const STRETCH = 200;

function before(text: string, cursor: number): number {
  const from = Math.max(0, cursor - STRETCH);
  const last = [...GRAPHEMES.segment(text.slice(from, cursor))].at(-1);
  return last ? from + last.index : 0;
}

function after(text: string, cursor: number): number {
  const [first] = GRAPHEMES.segment(text.slice(cursor, cursor + STRETCH));
  return first ? cursor + first.segment.length : cursor;
}

function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

function wordBefore(text: string, cursor: number): number {
  const from = Math.max(0, cursor - STRETCH);
  const words = [...WORDS.segment(text.slice(from, cursor))].filter(({ isWordLike }) => isWordLike);
  return from + (words.at(-1)?.index ?? 0);
}

function wordAfter(text: string, cursor: number): number {
  const stretch = text.slice(cursor, cursor + STRETCH);
  for (const { segment, index, isWordLike } of WORDS.segment(stretch)) {
    if (isWordLike) return cursor + index + segment.length;
  }
  return cursor + stretch.length;
}

function vertical({ text, cursor }: TextField, width: number, by: 1 | -1): number {
  const lines = layout(text, width);
  const current = cursorLine(lines, cursor);
  const target = lines[current + by];
  if (!target) return by < 0 ? 0 : text.length;
  const column = columnOf(lines[current], cursor);
  let used = 0;
  for (const cell of target.cells) {
    if (used + cell.width > column) return cell.at;
    used += cell.width;
  }
  // The end of a wrapped line is the beginning of the next one; stay on the line that was meant.
  const wrapped = lines[current + by + 1]?.start === target.end;
  return wrapped ? (target.cells.at(-1)?.at ?? target.end) : target.end;
}

function columnOf(line: FieldLine | undefined, cursor: number): number {
  return widthOf((line?.cells ?? []).filter(({ at }) => at < cursor));
}
