import { visibleWidth } from "@earendil-works/pi-tui";
import { here } from "../core/form/state.ts";
import { isCancel } from "../core/form/rows.ts";
import type { DialogState } from "./dialog-state.ts";
import { INDENT } from "./room.ts";

/** `usual` is always named, `more` as far as there is room. */
export type Help = { usual: string[]; more: string[] };

/** What the keys do now. */
export function helpOf(
  state: DialogState,
  can: { readHead: boolean; readDetail: boolean; ways: readonly string[] },
): Help {
  const { question } = here(state.form);
  const walk = (keys: string) => (state.form.questions.length > 1 ? [keys] : []);
  // Where a row ends everything, leaving is something else.
  const hasCancel = state.form.questions.some(({ options }) => options.some(isCancel));
  const esc = state.closes || hasCancel ? "Esc: close" : "Esc: cancel";
  const more = [...(can.readHead ? ["PgUp/PgDn: read"] : []), "Ctrl+O: hide"];
  if (state.over === "leaving") return { usual: ["Esc: leave", "any other key: stay"], more: [] };
  if (state.over === "ending") return { usual: ["y: yes", "any other key: no"], more: [] };
  if (state.over === "preview") return { usual: ["↑↓: scroll", "Esc: back"], more: [] };
  if (state.over === "note") return { usual: ["Enter: done", "Esc: back"], more: ["Shift+Enter: new line"] };
  if (state.form.phase === "review") {
    return { usual: ["Enter: submit", "←: back", esc], more: ["1-9: change", ...more] };
  }
  if (state.form.phase === "field") {
    const back = question?.options.length === 0 ? esc : "Esc: back";
    return { usual: ["Enter: confirm", back], more: ["Shift+Enter: new line", ...walk("Tab: next"), ...more] };
  }
  const preview = question?.options.some((option) => option.preview) ? ["p: preview"] : [];
  const scroll = can.readDetail ? ["Shift+↑↓: scroll"] : [];
  return {
    usual: [...(question?.multiSelect ? ["Space: toggle", "Enter: confirm"] : ["Enter: select"]), "↑↓: navigate", esc],
    more: [...can.ways, ...walk("←→: questions"), "n: note", ...preview, ...scroll, ...more],
  };
}

/** Whole items only: half a key name helps nobody. Without a margin where the usual ones need the space. */
export function helpLines({ usual, more }: Help, width: number, height: number): string[] {
  const [first = "", ...rest] = fitted(usual, width - INDENT.length, 2);
  if (rest.length === 0) return fitted([first, ...more], width - INDENT.length, height).map((line) => INDENT + line);
  return fitted([...usual, ...more], width, Math.max(height, fitted(usual, width, 9).length));
}

/** The key that a line of help names at this column, by the name that presses have. */
export function keyAt(line: string, column: number): string | undefined {
  for (const { index, 0: item, 1: key = "" } of line.matchAll(/(\S[^:]*?): .*?(?=  |$)/g))
    if (column >= index && column < index + visibleWidth(item))
      return NAMED[key] ?? (/^[a-z]$/.test(key) ? key : undefined);
  return undefined;
}
const NAMED: Record<string, string> = {
  Enter: "enter",
  Esc: "escape",
  Space: "space",
  Tab: "tab",
  "←": "left",
  "Ctrl+O": "ctrl+o",
};

function fitted(items: readonly string[], width: number, height: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const longer = last === undefined ? item : `${last}  ${item}`;
    if (last !== undefined && visibleWidth(longer) <= width) lines[lines.length - 1] = longer;
    else if (lines.length < height) lines.push(item);
    else break;
  }
  return lines;
}
