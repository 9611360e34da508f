import type { Answer } from "../ask/answer/answer.ts";
import { NOTHING_SELECTED, checkAnswers } from "../ask/answer/check-answer.ts";
import type { FormEntry } from "./draft.ts";
import { isSecret } from "../ask/answer/field.ts";
import type { Question } from "../ask/question.ts";
import { takesOwnWords } from "./rows.ts";

/** `isExact`: spaces around it are meant. */
export function entryAnswer(entry: FormEntry, isExact = false): Answer {
  return {
    picks: entry.picks.toSorted((a, b) => a - b),
    ...(entry.other ? { text: isExact ? entry.text : entry.text.trim() } : {}),
    ...(entry.note.trim() === "" ? {} : { note: entry.note }),
  };
}

export function entryError(question: Question, entry: FormEntry): string | undefined {
  const checked = checkAnswers([question], [entryAnswer(entry, isSecret(question))]);
  return checked.ok ? undefined : (checked.problems[0]?.message ?? NOTHING_SELECTED);
}

/** A draft or prefill may come from other questions than these; what does not fit them is left out. */
export function fittingEntry(question: Question, from: Partial<FormEntry>): FormEntry {
  const text = (from.text ?? "").toWellFormed();
  const chosen = from.other === true && takesOwnWords(question);
  const other = question.options.length === 0 ? text.trim() !== "" : chosen;
  const known = [...new Set(from.picks)].filter((pick) => pick < question.options.length);
  const single = other ? [] : known.slice(0, 1);
  return { picks: question.multiSelect ? known : single, other, text, note: (from.note ?? "").toWellFormed() };
}

export function toggledPick(question: Question, entry: FormEntry, pick: number): FormEntry {
  if (!question.multiSelect) return { ...entry, picks: [pick], other: false };
  const without = entry.picks.filter((other) => other !== pick);
  return { ...entry, picks: without.length < entry.picks.length ? without : [...entry.picks, pick] };
}

export function withOther(question: Question, entry: FormEntry): FormEntry {
  return { ...entry, other: true, picks: question.multiSelect ? entry.picks : [] };
}

/** Rows are the options and, after the last of them, Other. */
export function isSelected(question: Question, entry: FormEntry, row: number): boolean {
  return row === question.options.length ? entry.other : entry.picks.includes(row);
}
