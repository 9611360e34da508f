import type { Question } from "./question.ts";

/**
 * The same question reaches us several times with other key orders and extra fields; only what a person
 * would read decides whether two of them are one.
 */
export function canonicalQuestions(questions: readonly Question[]): string {
  return JSON.stringify(
    questions.map((q) => [q.text, q.header, q.multiSelect, q.options.map((o) => [o.label, o.description])]),
  );
}
