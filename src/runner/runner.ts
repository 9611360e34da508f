import { agentNamed } from "../agents/agents.ts";
import type { Ask } from "../core/ask/ask.ts";
import { ParleyError } from "../core/error.ts";
import type { RunStart } from "../core/task/run-start.ts";
import type { Task, TaskState } from "../core/task/task.ts";
import { hasProcess, isOver } from "../core/task/task-state.ts";
import { untilDone } from "../machine/time/patience.ts";
import { createSerial } from "../machine/time/serial.ts";
import { eachTask } from "../store/each-task.ts";
import { createChecks } from "./ended/checks.ts";
import { createConclude } from "./ended/conclude.ts";
import { byWhom } from "./ended/escalate.ts";
import { createGrants } from "./grants.ts";
import { makeTask, type NewTask } from "./new-task.ts";
import { createOver } from "./ended/over.ts";
import { createParking } from "./ended/parking.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { createRetry } from "./ended/retry.ts";
import { createRuns } from "./run/runs.ts";
import { createTakeover } from "./ended/takeover.ts";
import { createTasks } from "./tasks.ts";
import { putAside, runsAfter } from "./run/undone-run.ts";
import { rankOf, REASONS } from "./ended/waiting-reason.ts";
import { createUnfinished } from "./ended/unfinished.ts";
import { createWork } from "./work/work.ts";
import { restoreWorktree } from "./work/worktree.ts";

export type Runner = ReturnType<typeof createRunner>;

const ACTIVE = ["queued", "in_progress", "waiting"] as const satisfies TaskState[];
const OVER = ["done", "failed", "cancelled"] as const satisfies TaskState[];
/** Enough to hold all that one turn of an agent asks. */
const MOST_RECENT = 200;
/** Tasks that wait at the head of the queue for the end of what they ran before. */
const MOST_LEFT = 20;
/** Timers do not count the time a machine sleeps. */
const LONGEST_MS = 60_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

/**
 * Runs tasks. Everything it does follows from what is on disk: `step` looks at a task, its asks and its run, and does the
 * next thing, so that a daemon killed anywhere goes on by looking again.
 */
