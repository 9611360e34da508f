import type { Effect } from "../effect.ts";
import type { Option } from "../question.ts";

type Verdict = Option & { effect: Effect };
const verdict = (label: string, description: string, effect: Effect): Verdict => ({
  label,
  description,
  recommended: false,
  effect,
});

/** The ways to settle a call that every agent's prompt has, in the words that every surface uses. */
export const APPROVE = verdict("Approve", "Allow it this once", "allow");
export const DENY = verdict("Deny", "Do not allow it; a note tells the agent why", "deny");
export const DENY_AND_STOP = verdict("Deny and stop", "Deny it and stop the turn, as Esc does", "cancel");
