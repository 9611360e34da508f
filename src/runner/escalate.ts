import { exactDollars } from "../core/words/number.ts";
import type { Ask, Kind } from "../core/ask/ask.ts";
import type { Actor } from "../core/ask/outcome.ts";
import type { Option, Question } from "../core/ask/question.ts";
import { CANCEL_TASK } from "../core/task/task-cancel.ts";
import type { Task } from "../core/task/task.ts";
import { tailText } from "../core/text/text.ts";
import { NOT_STARTED } from "./run-folder.ts";
import type { Trouble } from "./trouble.ts";

/** What a person can make of a task whose agent stopped. */
export type Resolution =
  | { type: "message"; message: string }
  | { type: "retry"; words?: string }
  | { type: "resume" | "later" | "done" | "grant" | "cancel" }
  | { type: "again" };
export type Escalation = { kind: Kind; question: Question };
type Choice = { label: string; description: string };

export const GO_ON = "Go on with your task. If it is finished, say so.";
const RETRY: Choice = { label: "Retry", description: "Start again from the beginning" };
const RESUME: Choice = { label: "Resume", description: "Go on where it stopped" };
const DONE: Choice = { label: "Done", description: "The work is finished" };
const MEANINGS: Record<string, Resolution> = {
  "Go on": { type: "message", message: GO_ON },
  Done: { type: "done" },
  Accept: { type: "done" },
  Resume: { type: "resume" },
  "Wait and resume": { type: "later" },
  Retry: { type: "retry" },
  "Allow more": { type: "grant" },
};
const SEND = "Send to the agent";

export function idle(task: Task, said: string): Escalation {
  const how = task.end?.elsewhere ? "went on in a terminal, which has ended" : "stopped with a question";
  const goOn = { label: "Go on", description: "Tell it to go on" };
  return escalation("idle", `${task.order.name} ${how}. What now?`, said, [goOn, DONE]);
}

export function dead(task: Task, output: string, canResume: boolean): Escalation {
  const { code = null } = task.end ?? {};
  const choices = canResume ? [RESUME, RETRY] : [RETRY];
  if (code === NOT_STARTED)
    return escalation("dead", `${task.order.name} could not be started. What now?`, output, choices);
  const how = code === null ? "was killed" : `ended with exit code ${code}`;
  const lost = canResume ? "" : " before it had written anything down, so it cannot be resumed";
  return escalation("dead", `${task.order.name} ${how}${lost}. What now?`, output, choices);
}

export function failed(task: Task, output: string, { kind }: Trouble, wait: string | undefined): Escalation {
  const why = kind === "other" ? "" : ` (${kind})`;
  if (wait === undefined)
    return escalation("error", `${task.order.name} failed${why} and cannot be resumed. What now?`, output, [RETRY]);
  const goOn = {
    "rate limit": { label: "Wait and resume", description: `Go on where it stopped, ${wait}` },
    network: { label: "Wait and resume", description: `Go on where it stopped, ${wait}` },
    "sign-in": { label: "Resume", description: "Go on where it stopped, once you have signed in again" },
    other: RESUME,
  }[kind];
  return escalation("error", `${task.order.name} failed${why}. What now?`, output, [goOn, RETRY]);
}

export function gate(task: Task): Escalation {
  const send = { label: SEND, description: "Let it repair what the check found" };
  const accept = { label: "Accept", description: "The work is finished all the same" };
  const text = `The check of ${task.order.name} failed (${task.order.gate ?? ""}). What now?`;
  return escalation("gate", text, task.checked?.output ?? "", [send, accept]);
}

export function budget(task: Task, more: number): Escalation {
  const spent = `${exactDollars(task.usage.costUsd)} of ${exactDollars(task.budgetUsd ?? 0)}`;
  const grant = { label: "Allow more", description: `Go on with another ${exactDollars(more)}` };
  return escalation("budget", `${task.order.name} has cost ${spent}. What now?`, task.said ?? "", [grant, DONE]);
}

export function review(task: Task): Escalation {
  const accept = { label: "Accept", description: "The work is finished" };
  return escalation("review", `${task.order.name} is ready for review. What now?`, task.said ?? "", [accept]);
}

/** What the settled Ask says shall happen; own words are a message to the agent. Where nobody decided it is asked again. */
export function resolutionOf({ questions, outcome }: Ask, task: Task): Resolution {
  if (outcome?.type === "declined" || outcome?.type === "cancelled") return { type: "cancel" };
  if (outcome?.type === "chat") return { type: "message", message: outcome.message ?? GO_ON };
  if (outcome?.type !== "answered") return { type: "again" };
  const [answer] = outcome.answers ?? [];
  const { label } = questions[0]?.options[answer?.picks[0] ?? -1] ?? {};
  if (label === undefined) return { type: "message", message: answer?.text ?? GO_ON };
  if (label === SEND) return { type: "message", message: gateMessage(task, answer?.note) };
  const meaning = MEANINGS[label] ?? { type: "cancel" };
  if (!answer?.note) return meaning;
  if (meaning.type === "retry") return { ...meaning, words: answer.note };
  return meaning.type === "message" || meaning.type === "resume" ? { type: "message", message: answer.note } : meaning;
}

export function gateMessage({ order, checked }: Task, note = ""): string {
  const said = `The check \`${order.gate ?? ""}\` failed with exit code ${checked?.code ?? "unknown"}:`;
  return [said, checked?.output ?? "", note || "Repair this, then say that you are finished."].join("\n\n");
}

export const byWhom = ({ type, surface, name }: Actor): string =>
  type === "person" ? "by a person" : `by ${name ?? surface}`;

function escalation(kind: Kind, text: string, output: string, choices: readonly Choice[]): Escalation {
  const options: Option[] = [...choices.map((choice) => ({ ...choice, recommended: false })), CANCEL_TASK];
  const body = tailText(output.trim(), 4000);
  return { kind, question: { text, header: "Task", multiSelect: false, options, ...(body !== "" && { body }) } };
}

/** Less than a cent is still something. */
