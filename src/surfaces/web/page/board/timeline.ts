import { describeAnswers } from "../../../../core/words/describe-answer.ts";
import type { LogEvent } from "../../../../core/ask/event.ts";
import type { Actor, Outcome } from "../../../../core/ask/outcome.ts";
import type { Question } from "../../../../core/ask/question.ts";

export type Moment = { at: number; words: string; who?: string };
/** As the log has it: checked when it was written. */
type Data = {
  questions?: Question[];
  outcome?: Outcome;
  actor?: Actor;
  by?: Actor | string;
  reason?: string;
  state?: string;
  for?: string;
  start?: { how: string };
  end?: { ok: boolean; code: number | null; deferred?: string };
};

/** What a person wants to know of a task's events, oldest first; steps that say nothing new are left out. */
export function timelineOf(events: readonly LogEvent[]): Moment[] {
  const asked = new Map<string, readonly Question[]>();
  return events.flatMap(({ at, type, ask, data: anything }): Moment[] => {
    const data = anything as Data;
    if (type === "ask.captured" && ask !== undefined) asked.set(ask, data.questions ?? []);
    const words = wordsOf(type, data, asked.get(ask ?? "") ?? []);
    const who = whoOf(data);
    return words === undefined ? [] : [{ at, words, ...(who !== undefined && { who }) }];
  });
}

function wordsOf(type: string, data: Data, questions: readonly Question[]): string | undefined {
  switch (type) {
    case "task.created":
      return "created";
    case "task.started":
      return STARTED[data.start?.how ?? ""] ?? "started";
    case "task.stopped":
      return stopped(data);
    case "task.retried":
      return "started again from the beginning";
    case "task.ended":
      return [data.state, data.reason].filter(Boolean).join(": ");
    case "ask.captured":
      return `asked: ${questions.map(({ text }) => text).join(" / ")}`;
    case "ask.settled":
    case "ask.ended":
    case "ask.closed":
      return data.outcome && outcomeWords(data.outcome, questions);
    case "ask.snoozed":
      return "snoozed";
    case "ask.verified":
      return "the agent received it";
    case "ask.mismatched":
      return "the agent received something else";
    case "ask.told":
      return "whoever decided was told";
  }
  return undefined;
}

const STARTED: Record<string, string> = {
  prompt: "agent started",
  message: "agent goes on with what it was told",
  deferred: "agent goes on with the answer",
};

function stopped({ end }: Data): string {
  if (end?.deferred !== undefined) return "agent put aside until there is an answer";
  if (end?.ok) return "agent finished its turn";
  return end?.code === null ? "agent was ended" : `agent ended with exit code ${end?.code}`;
}

function outcomeWords({ type, answers, message, reason }: Outcome, questions: readonly Question[]): string {
  const what = answers ? describeAnswers(questions, answers) : (message ?? reason);
  return [type === "answered-elsewhere" ? "answered" : type, what].filter(Boolean).join(": ");
}

function whoOf({ outcome, actor, by }: Data): string | undefined {
  const who = outcome?.actor ?? actor ?? by;
  if (who === undefined || typeof who === "string") return who;
  if (who.type === "system") return undefined;
  return [who.name ?? who.type, who.surface].filter(Boolean).join(", ");
}
