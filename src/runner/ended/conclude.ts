import { projectOf } from "../../machine/git/git.ts";
import { agentNamed } from "../../agents/agents.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { AskEvent } from "../../core/ask/event.ts";
import type { RunStart } from "../../core/task/run-start.ts";
import type { Task, TaskEvent } from "../../core/task/task.ts";
import { createWaits } from "../../machine/time/waits.ts";
import type { createChecks } from "./checks.ts";
import { byWhom, GO_ON, resolutionOf, type Escalation, type Resolution } from "./escalate.ts";
import { askBudget, isOverBudget, moreBudget, nextOf, resumeAt, type Next } from "./next.ts";
import type { NewTask } from "../new-task.ts";
import { followingTask } from "./next-step.ts";
import { createOwed, isOwn } from "./owed.ts";
import type { RunnerDeps } from "../runner-deps.ts";
import { newRun, workdirOf, type Runs } from "../run/runs.ts";
import type { Tasks } from "../tasks.ts";
import { wasTold } from "./was-told.ts";

type Deps = RunnerDeps & {
  tasks: Tasks;
  runs: Runs;
  checks: ReturnType<typeof createChecks>;
  end(task: Task, state: "done" | "failed" | "cancelled", reason?: string): Promise<void>;
  soonAt(id: string, at: number): void;
  create(wanted: NewTask): Promise<Task>;
};

type Decided = Exclude<Resolution, { type: "again" | "next" }>;

