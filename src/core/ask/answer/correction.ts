import { describeAnswers } from "../../words/outcome/describe-answer.ts";
import { KEPT_MARK } from "../../receipt/send.ts";
import type { Ask } from "../ask.ts";
import type { Review } from "../proposal.ts";

/** What a person corrected last, if they did. */
export const correctionOf = ({ reviews = [] }: Pick<Ask, "reviews">): Review | undefined =>
  reviews.findLast(({ verdict }) => verdict === "corrected");

/** The answer as it should have been, in words. */
export function correctedWords(questions: Ask["questions"], { answers, message }: Partial<Review>): string {
  return [answers ? describeAnswers(questions, answers) : "", message ?? ""].filter(Boolean).join(". ");
}

/** Stands with a correction, so that an agent's record proves that it was told; each of an Ask has its own. */
export const correctionMark = ({ id, reviews = [] }: Pick<Ask, "id" | "reviews">): string =>
  `${KEPT_MARK}correction ${id} ${correctionOf({ reviews })?.at ?? 0}]`;
