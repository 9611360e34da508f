import { describeAnswer, pickedLabels } from "../../core/words/outcome/describe-answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import { safeText } from "../../core/text/text.ts";

/** What a script gets of an outcome as its exit code. */
export const OUTCOME_EXIT: Partial<Record<Outcome["type"], number>> = {
  answered: 0,
  declined: 10,
  expired: 11,
  cancelled: 12,
  chat: 13,
};
export const STILL_OPEN = 14;

/** For a script to read: one picked label or text a line; `header: …` before it where there are several questions. */
export function answerLines({ questions }: Ask, outcome: Outcome): string {
  if (!outcome.answers) return outcome.message === undefined ? "" : `${safeText(outcome.message)}\n`;
  const lines = questions.flatMap((question, i) => {
    const answer = outcome.answers?.[i] ?? { picks: [] };
    if (questions.length > 1)
      return [`${question.header}: ${describeAnswer(question, { ...answer, note: undefined })}`];
    return [...pickedLabels(question, answer), ...(answer.text === undefined ? [] : [answer.text])];
  });
  return lines.map((line) => `${safeText(line)}\n`).join("");
}

/** Did the answer bear out what the asker assumed? Undefined: nothing was assumed, or nobody answered. */
export function assumptionHeld({ assumption }: Ask, outcome: Outcome | undefined): boolean | undefined {
  if (assumption === undefined || outcome?.type !== "answered") return undefined;
  const [answer] = outcome.answers ?? [];
  return answer?.text === undefined && answer?.picks.length === 1 && answer.picks[0] === assumption;
}
