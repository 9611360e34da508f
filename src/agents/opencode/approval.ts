import type { Option, Question } from "../../core/ask/question.ts";
import { safeLine, truncate } from "../../core/text/text.ts";
import type { Call, PermissionRequest } from "./payload.ts";
import { describePermission } from "./permission-detail.ts";

/** A permission as a question with options. */
export function approvalQuestion(request: PermissionRequest, call: Call | undefined): Question {
  const detail = describePermission(request, call);
  return { ...detail, header: request.permission, multiSelect: false, options: approvalOptions(request) };
}

/**
 * In the order a person sees them: once, always, deny, cancel.
 * Contract: the first that allows is for once, a later one for good; `reply` counts on it.
 */
function approvalOptions(request: PermissionRequest): Option[] {
  return [
    option("Approve", "Allow it this once", "allow"),
    ...alwaysOption(request),
    option("Deny", "Do not allow it; a note tells the agent why", "deny"),
    option("Cancel", "Deny it and stop the turn, as Esc does", "cancel"),
  ];
}

/** What it allows is wider than the call that asks, so it says what: `touch *` for `touch notes.txt`. */
function alwaysOption({ permission, always }: PermissionRequest): Option[] {
  if (always.length === 0) return [];
  const isAll = always.includes("*");
  const what = isAll ? `every ${permission}` : always.join(", ");
  const description = truncate(`Allows ${what} in this project until opencode ends`, 500);
  const wide = option(`Always allow ${safeLine(what, { max: 60 })}`, description, "allow");
  return [isAll ? { ...wide, stakes: "high" } : wide];
}

const option = (label: string, description: string, effect: NonNullable<Option["effect"]>): Option => ({
  label,
  description,
  recommended: false,
  effect,
});
