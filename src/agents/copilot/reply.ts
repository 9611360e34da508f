import type { Ask } from "../../core/ask/ask.ts";
import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import { decisionToSend, refusalToSend } from "../../core/receipt/send.ts";
import { answerText } from "./hold-answer.ts";

/** What a hook prints: leave for a call that was granted, or in hold mode the answer, as a denial that carries it. */
export function reply(_payload: unknown, ask: Ask, outcome: Outcome): unknown {
  if (ask.kind === "approval") return decisionToSend(ask, outcome).allow ? { behavior: "allow" } : undefined;
  const reason = outcome.type === "answered" ? answerText(ask, outcome) : refusalToSend(outcome);
  return { permissionDecision: "deny", permissionDecisionReason: reason };
}

/** A session that comes back is told nothing: its hooks have no words for that. */
export const handOver = (): unknown => undefined;

/** An outcome as its own dialog takes it: what the dialog shows, and what is picked or written there. */
export function typed(ask: Ask, outcome: Outcome): { questions: Question[]; answers: Answer[] } | undefined {
  if (ask.kind === "approval") return typedLeave(ask, outcome);
  if (outcome.type === "answered") return { questions: ask.questions, answers: outcome.answers ?? [] };
  // Its own way to decline says that nobody is there. Who cancels wants it to stop, for which there is no row.
  if (outcome.type !== "declined" && outcome.type !== "chat") return undefined;
  const words = refusalToSend(outcome);
  return { questions: ask.questions, answers: ask.questions.map(() => ({ picks: [], text: words })) };
}

/** `Yes` is its first row; its last takes words, and takes none without them. What stands between is left alone. */
function typedLeave(ask: Ask, outcome: Outcome): { questions: Question[]; answers: Answer[] } | undefined {
  const [question] = ask.questions;
  const shown = question?.["shown"];
  if (!question || shown === undefined || outcome.type === "cancelled") return undefined;
  const decision = decisionToSend(ask, outcome);
  const yes = { label: "Yes", description: "", recommended: false };
  const answer = decision.allow ? { picks: [0] } : { picks: [], text: decision.message };
  return {
    questions: [
      { text: question.text, header: question.title ?? "", multiSelect: false, options: [yes], shown, hasMore: true },
    ],
    answers: [answer],
  };
}
