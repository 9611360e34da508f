import type { Question } from "../ask/question.ts";
import type { FormEntry } from "./draft.ts";
import { entryError, isSelected } from "./entry.ts";
import { type FormState, updateForm } from "./form.ts";
import { here, withError } from "./state.ts";

// For surfaces on which every row and field is there to be pointed at, in any order.

/** Rows are the options and, after them, Other. Pointing at one means it; a second time on a checkbox takes it back. */
export function pickRow(state: FormState, row: number): FormState {
  const { question } = here(state);
  const left = state.phase === "field" ? updateForm(state, { kind: "closeField" }) : state;
  const moved = updateForm(left, { kind: "move", to: row });
  return row === question?.options.length ? otherRow(moved) : updateForm(moved, { kind: "toggle" });
}

/** Typing opens the field, wherever the form was. */
export function typeOther(state: FormState, text: string): FormState {
  const open = state.phase === "field" ? state : updateForm(state, { kind: "openField" });
  return updateForm(open, { kind: "type", text });
}

/** Text in an open field counts as chosen, as it does when the person goes elsewhere. */
export function leaveField(state: FormState): FormState {
  return state.phase === "field" ? updateForm(state, { kind: "goTo", question: state.current }) : state;
}

/** One step on: the next question, the review, or, with a single question or from the review, the end. */
export function stepOn(state: FormState): FormState {
  if (isEmptyOther(state)) return updateForm(state, { kind: "confirmField" });
  if (state.phase === "review" || state.questions.length === 1) return updateForm(state, { kind: "submit" });
  const left = leaveField(state);
  const { question, entry } = here(left);
  const error = question && entry && entryError(question, entry);
  return error === undefined ? updateForm(left, { kind: "next" }) : withError(left, error);
}

/** Text in the open field already counts, and in a single choice nothing else does. */
export function looksSelected(state: FormState, question: Question, entry: FormEntry, row: number): boolean {
  const isOther = row === question.options.length;
  const isTyping = state.phase === "field" && (entry.text.trim() !== "" || entry.picks.length === 0);
  if (!isTyping) return isSelected(question, entry, row);
  return isOther || (question.multiSelect && isSelected(question, entry, row));
}

/** Other was chosen and nothing written: said in its own words, not as "nothing selected". */
function isEmptyOther(state: FormState): boolean {
  const { question, entry } = here(state);
  const isOpen = state.phase === "field" && (question?.options.length ?? 0) > 0;
  return isOpen && entry?.text.trim() === "" && entry.picks.length === 0;
}

function otherRow(state: FormState): FormState {
  const { question, entry } = here(state);
  const isOff = question?.multiSelect && entry?.other;
  return isOff ? updateForm(state, { kind: "toggle" }) : updateForm(state, { kind: "openField" });
}
