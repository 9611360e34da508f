import { type FormAction, type FormState, isDirty, updateForm } from "../core/form/form.ts";
import { pickRow } from "../core/form/point.ts";
import { here, withError } from "../core/form/state.ts";
import { endsAll } from "../core/form/walk.ts";
import { rowOrder } from "../core/form/rows.ts";
import { safeText } from "../core/text/text.ts";
import { noteRefusal } from "../core/words/note-words.ts";
import { type DialogState, fieldText, noteText } from "./dialog-state.ts";
import { fieldWidth } from "./field-view.ts";
import type { Press } from "./keys.ts";
import { edit, insert } from "./text-field.ts";

/** Ten times what an answer may hold: enough to see that it is too long, and still quick. */
const MAX_TEXT = 100_000;

export type Place = { columns: number; rows: number; now: number };

/** What one key does. Every key ends here: none is left for whoever is behind the dialog. */
export function press(state: DialogState, pressed: Press, place: Place): DialogState {
  if (state.ended !== undefined) return state;
  if (state.concluded !== undefined) return { ...state, ended: "cancelled" };
  if (state.collapsed) return { ...state, collapsed: false };
  if (pressed.type === "paste") return isTyping(state) ? write(state, pasted(pressed.text)) : state;

  const { name } = pressed;
  // A key that is held down may move and type, but must not run through all questions and submit.
  if (pressed.repeat && (name === "enter" || name === "escape")) return state;
  if (pressed.repeat && /^\d$/.test(name) && !isTyping(state)) return state;
  if (name === "ctrl+c") return { ...state, ended: "cancelled" };
  if (state.over === "leaving")
    return name === "escape" ? { ...state, ended: "cancelled" } : { ...state, over: "form" };
  // Not Enter: that is the key that brought the person here, and they may press it twice.
  if (state.over === "ending")
    return name === "y" || name === "Y" ? { ...state, ended: "submitted" } : { ...state, over: "form" };
  if (name === "ctrl+o") return { ...state, collapsed: true };
  if (state.over === "preview") return pressInPreview(state, name, place);
  if (name === "pageUp") return scrolled(state, "head", paged(-1, place));
  if (name === "pageDown") return scrolled(state, "head", paged(1, place));
  if (isTyping(state)) return pressInField(state, pressed, place);
  return state.form.phase === "review" ? pressInReview(state, name, place) : pressInList(state, name, place);
}

export function isTyping({ over, form }: DialogState): boolean {
  return over === "note" || (over === "form" && form.phase === "field");
}

function pressInList(state: DialogState, name: string, place: Place): DialogState {
  const { question } = here(state.form);
  switch (name) {
    case "up":
    case "k":
      return step(state, { kind: "move", by: -1 });
    case "down":
    case "j":
      return step(state, { kind: "move", by: 1 });
    case "home":
    case "g":
      return step(state, { kind: "move", to: 0 });
    case "end":
    case "G":
      return step(state, { kind: "move", to: Infinity });
    case "space":
      return step(state, { kind: "toggle" });
    case "enter":
    case "ctrl+j":
      return step(state, { kind: "choose" });
    case "escape":
      return leave(state);
    case "n":
      return openNote(state);
    case "p":
      return question?.options.some(({ preview }) => preview) ? { ...state, over: "preview" } : state;
    case "shift+up":
    case "K":
      return scrolled(state, "detail", -1);
    case "shift+down":
    case "J":
      return scrolled(state, "detail", 1);
    default:
      return /^\d$/.test(name) ? chooseNumber(state, name, place) : walk(state, name);
  }
}

function pressInReview(state: DialogState, name: string, { rows }: Place): DialogState {
  if (name === "enter" || name === "ctrl+j") return step(state, { kind: "submit" });
  if (name === "escape") return leave(state);
  if (name === "up" || name === "k") return scrolled(state, "head", -1);
  if (name === "down" || name === "j") return scrolled(state, "head", 1);
  if (name === "home") return scrolled(state, "head", -Infinity);
  if (name === "end") return scrolled(state, "head", rows * 1000);
  return /^[1-9]$/.test(name) ? step(state, { kind: "goTo", question: Number(name) - 1 }) : walk(state, name);
}

function pressInPreview(state: DialogState, name: string, place: Place): DialogState {
  const [back, on] = [paged(-1, place), paged(1, place)];
  const by = { up: -1, k: -1, down: 1, j: 1, pageUp: back, pageDown: on, space: on }[name];
  if (by !== undefined) return scrolled(state, "detail", by);
  return /^(escape|p|q|enter)$/.test(name) ? { ...state, over: "form", scroll: { ...state.scroll, detail: 0 } } : state;
}

