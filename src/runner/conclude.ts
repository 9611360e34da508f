import { existsSync } from "node:fs";
import { agentNamed } from "../agents/agents.ts";
import type { Ask } from "../core/ask.ts";
import type { AskEvent } from "../core/event.ts";
import { inParagraphs, type RunStart, type Task, type TaskEvent } from "../core/task.ts";
import { createWaits } from "../machine/waits.ts";
import { answerText } from "./answer-text.ts";
import type { createChecks } from "./checks.ts";
import { byWhom, GO_ON, resolutionOf, type Escalation, type Resolution } from "./escalate.ts";
import { askBudget, isOverBudget, moreBudget, nextOf, resumeAt, type Next } from "./next.ts";
import type { RunnerDeps } from "./runner.ts";
import { workdirOf, type Runs } from "./runs.ts";
import type { Tasks } from "./tasks.ts";

type Deps = RunnerDeps & {
  tasks: Tasks;
  runs: Runs;
  checks: ReturnType<typeof createChecks>;
  end(task: Task, state: "done" | "failed" | "cancelled", reason?: string): Promise<void>;
  soonAt(id: string, at: number): void;
  /** Nobody waits for their answers any more. */
  withdraw(asks: readonly Ask[]): Promise<void>;
};

type Decided = Exclude<Resolution, { type: "again" }>;

