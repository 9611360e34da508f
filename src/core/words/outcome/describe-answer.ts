import type { Answer } from "../../ask/answer/answer.ts";
import { isSecret } from "../../ask/answer/field.ts";
import { headerOf } from "../../ask/header.ts";
import type { Question } from "../../ask/question.ts";

export function pickedLabels(question: Question, answer: Answer): string[] {
  return answer.picks.flatMap((pick) => question.options[pick]?.label ?? []);
}

/** In the place of a secret. */
export const SECRET = "(secret)";

/** One answer as a person reads it: `Auth, Search and "my own"`; never parsed back. */
export function describeAnswer(question: Question, answer: Answer): string {
  if (answer.unread !== undefined) return `(${describeUnread(answer.unread)})`;
  const isHidden = answer.secret === true || (isSecret(question) && (answer.text ?? "") !== "");
  const words = isHidden ? [SECRET] : answer.text === undefined ? [] : [answer.text];
  const parts = [...pickedLabels(question, answer), ...words];
  const note = answer.note ? ` (note: ${answer.note})` : "";
  return `${parts.join(", ")}${note}`;
}

/** Of an answer that was given, but is not known. */
export const describeUnread = (unread: string): string =>
  unread === "" ? "no answer in the agent's record" : `could not be read: ${unread}`;

export const isUnread = ({ unread }: Answer): boolean => unread !== undefined;

export function describeAnswers(questions: readonly Question[], answers: readonly Answer[]): string {
  const said = questions.map((question, i) => describeAnswer(question, answers[i] ?? { picks: [] }));
  if (!questions.some(({ field }) => field) || questions.length === 1) return said.join("; ");
  // Of a form with many fields what was left empty says nothing.
  const named = questions.map((question, i) => (said[i] ? `${headerOf(question)}: ${said[i]}` : ""));
  return named.filter((part) => part !== "").join("; ") || "nothing filled in";
}
