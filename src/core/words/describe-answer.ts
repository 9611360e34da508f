import type { Answer } from "../ask/answer.ts";
import type { Question } from "../ask/question.ts";

export function pickedLabels(question: Question, answer: Answer): string[] {
  return answer.picks.flatMap((pick) => question.options[pick]?.label ?? []);
}

/** One answer as a person reads it: `Auth, Search and "my own"`; never parsed back. */
export function describeAnswer(question: Question, answer: Answer): string {
  if (answer.unread !== undefined) return `(${describeUnread(answer.unread)})`;
  const parts = [...pickedLabels(question, answer), ...(answer.text === undefined ? [] : [answer.text])];
  const note = answer.note ? ` (note: ${answer.note})` : "";
  return `${parts.join(", ")}${note}`;
}

/** Of an answer that was given, but is not known. */
export const describeUnread = (unread: string): string =>
  unread === "" ? "no answer in the agent's record" : `could not be read: ${unread}`;

export const isUnread = ({ unread }: Answer): boolean => unread !== undefined;

export function describeAnswers(questions: readonly Question[], answers: readonly Answer[]): string {
  return questions.map((question, i) => describeAnswer(question, answers[i] ?? { picks: [] })).join("; ");
}
