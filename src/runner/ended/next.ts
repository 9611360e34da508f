import type { Policy, TaskSettings } from "../../core/config/config.ts";
import { duration } from "../../core/words/time.ts";
import type { Phases } from "../../core/autopilot/rule/phase.ts";
import type { Task } from "../../core/task/task.ts";
import { endsWithQuestion } from "./ends-with-question.ts";
import * as escalate from "./escalate.ts";
import { MOST_LINKED, nextStepIn } from "./next-step.ts";
import { troubleOf } from "./trouble.ts";

/** What follows when the agent of a task has stopped and nobody is asked anything. */
export type Next =
  | { do: "finish" }
  | { do: "check" }
  | { do: "ask"; escalation: escalate.Escalation }
  | { do: "tell"; message: string }
  | { do: "later"; at: number; by: "resume" | "retry" }
  | { do: "cancel"; reason: string };
/** `workflows`: whose next steps somebody's rules are about. */
type Facts = {
  settings: TaskSettings;
  canResume: boolean;
  now: number;
  workflows?: Phases | undefined;
  /** What its agent asked when it died. */
  lost?: readonly string[];
};
type Trigger = "on_idle" | "on_dead" | "on_error" | "on_gate";

export function nextOf(task: Task, facts: Facts): Next {
  const { end, order, checked, said = "" } = task;
  const output = [said, end?.errors ?? ""].filter(Boolean).join("\n\n");
  if (end?.overBudget || (!end?.ok && isOverBudget(task))) return askBudget(task);
  if (!end?.ok && !end?.told) {
    const ask = escalate.dead(task, output, facts.canResume, facts.lost);
    return byPolicy("on_dead", task, facts, ask, escalate.GO_ON);
  }
  if (!end.ok) {
    const wait = duration(resumeAt(task, facts) - facts.now);
    const ask = escalate.failed(task, output, troubleOf(output), facts.canResume ? `in ${wait}` : undefined);
    return byPolicy("on_error", task, facts, ask, escalate.GO_ON);
  }
  if (end.elsewhere || (!end.silent && endsWithQuestion(said)))
    return byPolicy("on_idle", task, facts, escalate.idle(task, said), escalate.GO_ON);
  if (order.gate !== undefined && !checked) return { do: "check" };
  if (checked && !checked.ok) return byPolicy("on_gate", task, facts, escalate.gate(task), escalate.gateMessage(task));
  if (order.review) return { do: "ask", escalation: escalate.review(task) };
  const isLong = (order.linked ?? 0) >= MOST_LINKED;
  const step = facts.workflows && !isLong ? nextStepIn(said, facts.workflows) : undefined;
  return step ? { do: "ask", escalation: escalate.nextStep(task, step) } : { do: "finish" };
}

export const isOverBudget = ({ budgetUsd, usage }: Task): boolean =>
  budgetUsd !== undefined && usage.costUsd >= budgetUsd;
export const moreBudget = ({ order, budgetUsd = 0 }: Task): number => order.budgetUsd ?? budgetUsd;
export const askBudget = (task: Task): Next => ({ do: "ask", escalation: escalate.budget(task, moreBudget(task)) });

/** When it is worth another try: the agent may have said so; else after a while that doubles each time. */
export function resumeAt({ tries, said = "", end }: Task, { settings, now }: Omit<Facts, "canResume">): number {
  const { until = 0 } = troubleOf(`${said}\n${end?.errors ?? ""}`);
  return Math.max(until, now + settings.retry_backoff_seconds * 1000 * 2 ** Math.min(tries, 16));
}

function byPolicy(trigger: Trigger, task: Task, facts: Facts, ask: escalate.Escalation, message: string): Next {
  const { settings, canResume } = facts;
  const policy: Policy = settings[trigger];
  if (policy === "cancel") return { do: "cancel", reason: `cancelled by ${trigger}` };
  if (policy === "escalate" || task.tries >= settings.retry_limit) return { do: "ask", escalation: ask };
  if (policy === "retry" || !canResume) return { do: "later", at: resumeAt(task, facts), by: "retry" };
  const isWell = trigger === "on_idle" || trigger === "on_gate";
  return isWell ? { do: "tell", message } : { do: "later", at: resumeAt(task, facts), by: "resume" };
}
