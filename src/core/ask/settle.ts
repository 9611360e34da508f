import type { Ask } from "./ask.ts";
import type { Answer } from "./answer/answer.ts";
import { isForTerminal } from "./channel.ts";
import { checkAnswers } from "./answer/check-answer.ts";
import { changeOf } from "./edit.ts";
import { ParleyError } from "../error.ts";
import type { AskEvent } from "./event.ts";
import type { Actor, Outcome } from "./outcome.ts";
import { noteRefusal } from "../words/note-words.ts";
import { describeOutcome } from "../words/outcome/sentence.ts";
import { NO_WORDS, TASK_NOT_DECLINED } from "../words/outcome/refusal-words.ts";
import { cancelsTask, wordsWith } from "../task/task-cancel.ts";

export type Settlement = {
  action: "answer" | "decline" | "chat" | "cancel";
  answers?: unknown;
  message?: string | undefined;
  /** The version the actor saw. What changes an open Ask's version leaves its questions, so an older one is as good. */
  version?: number | undefined;
  reason?: string | undefined;
  /** What the person made of the call before allowing it. */
  changed?: string | undefined;
};

const OUTCOME_OF = { answer: "answered", decline: "declined", chat: "chat", cancel: "cancelled" } as const;

/**
 * Contract: the only function that settles an Ask for a surface. Throws when someone was first, never overwrites. What only
 * the agent's own terminal can answer is dismissed, of which its agent hears nothing.
 */
export function settle(ask: Ask, settlement: Settlement, actor: Actor, at: number): AskEvent {
  refuseActor(ask, actor);
  refuseEnding(ask, settlement, actor);
  refuseUnknownVersion(ask, settlement.version);
  refuseSettled(ask, at);
  if (isForTerminal(ask) && (settlement.action === "decline" || settlement.action === "cancel"))
    return { type: "ask.closed", outcome: { type: "withdrawn", actor, at, reason: "dismissed" } };
  refuseUnanswerable(ask);
  const message = settlement.message?.trim();
  if (settlement.action === "chat" && !message)
    throw new ParleyError("invalid", "Chat needs a message", {
      problems: [{ field: "message", message: "Chat needs a message", limit: "1 character or more", actual: "empty" }],
    });
  refuseWordsToServer(ask, settlement);
  const isEnding = cancelsTask(ask, settlement.answers);
  if (isEnding) refuseLostWords(settlement.answers);
  refuseDeclinedTask(ask, settlement);
  const action = isEnding ? "cancel" : settlement.action;
  const answers = action === "answer" ? checked(ask, settlement.answers) : undefined;
  const changed = settlement.changed === undefined ? undefined : changeOf(ask, settlement.changed, answers?.[0], actor);
  const outcome: Outcome = {
    type: OUTCOME_OF[action],
    actor,
    at,
    ...(answers && { answers }),
    ...(changed && { changed }),
    ...(message && { message }),
    ...(settlement.reason && { reason: settlement.reason }),
  };
  return { type: "ask.settled", outcome };
}

function refuseActor(ask: Ask, actor: Actor): void {
  const askers = new Set([ask.origin.session, ask.origin.inside].filter((session) => session !== undefined));
  if ([actor.session, ...(actor.around ?? [])].some((session) => session !== undefined && askers.has(session)))
    throw new ParleyError("self_answer", "An agent may not answer its own question: this is the session that asked");
  const isNamed = actor.type === "rule" && actor.surface === "autopilot" && actor.kind === ask.kind;
  if (actor.type !== "person" && !isNamed && (ask.kind === "approval" || ask.kind === "plan"))
    throw new ParleyError("forbidden", `Only a person may settle ${ask.kind === "plan" ? "a plan" : "an approval"}`);
  if (actor.type === "agent" && ask.deliveries.some(({ channel }) => channel === "self"))
    throw new ParleyError("forbidden", "Only a person may settle what Parley itself asks");
}