/** What becomes of a task whose agent has stopped while nothing is open. */
export function createConclude(deps: Deps) {
  const { inbox, tasks, runs, checks, now, end, soonAt } = deps;
  const { owed, misheardIn, asRecorded, startWith, wordsFor, recordOf } = createOwed(deps);
  const waits = createWaits(now);

  async function conclude(task: Task, known: readonly Ask[]): Promise<void> {
    const asks = await asRecorded(known);
    const kept = keptIn(asks);
    const own = asks.find((ask) => ask.state === "settled" && isOwn(ask));
    if (own) return resolve(task, own, asks);
    const given = task.start?.how === "prompt" ? [] : (task.start?.asks ?? []);
    const isNew = [...kept, ...(await misheardIn(task, asks))].some(({ id }) => !given.includes(id));
    // Resumed for it and ended without asking for it again: then it is told in words.
    const isForOne = task.start?.how === "deferred" && task.end?.ok === true;
    const isMissed = isForOne && (await owed(task, asks)).asks.length > 0;
    if (isNew || isMissed)
      return isOverBudget(task) ? act(task, asks, askBudget(task)) : runs.start(task, await startWith(task, asks));
    const pause = task.resumeAt === undefined ? 0 : waits.left(task.id, task.resumeAt, task.updatedAt);
    if (pause > 0) return soonAt(task.id, now() + pause);
    waits.drop(task.id);
    if (task.resumeBy === "retry") return retry(task, asks);
    if (task.resumeBy === "resume") return runs.start(task, await startWith(task, asks), { auto: true });
    const settings = await deps.settings(workdirOf(task));
    const workflows = await deps.workflows?.(workdirOf(task));
    const facts = { settings, canResume: await canResume(task), now: now(), workflows, lost: lostOf(asks) };
    return act(task, asks, nextOf(task, facts));
  }

  async function act(task: Task, asks: readonly Ask[], next: Next): Promise<void> {
    switch (next.do) {
      case "finish":
        return end(task, "done");
      case "check":
        return checks.run(task);
      case "ask":
        return ask(task, next.escalation);
      case "tell":
        return runs.start(task, await startWith(task, asks, next.message), { auto: true });
      case "later":
        return void (await tasks.advance(task, [{ type: "task.delayed", until: next.at, by: next.by, auto: true }]));
      case "cancel":
        return end(task, "cancelled", next.reason);
    }
  }

  async function ask(task: Task, { kind, question, command }: Escalation): Promise<void> {
    const { agent, name, cwd } = task.order;
    const { project } = await projectOf(cwd);
    const branch = task.workdir ? { branch: task.workdir.branch } : {};
    const where = { cwd: workdirOf(task), project, ...branch, ...(command !== undefined && { command }) };
    const origin = { agent, session: task.session ?? "", sessionTitle: name, task: task.id, ...where };
    await inbox.create({ kind, questions: [question], origin, key: `run-${task.run}`, channel: "self" });
  }

  /** Contract: the decision and what follows from it are one write; a daemon killed here asks nobody a second time. */
  async function resolve(task: Task, own: Ask, asks: readonly Ask[]): Promise<void> {
    const resolution = resolutionOf(own, task);
    const [key = ""] = own.deliveries.map((delivery) => delivery.key);
    const sent: AskEvent[] = [
      { type: "ask.sent", key, channel: "self" },
      { type: "ask.verified", key, detail: resolution.type },
    ];
    if (resolution.type === "again")
      return void (await inbox.change(own.id, ({ state }) => (state === "settled" ? sent : [])));
    const who = own.outcome ? byWhom(own.outcome.actor) : "";
    const command = own.origin.command ?? "";
    const events =
      resolution.type === "next" ? [await goesOn(task, command, who)] : await following(task, resolution, asks, who);
    // When somebody was faster, what they wrote makes the runner look at the task again.
    await inbox.changeWithTask({ task, events }, { ask: own, events: sent });
  }

  /** Made before this one is called done: a daemon killed in between makes the same one again. */
  async function goesOn(task: Task, command: string, who: string): Promise<TaskEvent> {
    const { id } = await deps.create(followingTask(task, command, deps.home));
    return { type: "task.ended", state: "done", reason: `goes on ${who} as ${id}: ${command}` };
  }

  /** Contract: false, and nothing is done, when somebody was faster. */
  async function tell(task: Task, asks: readonly Ask[], message: string, once?: string): Promise<boolean> {
    const found = await following(task, { type: "message", message }, asks, "");
    const events = found.map((event) => (once === undefined ? event : { ...event, once }));
    let isTold = false;
    await tasks.change(task.id, ({ version }) => {
      isTold = version === task.version;
      return isTold ? events : [];
    });
    return isTold;
  }

  async function following(task: Task, resolution: Decided, asks: readonly Ask[], who: string): Promise<TaskEvent[]> {
    const started = (start: RunStart): TaskEvent => ({
      type: "task.started",
      session: task.session ?? "",
      start: newRun(start),
    });
    switch (resolution.type) {
      case "cancel":
        return [{ type: "task.ended", state: "cancelled", reason: `cancelled ${who}` }];
      case "done":
        return [{ type: "task.ended", state: "done", reason: `marked done ${who}` }];
      case "retry":
        return [await retried(task, asks, resolution.words)];
      case "later": {
        const settings = await deps.settings(workdirOf(task));
        return [{ type: "task.delayed", until: resumeAt(task, { settings, now: now() }), by: "resume" }];
      }
      case "grant":
        return [
          { type: "task.granted", budgetUsd: task.usage.costUsd + moreBudget(task) },
          started(await startWith(task, asks)),
        ];
      case "resume":
        return [started(await startWith(task, asks))];
      case "message": {
        // A resumed run that could not begin would lose what it was told.
        const isLost = resolution.message !== GO_ON && !task.end?.ok && !(await canResume(task));
        if (isLost) return [await retried(task, asks, resolution.message)];
        return [started(await startWith(task, asks, resolution.message))];
      }
    }
  }

  /** With everything that the agent was told and has not heard: its asks are withdrawn when that is on disk. */
  async function retried(
    task: Task,
    asks: readonly Ask[],
    words?: string,
  ): Promise<TaskEvent & { type: "task.retried" }> {
    const all = await wordsFor(task, asks, words);
    return { type: "task.retried", ...(all !== "" && { words: all }) };
  }

  async function retry(task: Task, asks: readonly Ask[]): Promise<void> {
    await tasks.advance(task, [{ ...(await retried(task, asks)), auto: true }]);
  }

  /** An agent that was killed before it had written down what it was told first cannot be resumed. */
  async function canResume(task: Task): Promise<boolean> {
    const { end: ended, order, said = "" } = task;
    const [record, agent] = [await recordOf(task), agentNamed(order.agent)];
    const lines = agent?.record?.lines;
    if (record === undefined || !lines || !wasTold(record, 0, lines, "")) return false;
    return !agent.headless?.isUnknownSession(`${said} ${ended?.errors ?? ""}`);
  }

  /** What the settings say about a permission that the agent needs; false: a person decides. */
  async function prompt(task: Task, { id, kind }: Ask): Promise<boolean> {
    if (kind !== "approval" && kind !== "plan") return false;
    const { on_prompt: policy } = await deps.settings(workdirOf(task));
    if (policy === "escalate") return false;
    if (policy === "cancel") return (await end(task, "cancelled", "cancelled by on_prompt"), true);
    const actor = { type: "rule", surface: "task", name: "on_prompt" } as const;
    const outcome = { type: "declined", actor, at: now(), message: NOT_ALLOWED } as const;
    await inbox.change(id, (ask) => (ask.outcome ? [] : [{ type: "ask.settled", outcome }]));
    return true;
  }

  return Object.assign(conclude, { prompt, tell, wordsFor });
}

const NOT_ALLOWED = "nobody is asked for permissions in this project; go on without it";
const keptIn = (asks: readonly Ask[]) => asks.filter((ask) => ask.state === "settled" && !isOwn(ask));

/** What went with the agent that died last: it was asked since this run began, and withdrawn with it. */
function lostOf(asks: readonly Ask[]): string[] {
  const own = asks.findLastIndex(isOwn);
  const isLost = ({ outcome }: Ask) => outcome?.type === "withdrawn" && outcome.reason === "agent-exited";
  const left = asks.slice(own + 1).filter(isLost);
  return left.flatMap(({ questions }) => questions.map(({ title, text }) => title ?? text));
}
