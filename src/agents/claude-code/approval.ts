import type { Effect } from "../../core/ask/effect.ts";
import type { Option } from "../../core/ask/question.ts";
import { APPROVE, DENY, DENY_AND_STOP } from "../../core/ask/verdicts.ts";
import { matchOf } from "./match.ts";
import type { HookPayload } from "./payload.ts";
import { effectOf, isModeChange, readSuggestions } from "./suggestion.ts";

/** One way to settle a tool call; `grants` is what Claude Code is told to change with it. */
export type Choice = { option: Option & { effect: Effect }; grants?: unknown[] };

/**
 * The ways to settle a permission prompt, in the order a person sees them: once, one for each "always allow" that Claude
 * Code suggests, deny, deny and stop. Suggestions are never sent together: each does another thing.
 */
export function approvalChoices(payload: HookPayload): Choice[] {
  return [
    { option: { ...APPROVE, target: "once" } },
    ...readSuggestions(payload["permission_suggestions"]).map(({ raw, suggestion }): Choice => {
      const stakes = isModeChange(suggestion) ? { stakes: "high" as const } : {};
      return {
        option: {
          ...effectOf(suggestion),
          recommended: false,
          effect: "allow",
          target: matchOf("suggestion", raw),
          ...stakes,
        },
        grants: [raw],
      };
    }),
    { option: DENY },
    { option: DENY_AND_STOP },
  ];
}