/** Whoever decides in a person's place answers or asks back; to leave it, or to end the task, is the person's. */
function refuseEnding(ask: Ask, { action, answers }: Settlement, actor: Actor): void {
  if (actor.type === "person") return;
  if (cancelsTask(ask, answers)) throw new ParleyError("forbidden", "Only a person may cancel a task");
  if (action === "cancel" || action === "decline")
    throw new ParleyError("forbidden", `Only a person may ${action} a question`);
}

/** Somebody saw a later state than this database has: it was put back, or it is another one. */
function refuseUnknownVersion(ask: Ask, seen: number | undefined): void {
  if (seen === undefined || seen <= ask.version) return;
  throw new ParleyError(
    "stale_version",
    `Ask ${ask.id} is at version ${ask.version} here, not ${seen}; look at it again`,
  );
}

export function refuseSettled(ask: Ask, now: number): void {
  if (!ask.outcome) return;
  throw new ParleyError("already_settled", `Already settled: ${describeOutcome(ask, now)}`, {
    details: { outcome: ask.outcome, state: ask.state, version: ask.version },
  });
}

function refuseLostWords(answers: unknown): void {
  const at = wordsWith(answers);
  if (at < 0) return;
  const message = "Cancel ends the task, and words given with it would be lost: leave out one of the two";
  throw new ParleyError("invalid", message, {
    problems: [{ field: `answers[${at}]`, message, limit: "no words", actual: "words" }],
  });
}

/** Whoever asked takes values alone: words would reach nobody. */
function refuseWordsToServer({ questions }: Ask, { action, message }: Settlement): void {
  if (!questions.some(({ field }) => field) || (action !== "chat" && !message?.trim())) return;
  throw new ParleyError("invalid", NO_WORDS, {
    problems: [{ field: "message", message: NO_WORDS, limit: "no words", actual: "words" }],
  });
}

/** There is nobody who could go on without an answer: all that could be meant is to end the task, and that has a name. */
function refuseDeclinedTask({ origin, deliveries }: Ask, { action }: Settlement): void {
  if (action !== "decline" || origin.task === undefined) return;
  if (!deliveries.every(({ channel }) => channel === "self")) return;
  throw new ParleyError("invalid", TASK_NOT_DECLINED, {
    problems: [{ field: "action", message: "A task that waits for you cannot be declined", limit: "answer or cancel" }],
  });
}

function refuseUnanswerable(ask: Ask): void {
  if (!isForTerminal(ask)) return;
  const { pane } = ask.origin;
  const where = pane === undefined ? "" : ` (tmux pane ${pane.id})`;
  throw new ParleyError("not_answerable", `Only the agent's own terminal can answer this${where}`);
}

function checked(ask: Ask, answers: unknown): Answer[] {
  const result = checkAnswers(ask.questions, answers);
  if (result.ok) {
    refuseLostNote(ask, result.answers);
    return result.answers;
  }
  throw new ParleyError("invalid", result.problems.map((p) => p.message).join("; "), { problems: result.problems });
}

/** An allowed call may have no room for words: a receipt that names them would be untrue. */
function refuseLostNote({ kind, questions }: Ask, answers: readonly Answer[]): void {
  const noted = answers.findIndex(({ note }, i) => questions[i]?.field && note !== undefined);
  if (noted >= 0) {
    const problem = { field: `answers[${noted}].note`, message: NO_WORDS, limit: "no note", actual: "note" };
    throw new ParleyError("invalid", NO_WORDS, { problems: [problem] });
  }
  const [answer] = answers;
  if (kind !== "approval" && kind !== "plan") return;
  const option = questions[0]?.options[answer?.picks[0] ?? -1];
  const message = option?.effect === "allow" && answer?.note !== undefined ? noteRefusal(option) : undefined;
  if (message === undefined) return;
  const problem = { field: "answers[0].note", message, limit: "no note", actual: "note" };
  throw new ParleyError("invalid", message, { problems: [problem] });
}
