import { isCancel } from "../form/rows.ts";
import type { Option, Question } from "../ask/question.ts";
import { NO_WORDS } from "./outcome/refusal-words.ts";

/** Why words given with this option would be lost. Undefined: they reach whoever asked. */
export function noteRefusal(option: Option | undefined, question?: Pick<Question, "field">): string | undefined {
  if (question?.field) return NO_WORDS;
  if (isCancel(option)) return `${option?.label ?? ""} takes no note`;
  if (option?.effect !== "allow" || option.takesNote) return undefined;
  return `"${option.label}" takes no note: it would not reach the agent`;
}
