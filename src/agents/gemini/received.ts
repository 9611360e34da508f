import type { Question } from "../../core/ask/question.ts";
import { decodeChoice } from "../../core/receipt/compare.ts";
import type { Received } from "../../core/receipt/received.ts";
import { asRecord } from "../../core/record.ts";
import { truncate } from "../../core/text/text.ts";

export const QUESTION_TOOL = "ask_user";
const MOST_UNREAD = 2000;

/** What the question tool returned: `{"answers":{"0":"SQLite"}}`, by the place of each question. */
export function readAnswers(text: string, questions: readonly Question[]): Received {
  const answers = answersIn(text);
  const choices = questions.map((question, i) => {
    const raw = answers?.[String(i)];
    return typeof raw === "string" ? { ...decodeChoice(question, raw), raw } : undefined;
  });
  const isUnread = choices.some((choice) => choice === undefined);
  const known = answers !== undefined && Object.keys(answers).length === 0 ? "" : text;
  return { type: "answers", choices, ...(isUnread && { unread: truncate(known, MOST_UNREAD) }), text };
}

function answersIn(text: string): Record<string, unknown> | undefined {
  try {
    return asRecord(asRecord(JSON.parse(text))?.["answers"]);
  } catch {
    return undefined;
  }
}