/** What becomes of a task whose agent has stopped while nothing is open. */
export function createConclude(deps: Deps) {
  const { store, tasks, runs, checks, now, end, soonAt } = deps;
  const waits = createWaits(now);

  async function conclude(task: Task, asks: readonly Ask[]): Promise<void> {
    const settled = asks.filter(({ state }) => state === "settled");
    const kept = settled.filter((ask) => !isOwn(ask));
    const own = settled.find(isOwn);
    if (own) return resolve(task, own, kept);
    const given = task.start?.how === "prompt" ? [] : (task.start?.asks ?? []);
    const isNew = kept.some(({ id }) => !given.includes(id));
    // Resumed for it and ended without asking for it again: then it is told in words.
    const isMissed = kept.length > 0 && task.start?.how === "deferred" && task.end?.ok === true;
    if (isNew || isMissed)
      return isOverBudget(task) ? act(task, askBudget(task)) : runs.start(task, startWith(task, kept));
    const pause = task.resumeAt === undefined ? 0 : waits.left(task.id, task.resumeAt, task.updatedAt);
    if (pause > 0) return soonAt(task.id, now() + pause);
    waits.drop(task.id);
    if (task.resumeBy === "retry") return retry(task, kept);
    if (task.resumeBy === "resume") return runs.start(task, startWith(task, kept), { auto: true });
    const settings = await deps.settings(workdirOf(task));
    return act(task, nextOf(task, { settings, canResume: await canResume(task), now: now() }));
  }

  async function act(task: Task, next: Next): Promise<void> {
    switch (next.do) {
      case "finish":
        return end(task, "done");
      case "check":
        return checks.run(task);
      case "ask":
        return ask(task, next.escalation);
      case "tell":
        return runs.start(task, { how: "message", message: next.message }, { auto: true });
      case "later":
        return tasks.advance(task, [{ type: "task.delayed", until: next.at, by: next.by, auto: true }]);
      case "cancel":
        return end(task, "cancelled", next.reason);
    }
  }

  async function ask(task: Task, { kind, question }: Escalation): Promise<void> {
    const { agent, name: project } = task.order;
    const origin = { agent, session: task.session ?? "", task: task.id, cwd: workdirOf(task), project };
    await deps.ask({ kind, questions: [question], origin, key: `run-${task.run}` });
  }

  /** Contract: the decision and what follows from it are one write; a daemon killed here asks nobody a second time. */
  async function resolve(task: Task, own: Ask, kept: readonly Ask[]): Promise<void> {
    const resolution = resolutionOf(own, task);
    const [key = ""] = own.deliveries.map((delivery) => delivery.key);
    const sent: AskEvent[] = [
      { type: "ask.sent", key, channel: "self" },
      { type: "ask.verified", key, detail: resolution.type },
    ];
    if (resolution.type === "again")
      return void (await deps.change(own.id, ({ state }) => (state === "settled" ? sent : [])));
    const who = own.outcome ? byWhom(own.outcome.actor) : "";
    const events = await following(task, resolution, kept, who);
    if (events.some(isRetry)) await deps.withdraw(kept);
    await tasks.advance(task, events, { ask: own, events: sent });
  }

  /** Contract: false, and nothing is done, when somebody was faster. */
  async function tell(task: Task, asks: readonly Ask[], message: string): Promise<boolean> {
    const kept = asks.filter((ask) => ask.state === "settled" && !isOwn(ask));
    const events = await following(task, { type: "message", message }, kept, "");
    let isTold = false;
    await tasks.change(task.id, ({ version }) => {
      isTold = version === task.version;
      return isTold ? events : [];
    });
    if (isTold && events.some(isRetry)) await deps.withdraw(kept);
    return isTold;
  }

  async function following(task: Task, resolution: Decided, kept: readonly Ask[], who: string): Promise<TaskEvent[]> {
    const started = (start: RunStart): TaskEvent => ({ type: "task.started", session: task.session ?? "", start });
    switch (resolution.type) {
      case "cancel":
        return [{ type: "task.ended", state: "cancelled", reason: `cancelled ${who}` }];
      case "done":
        return [{ type: "task.ended", state: "done", reason: `called done ${who}` }];
      case "retry":
        return [await retried(task, resolution.words)];
      case "later": {
        const settings = await deps.settings(workdirOf(task));
        return [{ type: "task.delayed", until: resumeAt(task, { settings, now: now() }), by: "resume" }];
      }
      case "grant":
        return [
          { type: "task.granted", budgetUsd: task.usage.costUsd + moreBudget(task) },
          started(startWith(task, kept)),
        ];
      case "resume":
        return [started(startWith(task, kept))];
      case "message": {
        // A resumed run that could not begin would lose what it was told.
        const isLost = resolution.message !== GO_ON && !task.end?.ok && !(await canResume(task));
        return [isLost ? await retried(task, resolution.message) : started(startWith(task, kept, resolution.message))];
      }
    }
  }

  /** With what the agent was told last, when that went to a session that is not there. */
  async function retried(task: Task, words?: string): Promise<TaskEvent & { type: "task.retried" }> {
    const { start } = task;
    const isUnheard = start?.how === "message" && start.message !== GO_ON && !(await canResume(task));
    const all = inParagraphs(isUnheard ? start.message : undefined, words);
    return { type: "task.retried", ...(all !== "" && { words: all }) };
  }

  async function retry(task: Task, kept: readonly Ask[]): Promise<void> {
    await deps.withdraw(kept);
    await tasks.advance(task, [{ ...(await retried(task)), auto: true }]);
  }

  /** An agent that was killed before it had written its record down cannot be resumed. */
  async function canResume({ session: id, end: ended, order, said = "" }: Task): Promise<boolean> {
    const session = id === undefined ? undefined : await store.session(id);
    if (session?.transcript === undefined || !existsSync(session.transcript)) return false;
    return !agentNamed(order.agent)?.headless?.isUnknownSession(`${said} ${ended?.errors ?? ""}`);
  }

  /** What the settings say about a permission that the agent needs; false: a person decides. */
  async function prompt(task: Task, { id, kind }: Ask): Promise<boolean> {
    if (kind !== "approval" && kind !== "plan") return false;
    const { on_prompt: policy } = await deps.settings(workdirOf(task));
    if (policy === "escalate") return false;
    if (policy === "cancel") return (await end(task, "cancelled", "cancelled by on_prompt"), true);
    const actor = { type: "rule", surface: "task", name: "on_prompt" } as const;
    const outcome = { type: "declined", actor, at: now(), message: NOT_ALLOWED } as const;
    await deps.change(id, (ask) => (ask.outcome ? [] : [{ type: "ask.settled", outcome }]));
    return true;
  }

  return Object.assign(conclude, { prompt, tell });
}

const NOT_ALLOWED = "nobody is asked for permissions in this project; go on without it";
const isRetry = ({ type }: TaskEvent) => type === "task.retried";
const isOwn = ({ deliveries }: Ask) => deliveries.some(({ channel }) => channel === "self");

/** With answers that nobody has taken yet; words of a person come after them. */
function startWith(task: Task, kept: readonly Ask[], words?: string): RunStart {
  if (kept.length === 0) return { how: "message", message: words ?? GO_ON };
  const asks = kept.map(({ id }) => id);
  if (words === undefined && isPutOff(task, kept)) return { how: "deferred", asks };
  return { how: "message", message: [answerText(kept), ...(words === undefined ? [] : [words])].join("\n\n"), asks };
}

/** The agent put off exactly this call and asks for it again by itself; also when the run resumed for it has died. */
function isPutOff({ start, end }: Task, [ask, ...others]: readonly Ask[]): boolean {
  const keys = ask?.deliveries.map(({ key }) => key) ?? [];
  if (!end || others.length > 0 || keys.length > 1) return false;
  const wasFor = start?.how === "deferred" && start.asks?.includes(ask?.id ?? "");
  return end.deferred === keys[0] || (wasFor === true && !end.ok);
}
