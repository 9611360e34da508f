import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import { decisionToSend } from "../../core/receipt/send.ts";
import { toldOutcome } from "../gemini-kin/told-answers.ts";

/** In hold mode. A question can only be denied, with the answer as the reason (its answers in an allowance are ignored). */
export function reply(_payload: unknown, ask: Ask, outcome: Outcome): unknown {
  if (ask.kind === "question") return decide({ behavior: "deny", message: toldOutcome(ask, outcome) });
  const sent = decisionToSend(ask, outcome);
  return decide(sent.allow ? { behavior: "allow" } : { behavior: "deny", message: sent.message });
}

const decide = (decision: object): unknown => ({
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision },
});
