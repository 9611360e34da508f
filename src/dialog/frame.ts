import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { entryError } from "../core/form/entry.ts";
import { isDirty } from "../core/form/form.ts";
import { headerOf } from "../core/ask/header.ts";
import { rowOrder } from "../core/form/rows.ts";
import type { DialogState } from "./dialog-state.ts";
import { INDENT } from "./room.ts";
import type { Theme } from "./theme.ts";
import { clipped, wrapped } from "./wrap.ts";

export function titleLine(state: DialogState, theme: Theme, width: number): string {
  const title = clipped(titleOf(state), width - 8);
  const steps = stepMarks(state, theme, width - visibleWidth(title) - 12);
  const end = steps === "" ? "" : ` ${steps} ${theme.border("──")}`;
  const rule = "─".repeat(Math.max(0, width - visibleWidth(title) - visibleWidth(end) - 5));
  return truncateToWidth(`${theme.border("───")} ${theme.title(title)} ${theme.border(rule)}${end}`, width, "");
}

export function bottomLine({ form, over }: DialogState, theme: Theme, width: number): string {
  const rows = rowOrder(form.questions[form.current] ?? { options: [] });
  const listed = form.phase === "answering" && over !== "preview" && rows.length > 6;
  const counted = listed ? ` ${rows.indexOf(form.row) + 1}/${rows.length} ` : "";
  return `${theme.border("─".repeat(Math.max(0, width - counted.length - 2)))}${theme.muted(counted)}${theme.border("──")}`;
}

export function collapsedLine(state: DialogState, theme: Theme, width: number): string {
  const title = clipped(titleOf(state), Math.max(8, width - 22));
  const line = `${theme.accent("▸")} ${theme.title(title)}  ${theme.muted("any key: open")}`;
  return truncateToWidth(line, width, "…");
}

export function concludedLines(state: DialogState, theme: Theme, width: number): string[] {
  const said = wrapped(state.concluded ?? "", width - 2 * INDENT.length).map(theme.ok);
  const kept = isDirty(state.form) ? [theme.muted("What you entered is kept.")] : [];
  return [
    titleLine(state, theme, width),
    ...["", ...said, ...kept, ""].map((line) => (INDENT + line).trimEnd()),
    bottomLine({ ...state, over: "preview" }, theme, width),
    INDENT + theme.muted("any key: close"),
  ];
}

function titleOf({ form }: DialogState): string {
  if (form.phase === "review") return "Review";
  const question = form.questions[form.current];
  const header = question ? headerOf(question) : "Question";
  return form.questions.length > 1 ? `${form.current + 1}/${form.questions.length}: ${header}` : header;
}

/** One mark for each question, as long as they fit: answered, here, still open. */
function stepMarks({ form }: DialogState, theme: Theme, room: number): string {
  const count = form.questions.length;
  if (count < 2 || count * 2 > room) return "";
  const marks = form.questions.map((question, i) => {
    if (i === form.current && form.phase !== "review") return theme.accent("●");
    const entry = form.entries[i];
    return entry && entryError(question, entry) === undefined ? theme.ok("✓") : theme.muted("○");
  });
  return marks.join(" ");
}
