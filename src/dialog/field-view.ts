import { CURSOR_MARKER } from "@earendil-works/pi-tui";
import { innerWidth } from "./room.ts";
import { cursorLine, layout, type FieldLine } from "./field-layout.ts";
import type { Theme } from "./theme.ts";

const PLACEHOLDER = "Type here, then Enter to confirm";
const PROMPT = "› ";

export type FieldView = { label: string; text: string; cursor: number; focused: boolean };

/** Without the prompt and one cell for a cursor behind the last character. */
export function fieldWidth(columns: number): number {
  return Math.max(1, innerWidth(columns) - PROMPT.length - 1);
}

export function fieldLines(
  field: FieldView,
  theme: Theme,
  { width, height }: { width: number; height: number },
): string[] {
  const label = theme.accent(field.label);
  if (field.text === "") return [label, `${theme.accent(PROMPT)}${empty(field, theme, width - PROMPT.length)}`];
  const lines = layout(field.text, width - PROMPT.length - 1);
  const at = cursorLine(lines, field.cursor);
  const shown = Math.max(1, height - 1);
  const top = Math.max(0, Math.min(at - Math.floor(shown / 2), lines.length - shown));
  const visible = lines.slice(top, top + shown).map((line, i) => {
    const prompt = top + i === 0 ? theme.accent(PROMPT) : "  ";
    return prompt + drawn(line, top + i === at ? field.cursor : -1, field.focused, theme);
  });
  return [label, ...visible];
}

function empty({ focused }: FieldView, theme: Theme, width: number): string {
  const [first = "", ...rest] = PLACEHOLDER.slice(0, Math.max(1, width));
  return `${marker(focused)}${theme.cursor(first)}${theme.muted(rest.join(""))}`;
}

function drawn(line: FieldLine, cursor: number, focused: boolean, theme: Theme): string {
  const under = cursor >= line.end ? -1 : line.cells.findLastIndex(({ at }) => at <= cursor);
  const cells = line.cells.map(({ shown }, i) => (i === under ? marker(focused) + theme.cursor(shown) : shown));
  return cells.join("") + (cursor >= line.end ? marker(focused) + theme.cursor(" ") : "");
}

function marker(focused: boolean): string {
  return focused ? CURSOR_MARKER : "";
}
