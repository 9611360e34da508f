import { isForTerminal } from "../../core/ask/channel.ts";
import type { Ask, Kind } from "../../core/ask/ask.ts";
import type { WaitingFor } from "../../core/task/task.ts";

/** What a task waits for whose agent asked that. */
export const REASONS: Record<Kind, WaitingFor> = {
  question: "question",
  approval: "approval",
  plan: "plan",
  idle: "idle",
  error: "error",
  dead: "dead",
  gate: "gate",
  budget: "budget",
  review: "review",
  next: "next",
  elicitation: "question",
};
/** A notice that something needs attention says less than what the agent really asks. */
export const rankOf = (ask: Ask) => (isForTerminal(ask) ? 1 : 0);
