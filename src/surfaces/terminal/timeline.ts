import { deciderName } from "../../core/ask/agreement.ts";
import { describeAnswers } from "../../core/words/describe-answer.ts";
import { AskEvent, type LogEvent } from "../../core/ask/event.ts";
import type { Actor, Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import { safeLine } from "../../core/text/text.ts";
import type { AskView } from "../../protocol/view.ts";
import { hang } from "./columns.ts";
import type { Terminal } from "./terminal.ts";

/** Who, where, when: one entry for each thing that happened to an Ask. What Parley only learned of it is no such thing. */
export function timeline(ask: AskView, events: readonly LogEvent[], { style, width }: Terminal): string[] {
  const isLearned = ({ type, data }: LogEvent) =>
    type === "ask.context" || (type === "ask.joined" && data["replaces"] !== undefined);
  return events
    .filter((event) => !isLearned(event))
    .flatMap((event) => hang(`${style.dim(clock(event.at))}  `, describeEvent(event, ask.questions), width));
}

export function describeEvent({ type, data }: LogEvent, questions: readonly Question[]): string {
  const parsed = AskEvent.safeParse(data);
  if (!parsed.success) return safeLine(type, { max: 80 });
  const event = parsed.data;
  switch (event.type) {
    case "ask.captured":
      return "asked";
    case "ask.joined":
      return event.replaces ? "its tool call is known" : "asked a second time in the same message";
    case "ask.context":
      return "what the agent said before it is known";
    case "ask.held":
      return event.racing ? "on the line, beside the agent's own dialog" : "on the line, before any dialog";
    case "ask.released":
      if (event.hold === "") return `keys stopped: ${safeLine(event.reason, { max: 200 })}`;
      return `left the line: ${RELEASED[event.reason] ?? safeLine(event.reason, { max: 80 })}`;
    case "ask.typing":
      return `keys are pressed in pane ${safeLine(event.pane, { max: 40 })}`;
    case "ask.autopilot":
      return pilotWords(event);
    case "ask.snoozed":
      return `snoozed until ${clock(event.until)} by ${safeLine(event.actor.surface, { max: 40 })}`;
    case "ask.settled":
    case "ask.ended":
    case "ask.closed":
      return outcomeWords(event.outcome, questions);
    case "ask.sent":
      return SENT[event.channel] ?? `taken by the agent (${safeLine(event.channel, { max: 40 })})`;
    case "ask.verified":
      return event.detail ? `verified; receipt: ${safeLine(event.detail, { max: 300 })}` : "verified";
    case "ask.mismatched":
      return `mismatched: ${safeLine(event.detail, { max: 300 })}`;
    case "ask.told":
      return `the decider was told (${safeLine(event.to, { max: 60 })})`;
  }
}

function pilotWords({ state, why, brain, proposal, due, actor }: AskEvent & { type: "ask.autopilot" }): string {
  const by = proposal ? deciderName(proposal.by) : (brain ?? "");
  const words = {
    asking: `${safeLine(brain ?? "a brain", { max: 40 })} is asked`,
    held: `${safeLine(by, { max: 60 })} answers${due === undefined ? "" : ` at ${clock(due).slice(11)}`}`,
    suggested: `${safeLine(by, { max: 60 })} proposes an answer`,
    human: "left to a person",
    paused: "left to a person for now",
    undone: `taken back${actor ? ` ${who(actor)}` : ""}`,
    late: proposal ? `${safeLine(by, { max: 60 })} answered too late` : "pointed out",
  }[state];
  return `autopilot: ${words}: ${safeLine(why, { max: 300 })}`;
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
  subagent: "so that its dialog can open; answer in the terminal",
};

const SENT: Record<string, string> = {
  race: "taken by the agent's hook",
  hold: "taken by the agent's hook",
  fetch: "taken by the asker",
  self: "Parley acted on it",
  keys: "typed into the agent's dialog",
  resume: "told to the resumed session",
};

function outcomeWords(outcome: Outcome, questions: readonly Question[]): string {
  const { type, actor, answers, message, reason = "", lost } = outcome;
  const isFirst = type === "overtaken";
  const verb = isFirst ? `the terminal was first: ${VERBS[reason] ?? safeLine(reason)}` : (VERBS[type] ?? type);
  const said = (list: Outcome["answers"]) => safeLine(describeAnswers(questions, list ?? []), { max: 300 });
  return [
    [verb, who(actor)].filter(Boolean).join(" "),
    answers && `: ${said(answers)}`,
    message && `: ${safeLine(message, { max: 300 })}`,
    reason && !isFirst && `: ${REASONS[reason] ?? safeLine(reason, { max: 120 })}`,
    lost?.answers && `; not taken: ${said(lost.answers)}`,
  ]
    .filter(Boolean)
    .join("");
}

const VERBS: Record<string, string> = { "answered-elsewhere": "answered", chat: "“chat about this” chosen" };

const REASONS: Record<string, string> = {
  "agent-exited": "the agent is gone",
  "session-ended": "the session ended",
  "moved-on": "the agent went on without an answer",
  "taken-back": "the agent took the question back",
};

function who({ type, surface, name, session = "" }: Actor): string {
  const where = safeLine(surface, { max: 40 });
  if (type === "person") return surface === "terminal" ? "by a person in the terminal" : `by a person (${where})`;
  if (type === "agent" && surface === "terminal") return "in the terminal, as the agent's own record says";
  if (type === "agent") return `by an agent (session ${safeLine(session, { max: 80 }).slice(0, 8)}, ${where})`;
  if (type === "system") return surface === "agent" ? "" : `by ${where}`;
  return `by ${safeLine(name ?? type, { max: 40 })} (${where})`;
}
