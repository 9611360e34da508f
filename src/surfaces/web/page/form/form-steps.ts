import { NOTHING_SELECTED } from "../../../../core/ask/answer/check-answer.ts";
import type { Question } from "../../../../core/ask/question.ts";
import { isCancel } from "../../../../core/form/rows.ts";
import { isEscalation } from "../../../../core/words/outcome/refusal-words.ts";
import type { AskView } from "../../../../protocol/view.ts";

/** The page's words for what the form says in the terminal's. */
export function errorText(error: string): string {
  return error === NOTHING_SELECTED ? "Please select at least one option." : `${error}.`;
}

/** What is wanted are words, not a choice. */
export function takesFeedback(ask: AskView, { options }: Question): boolean {
  return isEscalation(ask) || options.every(isCancel);
}
