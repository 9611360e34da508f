import type { Problem } from "../core/error.ts";
import { type AskUserQuestionAnswers, answersByHeader, type LosslessAnswer } from "./answer.ts";

/**
 * Why there are no answers. `cancelled`, `declined`: the person's decision · `aborted`: the host took the call back ·
 * `expired`: nobody answered in time · `invalid`: the call was refused before anybody was asked.
 */
export type AskUserQuestionOutcome = "cancelled" | "declined" | "aborted" | "expired" | "invalid";

/** How a call ended, the same for every host: with answers, or with those there were when it ended without. */
export type AskUserQuestionDetails = {
  outcome: "answered" | AskUserQuestionOutcome;
  answers: AskUserQuestionAnswers;
  lossless: LosslessAnswer[];
  message?: string;
  problems?: readonly Problem[];
};

export class AskUserQuestionError extends Error {
  readonly outcome: AskUserQuestionOutcome;
  /** What was chosen when it ended, by header; also in its lossless form. */
  readonly answers: AskUserQuestionAnswers;
  readonly lossless: LosslessAnswer[];
  readonly problems: readonly Problem[];

  constructor(
    outcome: AskUserQuestionOutcome,
    message: string,
    { lossless = [], problems = [] }: { lossless?: LosslessAnswer[]; problems?: readonly Problem[] } = {},
  ) {
    super(message);
    this.name = "AskUserQuestionError";
    this.outcome = outcome;
    this.lossless = lossless;
    this.answers = answersByHeader(lossless);
    this.problems = problems;
  }

  get details(): AskUserQuestionDetails {
    const { outcome, answers, lossless, message, problems } = this;
    return { outcome, answers, lossless, message, ...(problems.length > 0 && { problems }) };
  }
}

export const NOT_READY = "AskUserQuestion UI not ready";
export const CANCELLED = "AskUserQuestion cancelled by user";
export const ABORTED = "Operation aborted";
export const ALREADY_OPEN = "ask_user_question dialog already open";

export function aborted(lossless: LosslessAnswer[] = []): AskUserQuestionError {
  return new AskUserQuestionError("aborted", ABORTED, { lossless });
}
