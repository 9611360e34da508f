import type { Answer } from "../ask/answer/answer.ts";
import type { Ask, Delivery } from "../ask/ask.ts";
import { compareAnswer, encodeChoice } from "./compare.ts";
import { describeUnread } from "../words/outcome/describe-answer.ts";
import type { AskEvent } from "../ask/event.ts";
import type { Outcome, WithdrawnReason } from "../ask/outcome.ts";
import type { Question } from "../ask/question.ts";
import type { Received, ReceivedChoice } from "./received.ts";
import { judgeElicitation } from "./judge-elicitation.ts";
import { judgeTool } from "./judge-tool.ts";
import { TERMINAL, terminalSays } from "./terminal-actor.ts";
import { answersToSend, refusalToSend } from "./send.ts";

/**
 * What the agent's own record means for one delivery: the proof of our answer, the answer somebody gave in the
 * terminal, or a mismatch. Undefined: this delivery already has its verdict. `isSeen`: something else than the record,
 * which its agent can write, also says that somebody was at the terminal.
 */
export function judge(
  ask: Ask,
  delivery: Delivery,
  received: Received,
  at: number,
  isSeen = true,
): AskEvent | undefined {
  if (delivery.state !== "waiting" && delivery.state !== "sent") return undefined;
  const { key } = delivery;
  if (ask.kind === "approval" || ask.kind === "plan") return judgeTool(ask, delivery, received, at, isSeen);
  if (ask.outcome && received.type === "interrupted") return undefined;
  if (ask.outcome && ask.kind === "elicitation") return judgeElicitation(ask, ask.outcome, delivery, received, at);
  if (!ask.outcome)
    return { type: "ask.ended", key, outcome: observed(ask.questions, received, at, terminalSays(ask, isSeen)) };
  const difference = differenceTo(ask.outcome, ask.questions, received, delivery);
  if (difference === undefined) return { type: "ask.verified", key, detail: received.text };
  if (!couldBeTheTerminal(delivery, received, ask)) return { type: "ask.mismatched", key, detail: difference };
  const winner = observed(ask.questions, received, at, terminalSays(ask, isSeen));
  return { type: "ask.ended", key, outcome: { ...winner, type: "overtaken", reason: winner.type, lost: ask.outcome } };
}

/** The Ask ends because its agent is gone or went on; an answer already decided stays kept for a resumed session. */
export function withdraw(ask: Ask, reason: WithdrawnReason, at: number): AskEvent | undefined {
  if (ask.outcome) return undefined;
  const outcome: Outcome = { type: "withdrawn", actor: { type: "system", surface: "agent" }, at, reason };
  return { type: "ask.closed", outcome };
}

/** What the record alone says became of a question that nobody answered through us. */
export function observed(questions: readonly Question[], received: Received, at: number, terminal = TERMINAL): Outcome {
  switch (received.type) {
    case "answers":
      return {
        type: "answered-elsewhere",
        actor: terminal,
        at,
        answers: questions.map((q, i) => toAnswer(q, received.choices[i], received.unread)),
      };
    case "refused":
      return { type: received.by === "chat" ? "chat" : "declined", actor: terminal, at };
    case "denied":
      return {
        type: "declined",
        actor: { type: "system", surface: received.by ?? "another hook" },
        at,
        reason: received.text,
      };
    case "timed-out":
      return {
        type: "expired",
        actor: { type: "system", surface: "agent" },
        at,
        reason: "the agent's own timer ran out",
      };
    case "interrupted":
      return { type: "withdrawn", actor: { type: "system", surface: "agent" }, at, reason: "agent-exited" };
    case "ran":
    case "lost":
      return {
        type: "withdrawn",
        actor: { type: "system", surface: "agent" },
        at,
        reason: "moved-on",
        message: received.text,
      };
  }
}

function toAnswer(question: Question, choice: ReceivedChoice | undefined, unread = ""): Answer {
  if (!choice) return { picks: [], unread };
  const { labels } = choice;
  const picks = labels.map((label) => question.options.findIndex((option) => option.label === label));
  return {
    picks: picks.filter((pick) => pick >= 0),
    ...(choice.text !== undefined && { text: choice.text }),
    ...(choice.note !== undefined && { note: choice.note }),
  };
}

