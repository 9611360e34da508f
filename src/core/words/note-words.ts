import { isCancel } from "../form/rows.ts";
import type { Option } from "../ask/question.ts";

/** Why words given with this option would be lost. Undefined: they reach whoever asked. */
export function noteRefusal(option: Option | undefined): string | undefined {
  if (isCancel(option)) return `${option?.label ?? ""} takes no note`;
  if (option?.effect !== "allow" || option.takesNote) return undefined;
  return `"${option.label}" takes no note: it would not reach the agent`;
}
