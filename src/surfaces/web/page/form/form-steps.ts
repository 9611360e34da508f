import { NOTHING_SELECTED } from "../../../../core/ask/check-answer.ts";
import type { FormEntry } from "../../../../core/form/draft.ts";
import { entryError, isSelected } from "../../../../core/form/entry.ts";
import { here, withError } from "../../../../core/form/state.ts";
import { type FormState, updateForm } from "../../../../core/form/form.ts";
import type { Question } from "../../../../core/ask/question.ts";
import { isCancel } from "../../../../core/form/rows.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { leaveField } from "./forms.ts";

/** One step on: the next question, the review, or, with a single question or from the review, the end. */
export function stepOn(state: FormState): FormState {
  if (isEmptyOther(state)) return updateForm(state, { kind: "confirmField" });
  if (state.phase === "review" || state.questions.length === 1) return updateForm(state, { kind: "submit" });
  const left = leaveField(state);
  const { question, entry } = here(left);
  const error = question && entry && entryError(question, entry);
  return error === undefined ? updateForm(left, { kind: "next" }) : withError(left, error);
}

/** Other was chosen and nothing written: said in its own words, not as "nothing selected". */
function isEmptyOther(state: FormState): boolean {
  const { question, entry } = here(state);
  const isOpen = state.phase === "field" && (question?.options.length ?? 0) > 0;
  return isOpen && entry?.text.trim() === "" && entry.picks.length === 0;
}

/** Rows are the options and, after them, Other. Clicking one means it; a second click on a checkbox takes it back. */
export function pickRow(state: FormState, row: number): FormState {
  const { question } = here(state);
  const left = state.phase === "field" ? updateForm(state, { kind: "closeField" }) : state;
  const moved = updateForm(left, { kind: "move", to: row });
  return row === question?.options.length ? otherRow(moved) : updateForm(moved, { kind: "toggle" });
}

function otherRow(state: FormState): FormState {
  const { question, entry } = here(state);
  const isOff = question?.multiSelect && entry?.other;
  return isOff ? updateForm(state, { kind: "toggle" }) : updateForm(state, { kind: "openField" });
}

/** Text in the open field already counts, and in a single choice nothing else does. */
export function looksSelected(state: FormState, question: Question, entry: FormEntry, row: number): boolean {
  const isOther = row === question.options.length;
  const isTyping = state.phase === "field" && (entry.text.trim() !== "" || entry.picks.length === 0);
  if (!isTyping) return isSelected(question, entry, row);
  return isOther || (question.multiSelect && isSelected(question, entry, row));
}

/** The page's words for what the form says in the terminal's. */
export function errorText(error: string): string {
  return error === NOTHING_SELECTED ? "Please select at least one option." : `${error}.`;
}

/** Not the agent asks, but Parley for it: it stopped, and somebody has to say how it goes on. */
export const isEscalation = ({ kind, origin }: AskView): boolean =>
  origin.task !== undefined && !["question", "approval", "plan", "elicitation"].includes(kind);

/** What is wanted are words, not a choice. */
export function takesFeedback(ask: AskView, { options }: Question): boolean {
  return isEscalation(ask) || options.every(isCancel);
}