function pressInField(state: DialogState, { name, text }: Press & { type: "key" }, place: Place): DialogState {
  if (name === "enter") return state.over === "note" ? closeNote(state) : step(state, { kind: "confirmField" });
  if (/^(shift\+enter|alt\+enter|ctrl\+enter|ctrl\+j)$/.test(name)) return write(state, "\n");
  if (name === "escape") return closeText(state);
  if (/^(shift\+)?tab$/.test(name)) return state.over === "note" ? closeNote(state) : walk(state, name);
  if (text !== "") return write(state, text);
  const field = { text: openText(state), cursor: state.cursor };
  const edited = edit(field, name, fieldWidth(place.columns));
  return edited ? withText(state, edited.text, edited.cursor) : state;
}

function walk(state: DialogState, name: string): DialogState {
  if (name === "right" || name === "tab") return step(state, { kind: "next" });
  if (name === "left" || name === "shift+tab") return step(state, { kind: "back" });
  return state;
}

/** Esc in the list, in the review, and in a question that is only a field. */
function leave(state: DialogState): DialogState {
  return isDirty(state.form) && !state.closes ? { ...state, over: "leaving" } : { ...state, ended: "cancelled" };
}

function closeText(state: DialogState): DialogState {
  if (state.over === "note") return closeNote(state);
  return here(state.form).question?.options.length === 0 ? leave(state) : step(state, { kind: "closeField" });
}

function openNote(state: DialogState): DialogState {
  const { question } = here(state.form);
  const option = question?.options[state.form.row];
  const refusal = noteRefusal(option, question);
  if (refusal !== undefined) return { ...state, form: withError(state.form, refusal) };
  // A note is about what is chosen; in single-select that is the option the person looks at.
  const choose = question && !question.multiSelect && state.form.row < question.options.length;
  const chosen = choose ? step(state, { kind: "toggle" }) : state;
  return { ...chosen, over: "note", cursor: noteText(chosen.form).length };
}

function closeNote(state: DialogState): DialogState {
  return { ...state, over: "form", cursor: fieldText(state.form).length };
}

function openText(state: DialogState): string {
  return state.over === "note" ? noteText(state.form) : fieldText(state.form);
}

function write(state: DialogState, added: string): DialogState {
  const text = openText(state);
  const field = insert({ text, cursor: state.cursor }, added.slice(0, Math.max(0, MAX_TEXT - text.length)));
  return withText(state, field.text, field.cursor);
}

function withText(state: DialogState, text: string, cursor: number): DialogState {
  const kind = state.over === "note" ? "note" : "type";
  const form = text === openText(state) ? state.form : updateForm(state.form, { kind, text });
  return { ...state, form, cursor, restored: state.restored && form === state.form };
}

function pasted(text: string): string {
  return text
    .split("\t")
    .map((part) => safeText(part))
    .join("\t");
}

function step(state: DialogState, action: FormAction): DialogState {
  return become(state, updateForm(state.form, action));
}

function become(state: DialogState, form: FormState): DialogState {
  if (form === state.form) return state;
  if (form.phase === "submitted" && endsAll(form)) return { ...state, over: "ending" };
  const ended = form.phase === "submitted" ? "submitted" : undefined;
  const elsewhere = form.current !== state.form.current || form.phase !== state.form.phase;
  const head = elsewhere ? undefined : state.scroll.head;
  const cursor = elsewhere ? fieldText(form).length : state.cursor;
  return { ...state, form, ended, cursor, restored: false, scroll: { head, detail: 0 } };
}

/** Chooses this row, or takes it back in multi-select; Other opens its field. Nothing is sent. */
export function chooseRow(state: DialogState, row: number): DialogState {
  const left = state.over === "form" ? state : closeNote(state);
  if (row !== here(left.form).question?.options.length) return become(left, pickRow(left.form, row));
  return step(step(left, { kind: "move", to: row }), { kind: "openField" });
}

function chooseNumber(state: DialogState, digit: string, { now }: Place): DialogState {
  const { question } = here(state.form);
  const rows = rowOrder(question ?? { options: [] });
  const { typed: before, at } = state.digits;
  const isLonger = before !== "" && now - at < 800 && Number(before + digit) <= rows.length;
  const typed = isLonger ? before + digit : digit;
  const row = rows[Number(typed) - 1];
  if (row === undefined) return state;
  // 1 and 2 in a row mean 12: what 1 did is taken back.
  const undone = isLonger && question?.multiSelect ? chooseRow(state, rows[Number(before) - 1] ?? 0) : state;
  return { ...chooseRow(undone, row), digits: { typed, at: now } };
}

export function scrolled(state: DialogState, what: "head" | "detail", by: number): DialogState {
  const top = Math.max(0, (state.scroll[what] ?? 0) + by);
  return { ...state, scroll: { ...state.scroll, [what]: top } };
}

function paged(direction: 1 | -1, { rows }: Place): number {
  return direction * Math.max(1, Math.floor(rows / 3));
}
