import { isSecret } from "../core/ask/answer/field.ts";
import type { Field } from "../core/ask/question.ts";
import { fieldWords } from "../core/words/field-words.ts";
import { here } from "../core/form/state.ts";
import { rowOrder } from "../core/form/rows.ts";
import { type DialogState, fieldText, noteText } from "./dialog-state.ts";
import { fieldLines } from "./field-view.ts";
import { listLines } from "./list-view.ts";
import type { Room } from "./room.ts";
import type { Theme } from "./theme.ts";
import { clipped, padded, type Viewport, viewport, wrapped } from "./wrap.ts";

/** From this width on a preview stands beside the options, below it under them. */
const BESIDE = 72;
const LIST_SHARE = 0.42;

export type AnswerLook = { theme: Theme; focused: boolean };

/** Where the person answers: the list with its preview, the field, or the note. */
export function answerLines(state: DialogState, look: AnswerLook, room: Room): Viewport {
  const { question } = here(state.form);
  if (state.over === "preview") return previewAlone(state, look.theme, room);
  if (state.over === "note") return fieldBelowList(state, look, room, "Note for the agent:", noteText(state.form));
  if (state.form.phase === "field") {
    const text = fieldText(state.form);
    const shown = question && isSecret(question) ? hidden(text) : text;
    return fieldBelowList(state, look, room, labelOf(question?.field, room.width), shown);
  }
  return question?.options.some(({ preview }) => preview)
    ? listAndPreview(state, look.theme, room)
    : listOnly(state, look.theme, room);
}

function labelOf(field: Field | undefined, width: number): string {
  const words = field ? fieldWords(field) : "";
  return words === "" ? "Enter your answer:" : clipped(`Enter your answer (${words}):`, width);
}

/** As long as what it hides, so that the cursor stands where it is. */
const hidden = (text: string) => "•".repeat(text.length);

function listOnly({ form, over, scroll }: DialogState, theme: Theme, room: Room): Viewport {
  const { question, entry } = here(form);
  if (!question || !entry) return viewport([], 0, 0);
  const note =
    over === "note" || entry.note.trim() === "" ? [] : [theme.accent(`  note: ${clipped(entry.note, room.width - 8)}`)];
  // While the field is open, the text stands there.
  const told = form.phase === "field" ? { ...entry, text: "" } : entry;
  const list = listLines(
    { question, entry: told, row: form.row },
    theme,
    { ...room, height: room.height - note.length },
    scroll.detail,
  );
  return { ...list, shown: [...list.shown, ...note] };
}

function listAndPreview(state: DialogState, theme: Theme, room: Room): Viewport {
  const text = here(state.form).question?.options[state.form.row]?.preview ?? "";
  if (room.width < BESIDE) {
    const list = listOnly(state, theme, room);
    const left = room.height - list.shown.length - 1;
    const preview = viewport(wrapped(text, room.width - 2), state.scroll.detail, left);
    if (left < 3 || preview.shown.length === 0) return list;
    return {
      ...preview,
      rows: list.rows ?? [],
      shown: [
        ...list.shown,
        "",
        ...preview.shown.map((line, i) => `${theme.border(preview.arrows[i] || "│")} ${line}`),
      ],
    };
  }
  const width = Math.floor(room.width * LIST_SHARE);
  const { shown: list, rows: listed = [] } = listOnly(state, theme, { width, height: room.height });
  const preview = viewport(wrapped(text, room.width - width - 3), state.scroll.detail, room.height);
  const rows = Math.max(list.length, preview.shown.length);
  const shown = Array.from({ length: rows }, (_, i) => {
    return `${padded(list[i] ?? "", width)} ${theme.border(preview.arrows[i] || "│")} ${preview.shown[i] ?? ""}`;
  });
  return { ...preview, shown, rows: listed, rowWidth: width };
}

function previewAlone(state: DialogState, theme: Theme, room: Room): Viewport {
  const option = here(state.form).question?.options[state.form.row];
  const text = wrapped(option?.preview ?? "", room.width);
  const view = viewport(text.length > 0 ? text : [theme.muted("No preview")], state.scroll.detail, room.height - 1);
  return { ...view, shown: [theme.accent(clipped(option?.label ?? "", room.width)), ...view.shown] };
}

/** The list stays in sight while there is room for it. */
function fieldBelowList(
  state: DialogState,
  { theme, focused }: AnswerLook,
  room: Room,
  label: string,
  text: string,
): Viewport {
  const field = fieldLines({ label, text, cursor: state.cursor, focused }, theme, room);
  const { question } = here(state.form);
  const left = room.height - field.length - 1;
  if (!question || question.options.length === 0 || left < Math.min(6, rowOrder(question).length))
    return viewport(field, 0, field.length);
  const list = listOnly(state, theme, { ...room, height: left });
  const lines = [...list.shown, "", ...field];
  return { ...viewport(lines, 0, lines.length), rows: list.rows ?? [] };
}
