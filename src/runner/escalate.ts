import type { Ask, Kind } from "../core/ask.ts";
import type { Option, Question } from "../core/question.ts";
import type { Task, WaitingFor } from "../core/task.ts";
import { tailText } from "../core/text.ts";

/** What a person can make of a task whose agent stopped. */
export type Resolution =
  | { type: "message"; message: string }
  | { type: "resume" }
  | { type: "retry" }
  | { type: "done" }
  | { type: "cancel" };
type Choice = { label: string; description: string; means: Resolution };
export type Escalation = { kind: Kind; waitingFor: WaitingFor; question: Question };

const GO_ON = "Go on with your task. If it is finished, say so.";
const CANCEL: Choice = { label: "Cancel", description: "Cancel the task", means: { type: "cancel" } };
const RETRY: Choice = { label: "Retry", description: "Start again from the beginning", means: { type: "retry" } };
const RESUME: Choice = { label: "Resume", description: "Go on where it stopped", means: { type: "resume" } };

const CHOICES: Partial<Record<Kind, readonly Choice[]>> = {
  idle: [
    { label: "Go on", description: "Tell it to go on", means: { type: "message", message: GO_ON } },
    { label: "Done", description: "The work is finished", means: { type: "done" } },
    CANCEL,
  ],
  dead: [RESUME, RETRY, CANCEL],
  error: [{ ...RESUME, label: "Wait and resume" }, RETRY, CANCEL],
};

/** An agent that stopped without finishing, in words a person can decide on. Undefined: it has finished. */
export function escalationOf({ end, said = "", order }: Task): Escalation | undefined {
  if (!end) return undefined;
  if (end.ok && !endsWithQuestion(said)) return undefined;
  if (end.ok) return escalation("idle", "idle", `${order.name} stopped with a question. What now?`, said);
  const output = [said, end.errors ?? ""].filter(Boolean).join("\n\n");
  if (end.code === 0) return escalation("error", "error", `${order.name} failed. What now?`, output);
  const how = end.code === null ? "was killed" : `ended with exit code ${end.code}`;
  return escalation("dead", "error", `${order.name} ${how}. What now?`, output);
}

/** What the settled Ask says shall happen; own words are a message to the agent. */
export function resolutionOf({ kind, outcome }: Ask): Resolution {
  if (outcome?.type !== "answered") return { type: "cancel" };
  const [answer] = outcome.answers ?? [];
  const choice = CHOICES[kind]?.[answer?.picks[0] ?? -1];
  if (choice && answer?.note && choice.means.type === "message") return { type: "message", message: answer.note };
  if (choice) return choice.means;
  return answer?.text === undefined ? { type: "cancel" } : { type: "message", message: answer.text };
}

/** The last thing it said is a question in prose: nobody may take that for a finished task. */
export function endsWithQuestion(said: string): boolean {
  const last =
    said
      .trim()
      .split("\n")
      .findLast((line) => line.trim() !== "") ?? "";
  return /[?？]["'”’)*_`]*\s*$/.test(last);
}

function escalation(kind: Kind, waitingFor: WaitingFor, text: string, output: string): Escalation {
  const options = (CHOICES[kind] ?? []).map(({ label, description }): Option => ({
    label,
    description,
    recommended: false,
  }));
  const body = tailText(output.trim(), 4000);
  const question = { text, header: "Task", multiSelect: false, options, ...(body !== "" && { body }) };
  return { kind, waitingFor, question };
}
