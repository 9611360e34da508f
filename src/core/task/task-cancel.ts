import type { Ask } from "../ask/ask.ts";
import type { Effect } from "../ask/effect.ts";
import type { Option, Question } from "../ask/question.ts";
import { asRecord } from "../record.ts";
import { isCancel } from "../form/rows.ts";

export const CANCEL_TASK: Option & { effect: Effect } = {
  label: "Cancel",
  description: "Cancel the task",
  recommended: false,
  effect: "cancel",
};

/** Whatever a task asks, its last option ends it. The agent never hears of that option. */
export function offerCancel(questions: readonly Question[]): Question[] {
  return questions.map((question) => {
    const own = question.options.filter((option) => !isCancel(option));
    const isTaken = own.some(({ label }) => label === CANCEL_TASK.label);
    const cancel = isTaken ? { ...CANCEL_TASK, label: "Cancel the task" } : CANCEL_TASK;
    return own.length === 0 ? question : { ...question, options: [...own, cancel] };
  });
}

/** Somebody chose to end the task, whatever else the answers hold or lack. */
export function cancelsTask({ origin, questions }: Pick<Ask, "origin" | "questions">, answers: unknown): boolean {
  if (origin.task === undefined || !Array.isArray(answers)) return false;
  return questions.some(({ options }, i) => {
    const picks = asRecord(answers[i])?.["picks"];
    return Array.isArray(picks) && picks.some((pick: unknown) => isCancel(options[Number(pick)]));
  });
}

/** Words that whoever ends the task gave with it: nobody would read them. */
export function wordsWith(answers: unknown): number {
  if (!Array.isArray(answers)) return -1;
  const isSaid = (value: unknown) => typeof value === "string" && value.trim() !== "";
  return answers.map(asRecord).findIndex((answer) => isSaid(answer?.["text"]) || isSaid(answer?.["note"]));
}

/** As the agent asked it: whoever decides in a person's place does not end their task. */
export function withoutCancel(ask: Ask): Ask {
  if (ask.origin.task === undefined) return ask;
  const questions = ask.questions.map((question) => ({
    ...question,
    options: question.options.filter((option) => !isCancel(option)),
  }));
  return { ...ask, questions };
}
