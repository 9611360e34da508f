import { describeAnswers } from "../../core/answer.ts";
import { AskEvent, type LogEvent } from "../../core/event.ts";
import type { Actor, Outcome } from "../../core/outcome.ts";
import type { Question } from "../../core/question.ts";
import { safeLine } from "../../core/text.ts";
import type { AskView } from "../../protocol/view.ts";
import type { Style } from "./terminal.ts";

/** Who, where, when: one line for each thing that happened to an Ask. */
export function timeline(ask: AskView, events: readonly LogEvent[], { dim }: Style): string[] {
  return events.map((event) => `${dim(clock(event.at))}  ${describeEvent(event, ask.questions)}`);
}

export function describeEvent({ type, data }: LogEvent, questions: readonly Question[]): string {
  const parsed = AskEvent.safeParse(data);
  if (!parsed.success) return safeLine(type);
  const event = parsed.data;
  switch (event.type) {
    case "ask.captured":
      return "asked";
    case "ask.joined":
      return event.replaces ? "its tool call is known" : "asked a second time in the same message";
    case "ask.held":
      return event.racing ? "on the line, beside the agent's own dialog" : "on the line, before any dialog";
    case "ask.released":
      return `left the line: ${RELEASED[event.reason] ?? safeLine(event.reason)}`;
    case "ask.settled":
      return outcomeWords(event.outcome, questions);
    case "ask.sent":
      return `taken by the agent (${event.channel})`;
    case "ask.verified":
      return event.detail ? `verified: the agent's record says ${safeLine(event.detail, { max: 300 })}` : "verified";
    case "ask.mismatched":
      return `mismatched: ${safeLine(event.detail, { max: 300 })}`;
    case "ask.ended":
    case "ask.closed":
      return outcomeWords(event.outcome, questions);
  }
}

export function clock(at: number): string {
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

const RELEASED: Record<string, string> = {
  signal: "the agent ended its hook",
  deadline: "its time was over; answer in the terminal",
  "agent-exited": "the agent is gone",
  "hook-gone": "its hook is gone",
  "bad-reply": "its hook did not trust the reply",
};

function outcomeWords(outcome: Outcome, questions: readonly Question[]): string {
  const answers = outcome.answers ? `: ${safeLine(describeAnswers(questions, outcome.answers), { max: 300 })}` : "";
  const message = outcome.message ? `: ${safeLine(outcome.message, { max: 300 })}` : "";
  const reason = outcome.reason ? ` (${safeLine(outcome.reason, { max: 120 })})` : "";
  return `${outcome.type.replace("-", " ")} ${who(outcome.actor)}${answers}${message}${reason}`;
}

function who({ type, surface, name, session }: Actor): string {
  if (type === "person")
    return surface === "terminal" ? "by a person in the terminal" : `by a person on ${safeLine(surface)}`;
  if (type === "agent") return `by an agent (session ${session?.slice(0, 8)}) on ${safeLine(surface)}`;
  return `by ${safeLine(name ?? type)} (${safeLine(surface)})`;
}
