import type { Question } from "./question.ts";

/** What a person reads in front of a question when the agent gave no header. */
export function headerOf(question: Question): string {
  return question.header.trim() === "" ? "Question" : question.header;
}
