import type { Outcome } from "../core/ask/outcome.ts";
import type { Question } from "../core/ask/question.ts";
import { answersToSend, refusalToSend } from "../core/receipt/send.ts";
import { lossless, type LosslessAnswer } from "./answer.ts";
import { aborted, AskUserQuestionError, CANCELLED } from "./error.ts";

/** What the asker gets of an outcome in the inbox. `draft`: what was chosen in the dialog here, if there is one. */
export function collectOutcome(
  questions: readonly Question[],
  outcome: Outcome,
  draft: LosslessAnswer[] = [],
): LosslessAnswer[] {
  const said = outcome.message === undefined ? "" : `: ${outcome.message}`;
  switch (outcome.type) {
    case "answered":
      return answersToSend(outcome).flatMap((answer, i) => {
        const question = questions[i];
        return question ? [lossless(question, answer)] : [];
      });
    case "declined":
    case "chat":
      throw new AskUserQuestionError("declined", refusalToSend(outcome), { lossless: draft });
    case "cancelled":
      throw new AskUserQuestionError("cancelled", `${CANCELLED}${said}`, { lossless: draft });
    case "expired":
      throw new AskUserQuestionError("expired", `AskUserQuestion expired: ${outcome.reason ?? "nobody answered"}`);
    case "answered-elsewhere":
    case "overtaken":
    case "withdrawn":
      throw aborted(draft);
  }
}
