import type { Effect } from "../../../core/ask/effect.ts";
import type { Option } from "../../../core/ask/question.ts";
import { APPROVE, DENY, DENY_AND_STOP } from "../../../core/ask/answer/verdicts.ts";
import { matchOf } from "./match.ts";
import type { HookPayload } from "../payload.ts";
import { AUTO_MODE, effectOf, isModeChange, readSuggestions } from "./suggestion.ts";

/** One way to settle a tool call; `grants` is what Claude Code is told to change with it. */
export type Choice = { option: Option & { effect: Effect }; grants?: unknown[] };

const ASKS = new Set(["default", "acceptEdits"]);
const AUTO = { type: "setMode", mode: AUTO_MODE, destination: "session" };
const TO_AUTO: Choice = {
  option: { ...effectOf(AUTO), recommended: false, effect: "allow", target: AUTO_MODE, stakes: "high" },
  grants: [AUTO],
};

/**
 * The ways to settle a permission prompt, in the order a person sees them: once, one for each "always allow" that Claude
 * Code suggests, auto mode where `hasAuto` says that the session can be in it, deny, deny and stop. Suggestions are never
 * sent together: each does another thing.
 */
export function approvalChoices(payload: HookPayload, hasAuto = false): Choice[] {
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
    // Its own dialog offers it for commands, and never among the suggestions.
    ...(hasAuto && payload.tool_name === "Bash" && ASKS.has(payload.permission_mode ?? "") ? [TO_AUTO] : []),
    { option: DENY },
    { option: DENY_AND_STOP },
  ];
}
