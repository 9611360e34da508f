import type { FormEntry } from "./draft.ts";
import type { Question } from "../ask/question.ts";

/** Contract: `row` counts the options of the current question and, after them, Other (`rowOrder`: as they are shown); `errors` is keyed by question index. */
export type FormState = {
  readonly questions: readonly Question[];
  readonly phase: "answering" | "field" | "review" | "submitted";
  readonly current: number;
  readonly row: number;
  readonly entries: readonly FormEntry[];
  readonly errors: Readonly<Record<number, string>>;
  readonly opened: readonly FormEntry[];
};

export function here(state: FormState): { question: Question | undefined; entry: FormEntry | undefined } {
  return { question: state.questions[state.current], entry: state.entries[state.current] };
}

export function change(state: FormState, make: (entry: FormEntry) => FormEntry): FormState {
  const { [state.current]: _cleared, ...errors } = state.errors;
  const entries = state.entries.map((entry, i) => (i === state.current ? make(entry) : entry));
  return { ...state, entries, errors };
}

export function withError(state: FormState, error: string): FormState {
  return { ...state, errors: { ...state.errors, [state.current]: error } };
}
