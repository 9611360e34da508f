import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import { answersToSend, decisionToSend, refusalToSend } from "../../core/receipt/send.ts";
import { pickedLabels } from "../../core/words/outcome/describe-answer.ts";
import { NONE_OF_THEM, NOTE_MARK } from "./note-mark.ts";

/** `stop`: its turn ends, as with Esc; else what its open request is answered with, and words that go into the turn with it. */
export type Reply = { stop: true } | { result: Record<string, unknown>; words?: string };

/**
 * What ends an open request with this outcome. codex checks nothing in an answer, so it is exact. Undefined: codex cannot
 * be told this. Who declines or wants to talk is quoted in the place of the answer, and the agent goes on with that.
 */
export function reply(ask: Ask, outcome: Outcome): Reply | undefined {
  if (ask.kind === "approval") return decision(ask, outcome);
  if (outcome.type === "cancelled" && outcome.message === undefined) return { stop: true };
  const isRefused = outcome.type !== "answered";
  const answers = isRefused ? [] : answersToSend(outcome);
  // A text where none is offered would be no answer that the model can expect.
  const isOwn = (question: Question, i: number) =>
    question["ownWords"] === false && (isRefused || answers[i]?.text !== undefined);
  if (ask.questions.some(isOwn)) return undefined;
  const entries = ask.questions.map((question, i): [string, { answers: string[] }] => {
    const answer = isRefused ? { picks: [], text: refusalToSend(outcome) } : (answers[i] ?? { picks: [] });
    return [String(question["id"]), { answers: elements(question, answer) }];
  });
  return { result: { answers: Object.fromEntries(entries) } };
}

/** As codex itself offered it. Its refusal carries no words: they are a message of the same turn. */
function decision(ask: Ask, outcome: Outcome): Reply | undefined {
  const sent = decisionToSend(ask, outcome);
  if (sent.allow) {
    const chosen = ask.questions[0]?.options[sent.pick]?.["decision"];
    return chosen === undefined ? undefined : { result: { decision: chosen } };
  }
  if (sent.interrupt) return { result: { decision: "cancel" } };
  const isPlain = outcome.type === "answered" && !outcome.answers?.[0]?.note && !outcome.answers?.[0]?.text;
  return { result: { decision: "decline" }, ...(!isPlain && { words: sent.message }) };
}

function elements(question: Question, { text, note, ...answer }: Answer): string[] {
  const notes = [text, note].filter((words) => words !== undefined && words !== "");
  const labels = pickedLabels(question, answer);
  const isOwn = labels.length === 0 && notes.length > 0;
  return [...(isOwn ? [NONE_OF_THEM] : labels), ...notes.map((words) => `${NOTE_MARK}${words}`)];
}
