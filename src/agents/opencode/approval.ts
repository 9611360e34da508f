import type { Option, Question } from "../../core/ask/question.ts";
import { APPROVE, DENY, DENY_AND_STOP } from "../../core/ask/answer/verdicts.ts";
import { safeLine, truncate } from "../../core/text/text.ts";
import type { Call, PermissionRequest } from "./payload.ts";
import { describePermission } from "./permission-detail.ts";

/** How long *always* lasts: 1.x keeps it in memory. */
const WHILE_IT_RUNS = "in this project until opencode ends";

/** A permission as a question with options. */
export function approvalQuestion(request: PermissionRequest, call: Call | undefined, always = WHILE_IT_RUNS): Question {
  const detail = describePermission(request, call);
  return { ...detail, header: request.permission, multiSelect: false, options: approvalOptions(request, always) };
}

/**
 * In the order a person sees them: once, always, deny, deny and stop.
 * Contract: the first that allows is for once, a later one for good; `reply` counts on it.
 */
function approvalOptions(request: PermissionRequest, lasts: string): Option[] {
  return [APPROVE, ...alwaysOption(request, lasts), DENY, DENY_AND_STOP];
}

/** What it allows is wider than the call that asks, so it says what: `touch *` for `touch notes.txt`. */
function alwaysOption({ permission, always }: PermissionRequest, lasts: string): Option[] {
  if (always.length === 0) return [];
  const isAll = always.includes("*");
  const what = isAll ? `every ${permission}` : always.join(", ");
  const description = truncate(`Allows ${what} ${lasts}`, 500);
  const wide = { ...APPROVE, label: `Always allow ${safeLine(what, { max: 60 })}`, description };
  return [isAll ? { ...wide, stakes: "high" } : wide];
}
