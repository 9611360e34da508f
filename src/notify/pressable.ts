import type { Option } from "../core/ask/question.ts";
import { isCancel } from "../core/form/rows.ts";

/** What changes more than this one thing, or ends everything, is not for one press. */
export const isPressable = (option: Option | undefined): boolean =>
  option !== undefined && option.stakes !== "high" && !isCancel(option);
