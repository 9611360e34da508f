import { aboutOption } from "../core/words/option-about.ts";
import type { FormEntry } from "../core/form/draft.ts";
import { isSelected } from "../core/form/entry.ts";
import { isRecommended, type Option, type Question } from "../core/ask/question.ts";
import { rowOrder } from "../core/form/rows.ts";
import { plainText } from "../core/text/markdown.ts";
import type { Paints } from "../core/text/markdown-lines.ts";
import { inlineWrapped, paintsOf } from "./markdown.ts";
import type { Room } from "./room.ts";
import type { Theme } from "./theme.ts";
import { clipped, type Viewport, viewport, wrapped } from "./wrap.ts";

const OTHER = "Other";
const OTHER_DESCRIPTION = "Provide your own answer";
const ROWS = 6;
/** Six rows are wrapped again with every key. */
const MAX_TEXT = 3_000;
const POINTER = "❯ ";

/** Rows are the options, Other and last what ends everything (`rowOrder`); `row` is the one under the cursor. */
export type List = { question: Question; entry: FormEntry; row: number };
type Painted = List & { paint: Paints };
type Text = { label: string[]; description: string[]; arrows?: Viewport["arrows"] };

/** At most six rows around the cursor, each with as much of its text as there is room for. */
export function listLines(given: List, theme: Theme, { width, height }: Room, top: number): Viewport {
  const list = { ...given, paint: paintsOf(theme, theme.muted) };
  const indent = POINTER.length + "(•) ".length + numbered(list, list.row).length;
  const inside = Math.max(4, width - indent);
  const draw = (text: (row: number) => Text, rows: readonly number[]) => {
    const parts = rows.map((row) => rowLines(list, row, text(row), pointerOf(list, row, rows), theme, indent));
    return { shown: parts.flat(), rows: parts.flatMap((lines, i) => lines.map(() => rows[i] ?? 0)) };
  };

  for (const text of [everything, firstLines, ownOnly]) {
    const drawn = draw((row) => text(list, row, inside), around(list, ROWS));
    if (drawn.shown.length <= height) return { ...viewport(drawn.shown, 0, height), rows: drawn.rows };
  }
  // Too little room: the row under the cursor keeps its text, scrolled if need be, the others one line each.
  const { label, description } = everything(list, list.row, inside);
  const own = Math.min(label.length + description.length, Math.max(2, Math.floor(height / 2)));
  const rows = around(list, Math.max(1, Math.min(ROWS, height - own + 1)));
  const rest = viewport([...label.slice(1), ...description], top, Math.max(0, height - rows.length));
  const short = { label: label.slice(0, 1), description: rest.shown, arrows: rest.arrows };
  return { ...rest, ...draw((row) => (row === list.row ? short : ownOnly(list, row, inside)), rows) };
}

function around({ question, row }: List, size: number): number[] {
  const rows = rowOrder(question);
  const first = Math.max(0, Math.min(rows.indexOf(row) - Math.floor((size - 1) / 2), rows.length - size));
  return rows.slice(first, first + size);
}

function everything({ question, entry, paint }: Painted, row: number, width: number): Text {
  const option = question.options[row];
  if (!option) {
    const own = entry.text.trim() === "" ? OTHER_DESCRIPTION : `“${clipped(entry.text, width - 2)}”`;
    return { label: [OTHER], description: wrapped(own, width).map(paint.text) };
  }
  return {
    label: wrapped(labelOf(option), width, MAX_TEXT),
    description: inlineWrapped(aboutOption(option).slice(0, MAX_TEXT), width, paint),
  };
}

function firstLines(list: Painted, row: number, width: number): Text {
  const { label, description } = everything(list, row, width);
  if (row === list.row || description.length < 2) return { label, description };
  const words = plainText((list.question.options[row]?.description ?? "").slice(0, MAX_TEXT));
  return { label, description: [list.paint.text(clipped(words, width))] };
}

function ownOnly(list: Painted, row: number, width: number): Text {
  if (row === list.row) return everything(list, row, width);
  const option = list.question.options[row];
  return { label: [option ? clipped(labelOf(option), width) : OTHER], description: [] };
}

function labelOf({ label, recommended, stakes }: Option): string {
  const praised = recommended && !isRecommended(label) ? `${label} (recommended)` : label;
  return stakes === "high" ? `${praised} (high stakes)` : praised;
}

function rowLines(list: List, row: number, text: Text, pointer: string, theme: Theme, indent: number): string[] {
  const [first = "", ...more] = text.label;
  const selected = isSelected(list.question, list.entry, row);
  const mark = selected ? theme.ok(markOf(list, selected)) : theme.muted(markOf(list, selected));
  const current = row === list.row;
  const label = current ? theme.selected : theme.text;
  const space = " ".repeat(indent);
  return [
    `${current ? theme.selected(pointer) : theme.muted(pointer)}${mark}${theme.muted(numbered(list, row))}${label(first)}`,
    ...more.map((line) => space + label(line)),
    ...text.description.map((line, i) => `${theme.muted((text.arrows?.[i] ?? "").padStart(indent - 1))} ${line}`),
  ];
}

/** The cursor, or an arrow where the list goes on. */
function pointerOf({ question, row: current }: List, row: number, rows: readonly number[]): string {
  if (row === current) return POINTER;
  const all = rowOrder(question);
  if (row === rows[0] && row !== all[0]) return "↑ ";
  return row === rows.at(-1) && row !== all.at(-1) ? "↓ " : "  ";
}

function markOf({ question }: List, selected: boolean): string {
  if (question.multiSelect) return selected ? "[x] " : "[ ] ";
  return selected ? "(•) " : "( ) ";
}

function numbered({ question }: List, row: number): string {
  const rows = rowOrder(question);
  return `${rows.indexOf(row) + 1}. `.padStart(`${rows.length}. `.length);
}