const TYPED_AS: Partial<Record<Outcome["type"], string>> = { chat: "chat", declined: "escape" };

/** Undefined: exactly what we sent arrived. */
function differenceTo(
  sent: Outcome,
  questions: readonly Question[],
  received: Received,
  { channel }: Delivery,
): string | undefined {
  // A question cancelled without words reads like Esc in the agent's record, whoever pressed it: the effect is the same.
  const isEscape = received.type === "refused" && received.by === "escape";
  if (sent.type === "cancelled" && sent.message === undefined && isEscape) return undefined;
  const typed = channel === "keys";
  // In the dialog itself these are a row and a key, and the record tells which.
  const isLeft = received.type === "refused" && (received.isOnlyWay || TYPED_AS[sent.type] === received.by);
  if (typed && isLeft && sent.type !== "answered") return undefined;
  if (sent.type !== "answered") {
    const words = refusalToSend(sent);
    // Where an agent takes nothing but answers, the words stand in the place of each.
    const isAnswer = ({ choices }: Extract<Received, { type: "answers" }>) =>
      choices.every((choice) => choice?.text === words && choice.labels.length === 0);
    const said =
      received.type === "answers" ? isAnswer(received) : received.type === "denied" && received.text.includes(words);
    return said ? undefined : `sent ${sent.type}, the agent's record says: ${received.text}`;
  }
  if (received.type !== "answers") return `sent an answer, the agent's record says: ${received.text}`;
  const { unread = "" } = received;
  if (unread !== "" && received.choices.every((choice) => !choice)) return describeUnread(unread);
  const answers = typed ? (sent.answers ?? []) : answersToSend(sent);
  const differences = questions.flatMap((question, i) => {
    const choice = received.choices[i];
    if (!choice) return [unreadWords(question, unread)];
    const verdict = compareAnswer(question, answers[i] ?? { picks: [] }, choice);
    return verdict.same || isOurString(question, answers[i], choice) ? [] : [verdict.difference];
  });
  return differences.length === 0 ? undefined : differences.join("; ");
}

const unreadWords = ({ text }: Question, unread: string) =>
  unread === "" ? `"${text}" has no answer in the agent's record` : `the answer to "${text}" ${describeUnread(unread)}`;

/** A plain join of labels with commas reads two ways; letter for letter what we sent is what we sent. */
function isOurString(question: Question, answer: Answer | undefined, { raw, note }: ReceivedChoice): boolean {
  if (!answer || (answer.note ?? note) !== note) return false;
  return raw === encodeChoice(question, answer, "plain");
}

/**
 * While the agent's own dialog was on the screen, or before anything of ours went out, another complete and different
 * result is a person's who was first. Where our own keys were in the dialog, it is a mismatch. Ours in damaged form (same letters, other quoting or spaces) and half an answer are mismatches.
 */
function couldBeTheTerminal(delivery: Delivery, received: Received, ask: Ask): boolean {
  // Nobody sits at a terminal in there: what differs is a mismatch, whatever its record says.
  if (ask.origin.sandbox) return false;
  if (delivery.typedAt !== undefined || (!delivery.racing && delivery.state === "sent")) return false;
  if (received.type === "refused" || received.type === "timed-out") return true;
  if (received.type !== "answers") return false;
  if (received.decidedBy !== undefined) return received.decidedBy === "person";
  if (received.choices.some((choice) => choice === undefined)) return false;
  const letters = (parts: (string | undefined)[]) =>
    parts
      .join("")
      .replaceAll(/[^\p{L}\p{N}]/gu, "")
      .toLowerCase();
  const ours = letters(ask.questions.flatMap((q, i) => sentParts(q, ask.outcome?.answers?.[i])));
  const theirs = letters(received.choices.flatMap((choice) => [...(choice?.labels ?? []), choice?.text]));
  return ours !== theirs || ours === "";
}

function sentParts(question: Question, answer: Answer | undefined): (string | undefined)[] {
  return [...(answer?.picks ?? []).map((pick) => question.options[pick]?.label), answer?.text];
}
