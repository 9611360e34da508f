import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../agents/agent.ts";
import { agentNamed } from "../agents/agents.ts";
import type { Holds } from "../channel/holds.ts";
import { PARKED, type Ask, type Origin } from "../core/ask.ts";
import type { AskEvent } from "../core/event.ts";
import { isOver, type RunStart, type Task, type WaitingFor } from "../core/task.ts";
import { tailText } from "../core/text.ts";
import { createSerial } from "../machine/serial.ts";
import type { Store } from "../store/store.ts";
import { measureDiff, totalsOf } from "./diff-stat.ts";
import { endGroup } from "./end-group.ts";
import { escalationOf, resolutionOf } from "./escalate.ts";
import { launch } from "./launch.ts";
import { makeTask, type NewTask } from "./new-task.ts";
import { createProgress, type Progress } from "./progress.ts";
import { agentOf, makeRunFolder, pathOfRun, runFolder, type RunFolder } from "./run-folder.ts";
import { createTasks } from "./tasks.ts";
import { type RunWatch, watchRun } from "./watch-run.ts";

type Deps = {
  store: Store;
  holds: Holds;
  /** The daemon's inbox, as far as tasks need it. */
  change(ask: string, decide: (ask: Ask) => AskEvent[]): Promise<Ask>;
  ask(ask: { kind: Ask["kind"]; questions: Ask["questions"]; origin: Origin; key: string }): Promise<Ask>;
  now: () => number;
  home: string;
  /** What the agent's hooks call. */
  program: string;
  parkAfterMs: () => number;
  limit: () => number;
  log: (message: string, fields: Record<string, unknown>) => void;
};
type Running = { watch: RunWatch; progress: Progress };
export type Runner = ReturnType<typeof createRunner>;

const KINDS: Record<string, WaitingFor> = {
  question: "question",
  approval: "approval",
  plan: "plan",
  gate: "gate",
  idle: "idle",
};

/**
 * Runs tasks. Everything it does follows from what is on disk: `step` looks at a task, its asks and its run, and does the
 * next thing, so that a daemon killed anywhere goes on by looking again.
 */