export function createRunner(deps: RunnerDeps) {
  const { store, now, home, log } = deps;
  const tasks = createTasks({ store, now });
  const unfinished = createUnfinished(home);
  const serial = createSerial();
  const { program, mustAsk, inside, openTalk } = deps;
  const runs = createRuns({ tasks, home, program, mustAsk, inside, openTalk, written, log });
  const checks = createChecks({ tasks, home, inside, written, log });
  const parking = createParking({ ...deps, runs });
  const grants = createGrants({ store, tasks });
  const over = createOver({ store, inbox: deps.inbox, now, home });
  const conclude = createConclude({ ...deps, tasks, runs, checks, end, soonAt, create });
  const retry = createRetry({ tasks, over, wordsFor: async (task) => conclude.wordsFor(task, await asksOf(task)) });
  const takeover = createTakeover({ store, inbox: deps.inbox, tasks, now, soonAt });
  const alone = <T>(work: () => Promise<T>) => serial("queue", work);
  const work = createWork({ tasks, home, now, ended: over.end, alone, log });
  const timers = new Map<string, Timer>();
  /** Tasks that could not go on, and the pause before the next try. */
  const failures = new Map<string, number>();
  let stopped = false;
  let due: Promise<void> | undefined;

  const unhook = store.onCommit((events) => {
    for (const id of new Set(events.flatMap(({ task }) => task ?? []))) soon(id);
  });

  function soon(id: string): void {
    void serial(id, () => step(id)).then(
      // Unless its start, which it shares with others, has just failed.
      () => timers.has(id) || failures.delete(id),
      (error: unknown) => later(id, error),
    );
  }

  /** As on a full disk: it goes on by itself. One line in the log is enough. */
  function later(id: string, error: unknown): void {
    if (stopped) return;
    const pause = Math.min((failures.get(id) ?? FIRST_PAUSE_MS / 2) * 2, LONGEST_PAUSE_MS);
    if (!failures.has(id)) log("a task could not go on; it is tried again", { task: id, error: String(error) });
    failures.set(id, pause);
    soonAt(id, now() + pause);
  }

  function soonAt(id: string, at: number): void {
    clearTimeout(timers.get(id));
    timers.set(
      id,
      setTimeout(
        () => {
          timers.delete(id);
          soon(id);
        },
        Math.min(Math.max(0, at - now()), LONGEST_MS),
      ),
    );
  }

  function written(id: string, work: () => Promise<void>): Promise<void> {
    const failed = (error: unknown) =>
      log("what became of a run could not be written; it is tried again", { task: id, error: String(error) });
    return untilDone(() => work().catch(unlessRemoved), { isOver: () => stopped, failed });
  }

  async function step(id: string): Promise<void> {
    const task = await store.task(id);
    if (!task || stopped) return;
    if (isOver(task) || (task.state === "queued" && task.run > 0)) await over.end(task);
    if (isOver(task) || task.state === "queued") return queue();
    if (!agentNamed(task.order.agent)?.headless)
      return end(task, "failed", `${task.order.agent} cannot run without a terminal`);
    if (task.elsewhere) return takeover.look(task);
    if (hasProcess(task)) runs.find(task);
    const asks = await asksOf(task);
    const cancelled = asks.find(({ outcome }) => outcome?.type === "cancelled");
    if (cancelled?.outcome) return end(task, "cancelled", `cancelled ${byWhom(cancelled.outcome.actor)}`);
    await told(task, asks);
    const open = asks.filter(({ state }) => state === "open");
    if (open.length > 0) await wait(task, open);
    else if (hasProcess(task)) await tasks.change(id, goesOn);
    else await conclude(task, asks);
    // Whatever waits now has made room.
    await queue();
  }

  /** Something of this task is open: it waits, and after a while without its process. */
  async function wait(task: Task, open: readonly Ask[]): Promise<void> {
    const first = open.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
    const reason = REASONS[first?.kind ?? "error"];
    await tasks.change(task.id, (current) =>
      current.state === "waiting" && current.waitingFor === reason
        ? []
        : [{ type: "task.waiting", for: reason, ...(first && { ask: first.id }) }],
    );
    if (!hasProcess(task)) return;
    for (const ask of open) if (!(await conclude.prompt(task, ask))) await parking.later(task.id, ask);
  }

  /** A run that was started with answers has them: the start is on disk, so none is sent a second time. */
  async function told({ start }: Task, asks: readonly Ask[]): Promise<void> {
    if (start?.how !== "message") return;
    for (const { id } of asks.filter((ask) => start.asks?.includes(ask.id) && ask.state === "settled"))
      await deps.inbox.change(id, ({ deliveries }) =>
        deliveries.flatMap(({ key, state }) =>
          state === "waiting" ? [{ type: "ask.sent", key, channel: "resume" }] : [],
        ),
      );
  }

  /** Who asks for it while one look is due shares that one: it sees whatever they have seen. */
  function queue(): Promise<void> {
    return (due ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      due = undefined;
      return serial("queue", startNext);
    }));
  }

  async function startNext(): Promise<void> {
    const room = stopped ? 0 : deps.limit() - (await store.busyTasks());
    if (room <= 0) return;
    // Of one that is started again all that ran before has ended first; it keeps nobody behind it waiting.
    const next = (await store.nextTasks(room + MOST_LEFT)).filter((task) => !over.isLeft(task));
    // One that cannot be started keeps neither the others nor the daemon from going on.
    for (const task of next.slice(0, room)) await begin(task).catch((error: unknown) => later(task.id, error));
  }

  async function begin(task: Task): Promise<void> {
    if (task.run > 0) await over.end(task);
    const why = task.workdir && (await restoreWorktree(task.workdir).then(() => undefined, String));
    await (why === undefined ? runs.start(task, withPrompt(task)) : end(task, "failed", why));
  }

  async function end(task: Task, state: "done" | "failed" | "cancelled", reason?: string): Promise<void> {
    await tasks.change(task.id, (current) =>
      isOver(current) ? [] : [{ type: "task.ended", state, ...(reason !== undefined && { reason }) }],
    );
  }

  function create(wanted: NewTask): Promise<Task> {
    return serial(`new ${wanted.id}`, async () => {
      const known = await store.task(wanted.id);
      if (known?.request !== undefined && known.request !== wanted.request)
        throw new ParleyError("idempotency_mismatch", "This idempotency key was used for another request");
      return known ?? make(wanted);
    });
  }

  async function make(wanted: NewTask): Promise<Task> {
    const { budget_usd: usual } = await deps.settings();
    const budgetUsd = wanted.order.budgetUsd ?? usual;
    return makeTask(
      { home, tasks, unfinished },
      budgetUsd > 0 ? { ...wanted, order: { ...wanted.order, budgetUsd } } : wanted,
    );
  }

  /** What a daemon was killed at: the task is there, or nothing of it. */
  async function finish(id: string): Promise<void> {
    if (await store.task(id)) unfinished.end(id);
    else await unfinished.clear(id);
  }

  /** Contract: never throws; one folder that cannot be renamed does not keep the daemon from starting. */
  function tidy(task: Task): void {
    try {
      for (const folder of runsAfter(home, task)) putAside(folder);
    } catch (error) {
      log("runs of a restored task could not be put aside", { task: task.id, error: String(error) });
    }
  }

  const couldNotTidy = (id: string) => (error: unknown) =>
    log("what is left of a task that was not made could not be removed", { task: id, error: String(error) });

  const asksOf = async ({ session }: Task) =>
    session === undefined ? [] : (await store.list({ session, order: "newest", limit: MOST_RECENT })).toReversed();

  return {
    tasks,
    settings: () => deps.settings(),
    /** Contract: the same id again is the same task, as it was made first; wanted otherwise it is refused. */
    create,
    /** Forgets a task that is over, and everything it kept on disk. */
    async remove(id: string, kept: string[]): Promise<void> {
      unfinished.begin(id);
      await tasks.change(id, (task) => {
        if (isOver(task)) return [{ type: "task.removed", kept }];
        unfinished.end(id);
        throw new ParleyError("busy", "It was restarted in the meantime; it stays");
      });
      await unfinished.clear(id);
    },
    end,
    retry,
    work,
    /** Of tasks that ended so long ago, the worktrees that nobody needs any more. */
    prune: (before: number): Promise<void> => work.prune(eachTask(store, OVER), before),
    /** Own words for a task that would go on by itself later: it does now, with them. False: it does not wait so. */
    tell: (id: string, message: string, once?: string): Promise<boolean> =>
      serial(id, async () => {
        const task = await store.task(id);
        if (once !== undefined && task?.toldFor === once) return true;
        return task?.resumeAt !== undefined && conclude.tell(task, await asksOf(task), message, once);
      }),
    /** What its agent does right now, has used and called in this run. */
    liveOf(id: string) {
      const progress = runs.progressOf(id);
      return progress && { tool: progress.tool(), usage: progress.usage(), calls: progress.calls() };
    },
    /** Resolves when nothing of a task that is over runs any more. */
    ended: over.end,
    async startedFor(id: string, ask: string): Promise<boolean> {
      const start = (await store.task(id))?.start;
      return start !== undefined && start.how !== "prompt" && (start.asks?.includes(ask) ?? false);
    },
    takeGrant: grants.take,
    wentOn: takeover.begin,
    /** Looks at every task: what an earlier daemon left goes on, and what it could not end any more is ended. */
    async resume(): Promise<void> {
      for (const id of unfinished.ids()) void serial(`new ${id}`, () => finish(id)).catch(couldNotTidy(id));
      for await (const task of eachTask(store, ACTIVE)) {
        tidy(task);
        // Of those that were never started nothing is left to look at: they wait for their turn.
        if (task.state !== "queued" || task.run > 0) soon(task.id);
      }
      await queue();
      for await (const task of eachTask(store, OVER)) {
        tidy(task);
        if (over.isLeft(task)) soon(task.id);
        if (task.cleared) await work.finish(task).catch(couldNotTidy(task.id));
      }
      void work.emptyTrash().catch(couldNotTidy("worktrees"));
    },
    stop(): void {
      stopped = true;
      unhook();
      runs.stop();
      checks.stop();
      parking.stop();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

const withPrompt = ({ words }: Task): RunStart => ({ how: "prompt", ...(words !== undefined && { words }) });
const goesOn = ({ state }: Task) => (state === "waiting" ? [{ type: "task.continued" } as const] : []);

/** Nobody wants to know any more what became of it. */
function unlessRemoved(error: unknown): void {
  if (!(error instanceof ParleyError && error.code === "not_found")) throw error;
}
