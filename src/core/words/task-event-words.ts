import type { AskEvent, LogEvent } from "../ask/event.ts";
import { isAboutItsWay } from "../ask/event-lists.ts";
import type { Actor } from "../ask/outcome.ts";
import { askTitles } from "../ask/title.ts";
import type { Question } from "../ask/question.ts";
import type { RunEnd } from "../task/run-end.ts";
import type { RunStart } from "../task/run-start.ts";
import type { TaskEvent } from "../task/task.ts";
import { safeLine, truncate } from "../text/text.ts";
import { askEventWords } from "./ask-event-words.ts";
import { exactDollars } from "./number.ts";
import { appliedWords } from "./work-words.ts";
import { waitsFor } from "./task-words.ts";
import { clock } from "./time.ts";

/** `ask`: the question it is about, if any. */
export type Moment = { at: number; words: string; ask?: string };

/** Who, what, when: a task's own history with that of everything it asked. Contract: the events are as the log has them. */
export function taskHistory(events: readonly LogEvent[]): Moment[] {
  const asked = new Map<string, readonly Question[]>();
  return events.flatMap(({ at, ask, data }): Moment[] => {
    if (ask === undefined) return [{ at, words: taskEventWords(data as TaskEvent) }];
    const event = data as AskEvent;
    // The history of that question has them.
    if (isAboutItsWay(event)) return [];
    if (event.type === "ask.captured") asked.set(ask, event.questions);
    const questions = asked.get(ask) ?? [];
    const about = event.type === "ask.captured" ? `: ${truncate(askTitles(event), 200)}` : "";
    return [{ at, ask, words: `${askEventWords(event, questions)}${about}` }];
  });
}

/** Who gave a task that its machine's person did not: `Ann, through the hub`. */
export const giverWords = ({ type, surface, name, session = "unknown" }: Actor): string =>
  type === "person"
    ? `${safeLine(name ?? "somebody", { max: 80 })}, through the ${safeLine(surface, { max: 20 })}`
    : `an agent (session ${safeLine(session.slice(0, 8))})`;

/** What happened to a task, as one line of its history. */
export function taskEventWords(event: TaskEvent): string {
  switch (event.type) {
    case "task.created":
      return event.by ? `created by ${giverWords(event.by)}` : "created";
    case "task.placed":
      return "got its own worktree";
    case "task.started":
      return `${startWords(event.start)}${byPolicy(event)}`;
    case "task.session":
      return "its agent named its session";
    case "task.waiting":
      return `waits: ${waitsFor(event.for)}`;
    case "task.continued":
      return "continues";
    case "task.stopped":
      return endWords(event.end);
    case "task.checked":
      return event.check.ok ? "its check succeeded" : "its check failed";
    case "task.delayed":
      return `to be ${event.by === "retry" ? "started again" : "resumed"}${byPolicy(event)} at ${clock(event.until)}`;
    case "task.granted":
      return `budget raised to ${exactDollars(event.budgetUsd)}`;
    case "task.used":
      return "its agent made the allowed call";
    case "task.taken":
      return "continues in a terminal";
    case "task.retried":
      return `will start again from the beginning${byPolicy(event)}`;
    case "task.ended":
      return [event.state, ...(event.reason === undefined ? [] : [safeLine(event.reason, { max: 200 })])].join(": ");
    case "task.applied":
      return `${appliedWords(event.applied)}${event.applied.surface === undefined ? "" : ` (${event.applied.surface})`}`;
    case "task.cleared":
      return event.cleared.how === "discarded"
        ? "its work was discarded"
        : "its worktree was removed: nothing was left in it";
    case "task.removed":
      return "removed";
  }
  // What a later Parley wrote.
  return safeLine((event as { type: string }).type, { max: 80 });
}

const byPolicy = ({ auto }: { auto?: boolean | undefined }) => (auto ? " by a policy" : "");

function startWords(start: RunStart): string {
  if (start.how === "message") return `agent told "${safeLine(start.message, { max: 120 })}"`;
  if (start.how === "deferred") return "agent continues with the answer";
  return `agent started${start.words === undefined ? "" : `, told "${safeLine(start.words, { max: 120 })}"`}`;
}

function endWords({ ok, deferred, code }: RunEnd): string {
  if (deferred !== undefined) return "agent parked until there is an answer";
  if (ok) return "agent finished its turn";
  return code === null ? "agent was killed" : `agent ended with exit code ${code}`;
}