export function createRunner(deps: Deps) {
  const { store, holds, now, home, log } = deps;
  const tasks = createTasks({ store, now });
  const serial = createSerial();
  const running = new Map<string, Running>();
  const parkTimers = new Map<string, Timer>();
  let stopped = false;

  const unhook = store.onCommit((events) => {
    for (const id of new Set(events.flatMap(({ task }) => task ?? []))) soon(id);
  });
  const soon = (id: string) =>
    void serial(id, () => step(id)).catch((error: unknown) =>
      log("a task could not go on", { task: id, error: String(error) }),
    );

  async function step(id: string): Promise<void> {
    const task = await store.task(id);
    if (!task || stopped) return;
    if (isOver(task)) return over(task);
    if (task.state === "queued") return queue();
    if (!task.parked && !running.has(id)) return watch(task);
    const asks = await asksOf(task);
    const open = asks.filter(({ state }) => state === "open");
    if (open[0]) return wait(task, open);
    if (!task.parked) return resumeState(task);
    const own = asks.find((ask) => isOwn(ask) && ask.state === "settled");
    if (own) return resolve(task, own);
    const kept = asks.find((ask) => ask.state === "settled");
    if (kept)
      return kept.outcome?.type === "cancelled"
        ? end(task, "cancelled", "cancelled by a person")
        : start(task, { how: "deferred" });
    return conclude(task);
  }

  /** Something of this task is open: it waits, and after a while without its process. */
  async function wait(task: Task, open: readonly Ask[]): Promise<void> {
    const reason = KINDS[open[0]?.kind ?? ""] ?? "error";
    await tasks.change(task.id, (current) =>
      current.state === "waiting" && current.waitingFor === reason
        ? []
        : [{ type: "task.waiting", for: reason, ...(open[0] && { ask: open[0].id }) }],
    );
    if (!task.parked) for (const ask of open) parkLater(task.id, ask);
  }

  async function resumeState(task: Task): Promise<void> {
    await tasks.change(task.id, ({ state }) => (state === "waiting" ? [{ type: "task.continued" }] : []));
  }

  /** The agent's process has ended and nothing is open: the task is finished, or a person has to say how it goes on. */
  async function conclude(task: Task): Promise<void> {
    const escalation = escalationOf(task);
    if (!escalation) return end(task, "done");
    const origin = {
      agent: task.order.agent,
      session: task.session ?? "",
      task: task.id,
      cwd: workdirOf(task),
      project: task.order.name,
    };
    await deps.ask({ kind: escalation.kind, questions: [escalation.question], origin, key: `run-${task.run}` });
  }

  async function resolve(task: Task, ask: Ask): Promise<void> {
    const resolution = resolutionOf(ask);
    const [delivery] = ask.deliveries;
    if (delivery)
      await deps.change(ask.id, ({ state }) =>
        state === "settled"
          ? [
              { type: "ask.sent", key: delivery.key, channel: "self" },
              { type: "ask.verified", key: delivery.key, detail: resolution.type },
            ]
          : [],
      );
    if (resolution.type === "cancel") return end(task, "cancelled", "cancelled by a person");
    if (resolution.type === "done") return end(task, "done");
    if (resolution.type === "retry") return void (await tasks.change(task.id, () => [{ type: "task.retried" }]));
    await start(task, {
      how: "message",
      message: resolution.type === "message" ? resolution.message : "Go on where you stopped.",
    });
  }

  async function start(task: Task, how: RunStart): Promise<void> {
    const agent = agentNamed(task.order.agent);
    if (!agent?.headless) return end(task, "failed", `${task.order.agent} cannot run without a terminal`);
    const session = how.how === "prompt" || task.session === undefined ? crypto.randomUUID() : task.session;
    const next = await tasks.change(task.id, (current) =>
      current.version === task.version ? [{ type: "task.started", session, start: how }] : [],
    );
    if (next.run === task.run + 1) spawn(next, agent, how);
  }

  /** Also for a run whose start was written down before the daemon was killed: of two supervisors one does nothing. */
  function spawn(task: Task, agent: Agent, how: RunStart): void {
    const folder = folderOf(task);
    const { prompt, model, permissionMode } = task.order;
    const { args, input } = agent.headless?.command({
      session: task.session ?? "",
      start: how,
      prompt,
      settings: folder.settings,
      model,
      permissionMode,
    }) ?? { args: [], input: "" };
    const env: Record<string, string> = { ...environmentOf(task), PARLEY_HOME: home, PARLEY_TASK: task.id };
    const command = [Bun.which(agent.install.program, { PATH: env["PATH"] ?? "" }) ?? agent.install.program, ...args];
    makeRunFolder(
      folder,
      { command, cwd: workdirOf(task), env, input, start: how },
      agent.headless?.settings(deps.program) ?? {},
    );
    launch(home, folder);
    soon(task.id);
  }

  function watch(task: Task): void {
    const agent = agentNamed(task.order.agent);
    if (!agent?.headless) return;
    const folder = folderOf(task);
    const progress = createProgress();
    const found: Running = { progress, watch: watchRun(folder, agent.headless, progress.take) };
    running.set(task.id, found);
    void found.watch.ended.then(async (exit) => {
      running.delete(task.id);
      if (stopped) return;
      const ended = progress.end(exit, errorsIn(folder));
      const said = progress.said();
      const diff = task.workdir && (await measureDiff(task.workdir));
      const learned = { ...(said !== undefined && { said }), ...(diff && { diff: totalsOf(diff) }) };
      await tasks.change(task.id, ({ run, parked }) =>
        run === task.run && !parked ? [{ type: "task.stopped", usage: progress.usage(), end: ended, ...learned }] : [],
      );
      void queue();
    });
    soon(task.id);
  }

  function parkLater(task: string, ask: Ask): void {
    if (ask.kind !== "question" || parkTimers.has(ask.id)) return;
    const due = Math.max(0, ask.createdAt + deps.parkAfterMs() - now());
    parkTimers.set(
      ask.id,
      setTimeout(() => {
        parkTimers.delete(ask.id);
        void park(task, ask.id);
      }, due),
    );
  }

  /** Contract: only a call that is alone in its message is put off; with several the process is kept. */
  async function park(task: string, id: string): Promise<void> {
    const [ask, found] = [await store.ask(id), running.get(task)];
    const agent = ask && agentNamed(ask.origin.agent);
    if (!ask || ask.state !== "open" || !found || agent?.headless?.defer === undefined) return;
    for (const hold of holds.of(id)) {
      if (!found.progress.isAlone(hold.key)) continue;
      holds.remove(hold);
      await deps.change(id, () => [{ type: "ask.released", key: hold.key, hold: hold.call, reason: PARKED }]);
      hold.reply({ output: agent.headless.defer, handed: [] });
    }
  }

  /** Starts what waits in the queue, most urgent first, as far as the limit allows. */
  async function queue(): Promise<void> {
    await serial("queue", async () => {
      const active = await store.tasks({ states: ["queued", "in_progress"], limit: 100_000 });
      const busy = active.filter(({ state }) => state === "in_progress").length;
      const queued = active
        .filter(({ state }) => state === "queued")
        .toSorted((a, b) => b.order.priority - a.order.priority || a.createdAt - b.createdAt);
      for (const task of queued.slice(0, Math.max(0, deps.limit() - busy))) await start(task, { how: "prompt" });
    });
  }

  async function end(task: Task, state: "done" | "failed" | "cancelled", reason?: string): Promise<void> {
    await tasks.change(task.id, (current) =>
      isOver(current) ? [] : [{ type: "task.ended", state, ...(reason !== undefined && { reason }) }],
    );
  }

  /** Nothing of it goes on: its process ends, and what it still asked is withdrawn. */
  async function over(task: Task): Promise<void> {
    const process = task.run > 0 ? agentOf(folderOf(task)) : undefined;
    if (process) await endGroup(process);
    const at = now();
    for (const ask of (await asksOf(task)).filter(({ state }) => state === "open"))
      await deps.change(ask.id, ({ outcome }) =>
        outcome
          ? []
          : [
              {
                type: "ask.closed",
                outcome: { type: "withdrawn", actor: { type: "system", surface: "task" }, at, reason: "session-ended" },
              },
            ],
      );
    rmSync(join(home, "tasks", task.id, "environment.json"), { force: true });
    void queue();
  }

  const asksOf = async ({ session }: Task) => (session === undefined ? [] : store.list({ session, limit: 500 }));
  const folderOf = (task: Task) => runFolder(pathOfRun(home, task.id, task.run));
  const workdirOf = ({ workdir, order }: Task) => workdir?.path ?? order.cwd;

  function environmentOf({ id }: Task): Record<string, string> {
    try {
      return JSON.parse(readFileSync(join(home, "tasks", id, "environment.json"), "utf8")) as Record<string, string>;
    } catch {
      return { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
    }
  }

  return {
    tasks,
    /** Contract: the same id again is the same task, as it was made first. */
    create: (wanted: NewTask): Promise<Task> =>
      serial(`new ${wanted.id}`, async () => (await store.task(wanted.id)) ?? makeTask(home, tasks, wanted)),
    end,
    toolOf: (id: string) => running.get(id)?.progress.tool(),
    /** Looks at every task that is not over: what an earlier daemon left goes on. */
    async resume(): Promise<void> {
      const states = ["queued", "in_progress", "waiting"] as const;
      for (const task of await store.tasks({ states, limit: 100_000 })) {
        const agent = agentNamed(task.order.agent);
        if (task.run > 0 && !task.parked && agent && task.start) spawn(task, agent, task.start);
        else soon(task.id);
      }
    },
    stop(): void {
      stopped = true;
      unhook();
      for (const { watch: each } of running.values()) each.stop();
      for (const timer of parkTimers.values()) clearTimeout(timer);
    },
  };
}

const isOwn = ({ deliveries }: Ask) => deliveries.some(({ channel }) => channel === "self");

function errorsIn(folder: RunFolder): string {
  try {
    return tailText(readFileSync(folder.errors, "utf8"), 2000);
  } catch {
    return "";
  }
}
