import { z } from "zod";
import type { Kind } from "../../core/ask/ask.ts";
import type { Question } from "../../core/ask/question.ts";
import { decodeChoice } from "../../core/receipt/compare.ts";
import type { Received, ReceivedChoice } from "../../core/receipt/received.ts";
import { truncate } from "../../core/text/text.ts";
import { toldChoices } from "../gemini-kin/told-answers.ts";

export const QUESTION_TOOL = "ask_user_question";
const MOST_UNREAD = 2000;

const text = z.string().optional().catch(undefined);
/** `toolCallResult` of its chat file, as 0.24.4 writes it. */
export const CallResult = z.looseObject({
  callId: text,
  status: text,
  errorType: text,
  resultDisplay: z
    .looseObject({ answers: z.array(z.looseObject({ question: z.string(), answer: z.string() })).optional() })
    .optional()
    .catch(undefined),
});
export type CallResult = z.infer<typeof CallResult>;

/** `said`: what the model read. */
export function receivedIn(result: CallResult, said: string, questions: readonly Question[], kind: Kind): Received {
  const isDenied = result.status === "error" && result.errorType === "execution_denied";
  if (result.status === "cancelled") return { type: "refused", by: "escape", text: said, isOnlyWay: true };
  if (kind !== "question")
    return isDenied ? { type: "denied", text: said } : { type: "ran", text: said, isError: result.status === "error" };
  const told = toldChoices(said, questions);
  if (told) return { type: "answers", choices: told, text: said, decidedBy: "hook" };
  if (result.status === "error") return { type: "denied", text: said };
  const answers = result.resultDisplay?.answers ?? [];
  const choices = questions.map((question, i) => {
    const found =
      answers[i]?.question === question.text ? answers[i] : answers.find((a) => a.question === question.text);
    return found && said.includes(found.answer) ? choiceOf(question, found.answer) : undefined;
  });
  const isUnread = choices.some((choice) => choice === undefined);
  return { type: "answers", choices, ...(isUnread && { unread: truncate(said, MOST_UNREAD) }), text: said };
}

const HEAD = "User has provided the following answers:\n\n";

/** The same as its hook is told it: `**Header**: answer` for each question, in order. Undefined: in some other form. */
export function readTold(said: string, questions: readonly Question[]): Received | undefined {
  if (!said.startsWith(HEAD)) return undefined;
  const starts = questions.map(({ header }) => `**${header}**: `);
  const places: number[] = [];
  for (const start of starts) {
    const at = said.indexOf(start, (places.at(-1) ?? HEAD.length - 1) + 1);
    if (at < 0) return undefined;
    places.push(at);
  }
  const choices = questions.map((question, i) =>
    choiceOf(question, said.slice((places[i] ?? 0) + (starts[i]?.length ?? 0), places[i + 1]).trimEnd()),
  );
  return { type: "answers", choices, text: said };
}

const choiceOf = (question: Question, raw: string): ReceivedChoice => ({ ...decodeChoice(question, raw), raw });
