import type { Answer } from "../ask/answer/answer.ts";
import { NO_TEXT, OTHER_WITHOUT_TEXT } from "../ask/answer/check-answer.ts";
import type { FormDraft, FormEntry } from "./draft.ts";
import { entryAnswer, fittingEntry, toggledPick, withOther } from "./entry.ts";
import { isSecret } from "../ask/answer/field.ts";
import { type FormState, change, here, withError } from "./state.ts";
import { advance, goOn, landOn, review, submit } from "./walk.ts";
import type { Question } from "../ask/question.ts";
import { rowOrder, takesOwnWords } from "./rows.ts";

export type { FormDraft } from "./draft.ts";
export type { FormState } from "./state.ts";

export type FormAction =
  | { kind: "move"; by: number }
  | { kind: "move"; to: number }
  | { kind: "toggle" | "choose" | "openField" | "closeField" | "confirmField" }
  | { kind: "type" | "note"; text: string }
  | { kind: "next" | "back" | "review" | "submit" }
  | { kind: "goTo"; question: number };

export function openForm(
  questions: readonly Question[],
  { draft, prefill }: { draft?: FormDraft; prefill?: readonly Answer[] } = {},
): FormState {
  const entries = questions.map((question, i) => {
    const answer = prefill?.[i];
    const filled = { picks: answer?.picks ?? [], other: answer?.text !== undefined, ...textsOf(answer) };
    return fittingEntry(question, draft?.entries[i] ?? filled);
  });
  const blank = { questions, phase: "review", current: 0, row: 0, entries, errors: {}, opened: entries } as const;
  return landOn(blank, Math.min(draft?.current ?? 0, questions.length - 1));
}

export function updateForm(state: FormState, action: FormAction): FormState {
  if (state.phase === "submitted") return state;
  switch (action.kind) {
    case "move":
      return "to" in action ? move(state, action.to) : moveBy(state, action.by);
    case "toggle":
      return state.phase === "answering" ? toggle(state) : state;
    case "choose":
      return choose(state);
    case "openField":
      return state.phase === "answering" && hasOther(state) ? openField(state) : state;
    case "closeField":
      return closeField(state);
    case "confirmField":
      return state.phase === "field" ? confirmField(state) : state;
    case "type":
      return state.phase === "field" ? type(state, action.text.toWellFormed()) : state;
    case "note":
      return state.phase === "review"
        ? state
        : change(state, (entry) => ({ ...entry, note: action.text.toWellFormed() }));
    case "next":
      return state.phase === "review" ? state : goOn(leaveField(state));
    case "back":
      return landOn(leaveField(state), state.phase === "review" ? state.current : state.current - 1);
    case "goTo":
      return landOn(leaveField(state), action.question);
    case "review":
      return review(leaveField(state));
    case "submit":
      return submit(leaveField(state));
  }
}

export function answers(state: FormState): Answer[] {
  return state.entries.map((entry, i) => entryAnswer(entry, isSecretAt(state, i)));
}

export function draftOf({ questions, current, entries }: FormState): FormDraft {
  return draftToKeep(questions, { current, entries: [...entries] });
}

/** What is kept of a form outlives it: no secret does. */
export function draftToKeep(questions: readonly Question[], { current, entries }: FormDraft): FormDraft {
  const isKept = (i: number) => !isSecret(questions[i] ?? {});
  return { current, entries: entries.map((entry, i) => (isKept(i) ? entry : { ...entry, other: false, text: "" })) };
}

const isSecretAt = ({ questions }: FormState, i: number) => isSecret(questions[i] ?? {});

/** Changed since it was opened: taking a change back makes the form clean again. */
export function isDirty(state: FormState): boolean {
  return comparable(state.entries) !== comparable(state.opened);
}

function comparable(entries: readonly FormEntry[]): string {
  return JSON.stringify(entries.map((entry) => [entryAnswer(entry), entry.text, entry.note]));
}

function textsOf(answer: Answer | undefined): { text: string; note: string } {
  return { text: answer?.text ?? "", note: answer?.note ?? "" };
}

function move(state: FormState, row: number): FormState {
  const { question } = here(state);
  if (state.phase !== "answering" || !question || Number.isNaN(row)) return state;
  const last = question.options.length;
  return { ...state, row: row > last ? (rowOrder(question).at(-1) ?? last) : Math.max(0, Math.trunc(row)) };
}

/** As the rows stand on the screen. */
function moveBy(state: FormState, by: number): FormState {
  const { question } = here(state);
  if (!question || Number.isNaN(by)) return state;
  const rows = rowOrder(question);
  const place = Math.max(0, Math.min(Math.trunc(rows.indexOf(state.row) + by), rows.length - 1));
  return move(state, rows[place] ?? state.row);
}

function toggle(state: FormState): FormState {
  const { question, entry } = here(state);
  if (!question || !entry) return state;
  if (state.row < question.options.length) return change(state, () => toggledPick(question, entry, state.row));
  if (entry.other && question.multiSelect) return change(state, () => ({ ...entry, other: false }));
  return entry.text.trim() === "" ? openField(state) : change(state, () => withOther(question, entry));
}

function choose(state: FormState): FormState {
  if (state.phase === "review") return submit(state);
  if (state.phase === "field") return confirmField(state);
  const { question, entry } = here(state);
  if (!question || !entry) return state;
  const onOther = state.row === question.options.length;
  // In multi-select Enter never selects, so on an unselected Other it can only mean: let me see and confirm the text.
  if (onOther && (entry.text.trim() === "" || (question.multiSelect && !entry.other))) return openField(state);
  if (question.multiSelect) return advance(state);
  return advance(change(state, () => (onOther ? withOther(question, entry) : toggledPick(question, entry, state.row))));
}

function hasOther(state: FormState): boolean {
  const { question } = here(state);
  return question !== undefined && takesOwnWords(question);
}

function openField(state: FormState): FormState {
  const row = here(state).question?.options.length ?? 0;
  return change({ ...state, row, phase: "field" }, (entry) => entry);
}

function closeField(state: FormState): FormState {
  const { question } = here(state);
  if (state.phase !== "field" || question?.options.length === 0) return state;
  return change({ ...state, phase: "answering" }, (entry) => entry);
}

function confirmField(state: FormState): FormState {
  const { question, entry } = here(state);
  if (!question || !entry) return state;
  const hasOptions = question.options.length > 0;
  const isEmpty = entry.text.trim() === "";
  if (isEmpty && question.field?.optional) return advance(state);
  if (isEmpty) return withError(state, hasOptions ? OTHER_WITHOUT_TEXT : NO_TEXT);
  const selected = change(state, () => withOther(question, entry));
  return hasOptions && question.multiSelect ? { ...selected, phase: "answering" } : advance(selected);
}

function type(state: FormState, text: string): FormState {
  const { question } = here(state);
  const typed = { text, ...(question?.options.length === 0 ? { other: text.trim() !== "" } : {}) };
  return change(state, (entry) => ({ ...entry, ...typed }));
}

/** Going elsewhere with text in the open field means that text; only Esc says otherwise. */
function leaveField(state: FormState): FormState {
  const { question, entry } = here(state);
  if (state.phase !== "field" || !question || !entry) return state;
  const closed: FormState = { ...state, phase: question.options.length === 0 ? "field" : "answering" };
  return entry.text.trim() === "" ? closed : change(closed, () => withOther(question, entry));
}
