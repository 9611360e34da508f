import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import { toldOutcome } from "../gemini-kin/told-answers.ts";

/** In hold mode: it knows no other way to end a question from a hook than to deny it, with a reason that the model reads. */
export const reply = (_payload: unknown, ask: Ask, outcome: Outcome): unknown =>
  ask.kind === "question" ? { decision: "deny", reason: toldOutcome(ask, outcome) } : undefined;
