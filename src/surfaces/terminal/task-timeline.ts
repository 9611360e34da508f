import { ABOUT_ITS_WAY } from "../../core/ask/event-lists.ts";
import type { LogEvent } from "../../core/ask/event.ts";
import { shortId } from "../../core/id.ts";
import type { Question } from "../../core/ask/question.ts";
import type { RunStart } from "../../core/task/run-start.ts";
import type { RunEnd } from "../../core/task/run-end.ts";
import { TaskEvent } from "../../core/task/task.ts";
import { safeLine } from "../../core/text/text.ts";
import { hang } from "./columns.ts";
import type { Page } from "./terminal.ts";
import { clock, describeEvent } from "./timeline.ts";

/** Who, what, when: the task's own history with that of everything it asked; `parley show <ask>` has its details. */
export function taskTimeline(events: readonly LogEvent[], { style, width }: Page): string[] {
  const asked = new Map(
    events.flatMap((event) => (event.type === "ask.captured" ? [[event.ask, questionsIn(event)] as const] : [])),
  );
  return events
    .filter(({ type }) => !ABOUT_ITS_WAY.has(type))
    .flatMap((event) => {
      const words = event.ask === undefined ? taskEventWords(event) : askWords(event, asked.get(event.ask) ?? []);
      return hang(`${style.dim(clock(event.at))}  `, words, width);
    });
}

/** What happened to a task, in words. */
export function taskEventWords({ type, data }: LogEvent): string {
  const parsed = TaskEvent.safeParse(data);
  if (!parsed.success) return safeLine(type, { max: 80 });
  const event = parsed.data;
  switch (event.type) {
    case "task.created":
      return "made";
    case "task.placed":
      return "got a worktree of its own";
    case "task.started":
      return `started${byPolicy(event)}: ${startWords(event.start)}`;
    case "task.waiting":
      return `waits: ${event.for}`;
    case "task.continued":
      return "goes on";
    case "task.stopped":
      return `its agent's process ended${endWords(event.end)}`;
    case "task.checked":
      return event.check.ok ? "its check succeeded" : "its check failed";
    case "task.delayed":
      return `to be ${event.by === "retry" ? "started again" : "resumed"}${byPolicy(event)} at ${clock(event.until)}`;
    case "task.granted":
      return `may cost $${event.budgetUsd.toFixed(2)} now`;
    case "task.used":
      return "its agent made the call that was allowed";
    case "task.taken":
      return "goes on in a terminal";
    case "task.retried":
      return `to be started again${byPolicy(event)}`;
    case "task.ended":
      return [event.state, ...(event.reason === undefined ? [] : [safeLine(event.reason, { max: 200 })])].join(": ");
    case "task.removed":
      return "removed";
  }
}

const byPolicy = ({ auto }: { auto?: boolean | undefined }) => (auto ? " by a policy" : "");

function askWords(event: LogEvent, questions: readonly Question[]): string {
  const about = event.type === "ask.captured" ? `: ${safeLine(questions[0]?.text ?? "", { max: 200 })}` : "";
  return `${describeEvent(event, questions)}${about} (${shortId(event.ask ?? "")})`;
}

function questionsIn({ data }: LogEvent): readonly Question[] {
  return Array.isArray(data["questions"]) ? (data["questions"] as Question[]) : [];
}

function startWords(start: RunStart): string {
  if (start.how === "message") return `told "${safeLine(start.message, { max: 120 })}"`;
  if (start.how === "deferred") return "goes on with the answer";
  return `with its prompt${start.words === undefined ? "" : ` and "${safeLine(start.words, { max: 120 })}"`}`;
}

function endWords({ ok, deferred, code }: RunEnd): string {
  if (deferred !== undefined) return "; it waits without one";
  if (ok) return "";
  return code === null ? ": killed" : `: exit code ${code}`;
}
