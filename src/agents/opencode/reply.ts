import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import { answersToSend, decisionToSend, refusalToSend } from "../../core/receipt/send.ts";
import { pickedLabels } from "../../core/words/outcome/describe-answer.ts";
import { NOTE_MARK } from "./note-mark.ts";

/** A call of opencode's own HTTP interface, in its process or at its port. */
export type HttpCall = { method: "GET" | "POST"; path: string; body?: Record<string, unknown> };

/** Asked by a Parley that comes late. */
export const PENDING: readonly [questions: HttpCall, permissions: HttpCall] = [
  { method: "GET", path: "/question" },
  { method: "GET", path: "/permission" },
];

/**
 * The call that ends a request with this outcome. opencode checks nothing in it, so it is exact. Undefined: opencode cannot
 * be told this. A dismissed question ends the turn, as Esc does, and takes no words: who declines or wants to talk is
 * quoted in the place of the answer, and the agent goes on with that.
 */
export function reply(request: string, ask: Ask, outcome: Outcome): HttpCall | undefined {
  const id = encodeURIComponent(request.toWellFormed());
  if (ask.kind === "approval") return { method: "POST", path: `/permission/${id}/reply`, body: decision(ask, outcome) };
  const path = `/question/${id}/reply`;
  const isRefused = outcome.type !== "answered" || (ask.kind === "plan" && !decisionToSend(ask, outcome).allow);
  const isStop = outcome.type === "cancelled" && outcome.message === undefined;
  if (isRefused && (isStop || ask.kind === "plan")) return { method: "POST", path: `/question/${id}/reject` };
  if (isRefused) return { method: "POST", path, body: { answers: ask.questions.map(() => [refusalToSend(outcome)]) } };
  const answers = answersToSend(outcome);
  // Its plan mode takes whatever is not `No` for a yes.
  const isOwn = (question: Question, i: number) =>
    question["ownWords"] === false && (answers[i]?.picks.length !== 1 || answers[i]?.text !== undefined);
  if (ask.questions.some(isOwn)) return undefined;
  const lists = ask.questions.map((question, i) => elements(question, answers[i] ?? { picks: [] }));
  return { method: "POST", path, body: { answers: lists } };
}

/** Without words a rejection stops the turn; with them the agent reads them and goes on. */
export function decision(ask: Ask, outcome: Outcome): { reply: "once" | "always" | "reject"; message?: string } {
  const sent = decisionToSend(ask, outcome);
  if (!sent.allow) return { reply: "reject", ...(!sent.interrupt && { message: sent.message }) };
  const first = ask.questions[0]?.options.findIndex(({ effect }) => effect === "allow");
  return { reply: sent.pick === first ? "once" : "always" };
}

/** By position and label. Where words are not taken, a note is not either. */
function elements(question: Question, answer: Answer): string[] {
  const note = question["ownWords"] === false || !answer.note ? [] : [`${NOTE_MARK}${answer.note}`];
  return [...pickedLabels(question, answer), ...(answer.text === undefined ? [] : [answer.text]), ...note];
}
