import { describeAnswers } from "../words/describe-answer.ts";
import type { Ask } from "./ask.ts";
import type { Review } from "./proposal.ts";

/** What a person corrected last, if they did. */
export const correctionOf = ({ reviews = [] }: Pick<Ask, "reviews">): Review | undefined =>
  reviews.findLast(({ verdict }) => verdict === "corrected");

/** The answer as it should have been, in words. */
export function correctedWords(questions: Ask["questions"], { answers, message }: Partial<Review>): string {
  return [answers ? describeAnswers(questions, answers) : "", message ?? ""].filter(Boolean).join(". ");
}
