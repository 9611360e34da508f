import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import { answersToSend, decisionToSend, refusalToSend } from "../../core/receipt/send.ts";
import { answersFor } from "./asked-as-permission.ts";
import { contentOf, formQuestions } from "./form.ts";
import { Elicitation } from "./payload.ts";

type Json = Record<string, unknown>;
/** `stop`: the turn ends too, as with the editor's own button. */
export type Reply = { result: Json; stop?: boolean };
const CANCELLED = { outcome: { outcome: "cancelled" } };

/** What ends an open request of an agent with this outcome. Undefined: it cannot be told this. */
export function reply(ask: Ask, outcome: Outcome): Reply | undefined {
  if (ask.kind === "approval") return decision(ask, outcome);
  const [first] = ask.questions;
  const asked = Elicitation.safeParse(first?.["form"]).data;
  if (asked) return answer(ask, outcome, asked);
  if (outcome.type === "cancelled") return { result: CANCELLED, stop: true };
  const submit = first?.["submit"];
  if (typeof submit !== "string") return undefined;
  const answers = outcome.type === "answered" ? answersToSend(outcome) : ask.questions.map(() => told(outcome));
  return {
    result: { outcome: { outcome: "selected", optionId: submit }, answers: answersFor(ask.questions, answers) },
  };
}

/** By the agent's own name for the option; the protocol has no place for words. */
function decision(ask: Ask, outcome: Outcome): Reply | undefined {
  const sent = decisionToSend(ask, outcome);
  if (!sent.allow && sent.interrupt) return { result: CANCELLED, stop: true };
  const [question] = ask.questions;
  const pick = outcome.type === "answered" ? outcome.answers?.[0]?.picks[0] : undefined;
  const picked = question?.options[pick ?? -1];
  const option =
    picked?.["optionId"] === undefined ? question?.options.find(({ effect }) => effect === "deny") : picked;
  const optionId = option?.["optionId"];
  if (typeof optionId === "string") return { result: { outcome: { outcome: "selected", optionId } } };
  // Without a way to say no, nobody is allowed anything.
  return sent.allow ? undefined : { result: CANCELLED };
}

function answer(ask: Ask, outcome: Outcome, form: Elicitation): Reply | undefined {
  if (outcome.type === "cancelled") return { result: { action: "cancel" }, stop: true };
  const questions = formQuestions(form);
  if (!questions) return undefined;
  const isAnswered = outcome.type === "answered";
  const answers = isAnswered ? answersToSend(outcome) : ask.questions.map(() => told(outcome));
  const content = contentOf(form, questions, answers);
  if (content) return { result: { action: "accept", content } };
  // Who declines without a word says what the form itself can say.
  return outcome.type === "declined" && outcome.message === undefined ? { result: { action: "decline" } } : undefined;
}

/** Who declines or wants to talk is quoted in the place of the answer, and the agent goes on with that. */
const told = (outcome: Outcome) => ({ picks: [], text: refusalToSend(outcome) });
