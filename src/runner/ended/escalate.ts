import { exactDollars } from "../../core/words/number.ts";
import type { Ask, Kind } from "../../core/ask/ask.ts";
import type { Effect } from "../../core/ask/effect.ts";
import type { Actor } from "../../core/ask/outcome.ts";
import type { Option, Question } from "../../core/ask/question.ts";
import { CANCEL_TASK } from "../../core/task/task-cancel.ts";
import type { Task } from "../../core/task/task.ts";
import { tailText } from "../../core/text/text.ts";
import type { NextStep } from "./next-step.ts";
import { NOT_STARTED } from "../run/run-folder.ts";
import type { Trouble } from "./trouble.ts";

/** What a person can make of a task whose agent stopped. */
export type Resolution =
  | { type: "message"; message: string }
  | { type: "retry"; words?: string }
  | { type: "resume" | "later" | "done" | "grant" | "cancel" }
  | { type: "next" }
  | { type: "again" };
export type Escalation = { kind: Kind; question: Question; command?: string };
type Choice = { label: string; description: string; effect: Effect };

export const GO_ON = "Go on with your task. If it is finished, say so.";
const RETRY: Choice = { label: "Retry", description: "Start again from the beginning", effect: "retry" };
const RESUME: Choice = { label: "Resume", description: "Continue where it stopped", effect: "resume" };
const TELL = "Resumed, it does not know the answer: give it in your own words, or it may ask again.";
const DONE: Choice = { label: "Done", description: "The work is finished", effect: "done" };

export function idle(task: Task, said: string): Escalation {
  const how = task.end?.elsewhere ? "continued in a terminal that has ended" : "stopped with a question";
  const goOn: Choice = { label: "Go on", description: "Tell it to continue", effect: "continue" };
  return escalation("idle", `${task.order.name} ${how}. What now?`, said, [goOn, DONE]);
}

/** `lost`: what it asked when it ended; nobody can answer that any more. */
export function dead(task: Task, output: string, canResume: boolean, lost: readonly string[] = []): Escalation {
  const { code = null } = task.end ?? {};
  const choices = canResume ? [RESUME, RETRY] : [RETRY];
  if (code === NOT_STARTED)
    return escalation("dead", `${task.order.name} could not be started. What now?`, output, choices);
  const asked = lost.map((question) => `Lost with it: its question “${question}”`);
  const said = [output.trim(), ...(asked.length > 0 ? [...asked, TELL] : [])].filter(Boolean).join("\n");
  const how = code === null ? "was killed" : `ended with exit code ${code}`;
  const unsaved = canResume ? "" : " before its session was saved; it can only be retried";
  return escalation("dead", `${task.order.name} ${how}${unsaved}. What now?`, said, choices);
}

export function failed(task: Task, output: string, { kind }: Trouble, wait: string | undefined): Escalation {
  const why = kind === "other" ? "" : ` (${kind})`;
  if (wait === undefined)
    return escalation("error", `${task.order.name} failed${why} and cannot be resumed. What now?`, output, [RETRY]);
  const later: Choice = {
    label: "Wait and resume",
    description: `Continue where it stopped, ${wait}`,
    effect: "resume-later",
  };
  const signedIn = { ...RESUME, description: "Continue where it stopped, once you have signed in again" };
  const goOn = { "rate limit": later, network: later, "sign-in": signedIn, other: RESUME }[kind];
  return escalation("error", `${task.order.name} failed${why}. What now?`, output, [goOn, RETRY]);
}

export function gate(task: Task): Escalation {
  const send: Choice = {
    label: "Send to the agent",
    description: "Let it fix what the check found",
    effect: "repair",
  };
  const accept: Choice = { label: "Accept", description: "The work is finished anyway", effect: "done" };
  const text = `The check of ${task.order.name} failed (${task.order.gate ?? ""}). What now?`;
  return escalation("gate", text, task.checked?.output ?? "", [send, accept]);
}

export function budget(task: Task, more: number): Escalation {
  const spent = `${exactDollars(task.usage.costUsd)} of ${exactDollars(task.budgetUsd ?? 0)}`;
  const grant: Choice = {
    label: "Allow more",
    description: `Continue with another ${exactDollars(more)}`,
    effect: "raise-budget",
  };
  return escalation("budget", `${task.order.name} has cost ${spent}. What now?`, task.said ?? "", [grant, DONE]);
}

export function review(task: Task): Escalation {
  const accept: Choice = { label: "Accept", description: "The work is finished", effect: "done" };
  return escalation("review", `${task.order.name} is ready for review. What now?`, task.said ?? "", [accept]);
}

/** The phase stands in its text: each is a question of its own. */
export function nextStep(task: Task, { command, phase }: NextStep): Escalation {
  const goOn: Choice = { label: "Go on", description: `Start ${command} as a task of its own`, effect: "next" };
  const { kind, question } = escalation("next", `Next step (${phase}): ${command}. Go on?`, task.said ?? "", [
    goOn,
    DONE,
  ]);
  const options = question.options.map((option) => ({ ...option, recommended: option.effect === "next" }));
  return { kind, question: { ...question, options }, command };
}

/**
 * What the settled Ask says shall happen; own words are a message to the agent. Where nobody decided, or in a way that
 * only a later Parley knows, it is asked again.
 */
export function resolutionOf({ questions, outcome }: Ask, task: Task): Resolution {
  if (outcome?.type === "declined" || outcome?.type === "cancelled") return { type: "cancel" };
  if (outcome?.type === "chat") return { type: "message", message: outcome.message ?? GO_ON };
  if (outcome?.type !== "answered") return { type: "again" };
  const [answer] = outcome.answers ?? [];
  const option = questions[0]?.options[answer?.picks[0] ?? -1];
  if (!option) return { type: "message", message: answer?.text ?? GO_ON };
  return resolutionBy(option.effect ?? "", task, answer?.note);
}

function resolutionBy(effect: string, task: Task, note = ""): Resolution {
  switch (effect) {
    case "continue":
      return { type: "message", message: note || GO_ON };
    case "repair":
      return { type: "message", message: gateMessage(task, note) };
    case "resume":
      return note ? { type: "message", message: note } : { type: "resume" };
    case "retry":
      return { type: "retry", ...(note && { words: note }) };
    case "resume-later":
      return { type: "later" };
    case "raise-budget":
      return { type: "grant" };
    case "done":
    case "cancel":
    case "next":
      return { type: effect };
    default:
      return { type: "again" };
  }
}

export function gateMessage({ order, checked }: Task, note = ""): string {
  const said = `The check \`${order.gate ?? ""}\` failed with exit code ${checked?.code ?? "unknown"}:`;
  return [said, checked?.output ?? "", note || "Repair this, then say that you are finished."].join("\n\n");
}

export const byWhom = ({ type, surface, name }: Actor): string =>
  type === "person" ? "by you" : `by ${name ?? surface}`;

function escalation(kind: Kind, text: string, output: string, choices: readonly Choice[]): Escalation {
  const options: Option[] = [...choices.map((choice) => ({ ...choice, recommended: false })), CANCEL_TASK];
  const body = tailText(output.trim(), 4000);
  return { kind, question: { text, header: "Task", multiSelect: false, options, ...(body !== "" && { body }) } };
}
