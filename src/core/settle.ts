import type { Ask } from "./ask.ts";
import type { Answer } from "./answer.ts";
import { checkAnswers } from "./check-answer.ts";
import { ParleyError } from "./error.ts";
import type { AskEvent } from "./event.ts";
import type { Actor, Outcome } from "./outcome.ts";
import { describeOutcome } from "./sentence.ts";

export type Settlement = {
  action: "answer" | "decline" | "chat" | "cancel";
  answers?: unknown;
  message?: string | undefined;
  /** The version the actor saw; an Ask that changed in a way that matters since is refused. */
  version?: number | undefined;
  reason?: string | undefined;
};

const OUTCOME_OF = { answer: "answered", decline: "declined", chat: "chat", cancel: "cancelled" } as const;

/** Contract: the only function that settles an Ask for a surface. Throws when someone was first, never overwrites. */
export function settle(ask: Ask, settlement: Settlement, actor: Actor, at: number): AskEvent {
  refuseSelf(ask, actor);
  refuseSettled(ask, at);
  const message = settlement.message?.trim();
  if (settlement.action === "chat" && !message)
    throw new ParleyError("invalid", "Chat needs a message", {
      problems: [{ field: "message", message: "Chat needs a message", limit: "1 character or more", actual: "empty" }],
    });
  const answers = settlement.action === "answer" ? checked(ask, settlement.answers) : undefined;
  const outcome: Outcome = {
    type: OUTCOME_OF[settlement.action],
    actor,
    at,
    ...(answers && { answers }),
    ...(message && { message }),
    ...(settlement.reason && { reason: settlement.reason }),
  };
  return { type: "ask.settled", outcome };
}

function refuseSelf(ask: Ask, actor: Actor): void {
  if (actor.session === undefined) return;
  if (actor.session === ask.origin.session)
    throw new ParleyError("self_answer", "An agent does not answer its own question: this is the session that asked");
  if (ask.kind === "approval" || ask.kind === "plan")
    throw new ParleyError("forbidden", `Only a person settles ${ask.kind === "plan" ? "a plan" : "an approval"}`);
}

function refuseSettled(ask: Ask, now: number): void {
  if (!ask.outcome) return;
  throw new ParleyError("already_settled", `Already settled: ${describeOutcome(ask, now)}`, {
    details: { outcome: ask.outcome, state: ask.state, version: ask.version },
  });
}

function checked(ask: Ask, answers: unknown): Answer[] {
  const result = checkAnswers(ask.questions, answers);
  if (result.ok) return result.answers;
  throw new ParleyError("invalid", result.problems.map((p) => p.message).join("; "), { problems: result.problems });
}
