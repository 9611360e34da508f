import { entryError, isSelected } from "./entry.ts";
import { type FormState, here, withError } from "./state.ts";
import type { Answer } from "../ask/answer/answer.ts";
import type { Question } from "../ask/question.ts";
import { isCancel, rowOrder } from "./rows.ts";

export function landOn(state: FormState, index: number): FormState {
  const question = state.questions[index];
  const entry = state.entries[index];
  if (!question || !entry) return state;
  const row = rowOrder(question).find((candidate) => isSelected(question, entry, candidate)) ?? 0;
  return { ...state, current: index, row, phase: question.options.length === 0 ? "field" : "answering" };
}

export function advance(state: FormState): FormState {
  const { question, entry } = here(state);
  if (!question || !entry) return state;
  const error = entryError(question, entry);
  if (error !== undefined) return withError(state, error);
  return state.questions.length === 1 || endsAll(state) ? submit(state) : goOn(state);
}

export function goOn(state: FormState): FormState {
  return state.current + 1 < state.questions.length ? landOn(state, state.current + 1) : review(state);
}

export function review(state: FormState): FormState {
  return state.questions.length === 1 ? state : { ...state, phase: "review" };
}

/** Picked: an option that ends everything, whatever the other questions say. */
export function endsAll({ questions, entries }: FormState): boolean {
  return questions.some(({ options }, i) => entries[i]?.picks.some((pick) => isCancel(options[pick])));
}

/** To end everything, and nothing else: what was entered beside it is not sent. */
export function endingAnswers(questions: readonly Question[]): Answer[] {
  const at = questions.findIndex(({ options }) => options.some(isCancel));
  return questions.map(({ options }, i) => ({ picks: i === at ? [options.findIndex(isCancel)] : [] }));
}

export function submit(state: FormState): FormState {
  const failures = state.questions.flatMap((question, index) => {
    const entry = state.entries[index];
    const error = entry && entryError(question, entry);
    return error === undefined ? [] : [{ index, error }];
  });
  const [first] = endsAll(state) ? [] : failures;
  if (!first) return { ...state, phase: "submitted", errors: {} };
  const errors = Object.fromEntries(failures.map(({ index, error }) => [index, error]));
  return landOn({ ...state, errors }, first.index);
}
