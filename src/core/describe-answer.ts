import type { Answer } from "./answer.ts";
import type { Question } from "./question.ts";

export function pickedLabels(question: Question, answer: Answer): string[] {
  return answer.picks.flatMap((pick) => question.options[pick]?.label ?? []);
}

/** One answer as a person reads it: `Auth, Search and "my own"`; never parsed back. */
export function describeAnswer(question: Question, answer: Answer): string {
  const parts = [...pickedLabels(question, answer), ...(answer.text === undefined ? [] : [answer.text])];
  const note = answer.note ? ` (note: ${answer.note})` : "";
  return `${parts.join(", ")}${note}`;
}

export function describeAnswers(questions: readonly Question[], answers: readonly Answer[]): string {
  return questions.map((question, i) => describeAnswer(question, answers[i] ?? { picks: [] })).join("; ");
}
