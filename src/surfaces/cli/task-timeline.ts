import type { LogEvent } from "../../core/event.ts";
import { shortId } from "../../core/id.ts";
import type { Question } from "../../core/question.ts";
import { safeLine } from "../../core/text.ts";
import { hang } from "./columns.ts";
import type { Page } from "./terminal.ts";
import { clock, describeEvent } from "./timeline.ts";

/** Details of how a question reached its hook: `parley show <ask>` has them. */
const LEARNED = ["ask.context", "ask.joined", "ask.held", "ask.released", "ask.sent"];

/** Who, what, when: the task's own history with that of everything it asked. */
export function taskTimeline(events: readonly LogEvent[], { style, width }: Page): string[] {
  const asked = new Map(
    events.flatMap((event) => (event.type === "ask.captured" ? [[event.ask, questionsIn(event)] as const] : [])),
  );
  return events
    .filter(({ type }) => !LEARNED.includes(type))
    .flatMap((event) => {
      const words = event.ask === undefined ? taskEventWords(event) : askWords(event, asked.get(event.ask) ?? []);
      return words === "" ? [] : hang(`${style.dim(clock(event.at))}  `, words, width);
    });
}

/** What happened to a task, in words; empty for what says nothing to a person. */
export function taskEventWords({ type, data }: LogEvent): string {
  const text = (name: string) => (typeof data[name] === "string" ? safeLine(data[name], { max: 200 }) : "");
  switch (type) {
    case "task.created":
      return "made";
    case "task.placed":
      return "got a worktree of its own";
    case "task.started":
      return `started: ${startWords(data["start"])}`;
    case "task.waiting":
      return `waits: ${text("for")}`;
    case "task.continued":
      return "goes on";
    case "task.stopped":
      return `its agent's process ended${endWords(data["end"])}`;
    case "task.retried":
      return "to be started again";
    case "task.ended":
      return [text("state"), text("reason")].filter(Boolean).join(": ");
    case "task.removed":
      return "removed";
    default:
      return type.startsWith("task.") ? safeLine(type.slice("task.".length), { max: 80 }) : "";
  }
}

function askWords(event: LogEvent, questions: readonly Question[]): string {
  const about = event.type === "ask.captured" ? `: ${safeLine(questions[0]?.text ?? "", { max: 200 })}` : "";
  return `${describeEvent(event, questions)}${about} (${shortId(event.ask ?? "")})`;
}

function questionsIn({ data }: LogEvent): readonly Question[] {
  return Array.isArray(data["questions"]) ? (data["questions"] as Question[]) : [];
}

function startWords(start: unknown): string {
  const { how, message } = (start ?? {}) as { how?: unknown; message?: unknown };
  if (how === "message") return `told "${safeLine(String(message), { max: 120 })}"`;
  return how === "deferred" ? "goes on with the answer" : "with its prompt";
}

function endWords(end: unknown): string {
  const { ok, deferred, code } = (end ?? {}) as { ok?: unknown; deferred?: unknown; code?: unknown };
  if (deferred !== undefined) return "; it waits without one";
  if (ok === true) return "";
  return code === null ? ": killed" : `: exit code ${String(code)}`;
}
