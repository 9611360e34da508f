import type { Agent } from "../../agents/agent.ts";
import { agentNamed } from "../../agents/agents.ts";
import type { HeadlessRun, StreamItem } from "../../agents/capability/headless.ts";
import type { RunStart } from "../../core/task/run-start.ts";
import type { RunEnd } from "../../core/task/run-end.ts";
import { inParagraphs, type Task } from "../../core/task/task.ts";
import { isOver } from "../../core/task/task-state.ts";
import { usageOfRun } from "../../core/task/usage.ts";
import { selfCommand } from "../../machine/self-command.ts";
import { bothEndsOf } from "../../machine/file/both-ends.ts";
import { isPassing } from "../../machine/time/patience.ts";
import { claimOf } from "./claim.ts";
import { measureDiff, totalsOf } from "../work/diff-stat.ts";
import { endRun } from "./end-run.ts";
import { environmentOf } from "./environment.ts";
import { launch } from "./launch.ts";
import { inSandbox, INSIDE, planSandbox, writeSettings } from "../sandbox/plan.ts";
import { createProgress, type Progress } from "./progress.ts";
import { agentOf, makeRunFolder, NOT_STARTED, pathOfRun, runFolder, type RunFolder } from "./run-folder.ts";
import type { Inside, OpenTalk, RunnerDeps, RunTalk } from "../runner-deps.ts";
import { askToSay } from "./talk-run.ts";
import type { Tasks } from "../tasks.ts";
import { isUndone, putAside } from "./undone-run.ts";
import { type RunWatch, watchRun } from "./watch-run.ts";

type Deps = {
  tasks: Tasks;
  home: string;
  /** What the agent's hooks call. */
  program: string;
  mustAsk: (() => boolean) | undefined;
  /** What a task in a sandbox sees of the daemon while it runs. */
  inside: Inside | undefined;
  openTalk: OpenTalk | undefined;
  /** Does it until it is on disk. */
  written(task: string, work: () => Promise<void>): Promise<void>;
  log: RunnerDeps["log"];
};
type Running = { run: number; watch: RunWatch; progress: Progress };
/** Why it failed stands at one of the ends of what it complained about. */
const ERRORS = { head: 500, tail: 1500 };
export type Runs = ReturnType<typeof createRuns>;

export const folderOf = (home: string, task: Task) => runFolder(pathOfRun(home, task.id, task.run));
export const newRun = (start: RunStart): RunStart => ({ ...start, id: crypto.randomUUID() });
export const workdirOf = ({ workdir, order }: Task) => workdir?.path ?? order.cwd;

/** The processes of agents: started, and watched until they have ended. */
export function createRuns({ tasks, home, program, mustAsk, inside, openTalk, written, log }: Deps) {
  const running = new Map<string, Running>();
  const watches = new Set<RunWatch>();
  /** Folders of runs that could not be started, until that is written. */
  const unstarted = new Set<string>();

  /** Contract: the start is on disk before anything runs; of two daemons' attempts at the same run one does nothing. */
  async function start(task: Task, start: RunStart, { auto = false }: { auto?: boolean } = {}): Promise<void> {
    const session = start.how === "prompt" || task.session === undefined ? crypto.randomUUID() : task.session;
    const next = await tasks.change(task.id, ({ version }) =>
      version === task.version ? [{ type: "task.started", session, start: newRun(start), ...(auto && { auto }) }] : [],
    );
    if (next.run === task.run + 1) find(next);
  }

  /** The run that this task is in: started if it was only written down so far, then watched. */
  function find(task: Task): void {
    const agent = agentNamed(task.order.agent);
    if (!agent?.headless || !task.start || running.get(task.id)?.run === task.run) return;
    const folder = folderOf(home, task);
    if (unstarted.has(folder.path)) return;
    const progress = createProgress();
    if (task.order.sandbox) inside?.open(task);
    try {
      if (isUndone(folder, task)) putAside(folder);
      if (!claimOf(folder)) spawn(task, task.start, agent, folder);
    } catch (error) {
      if (task.order.sandbox) inside?.close(task);
      if (isPassing(error)) throw error;
      return notStarted(task, folder, progress, error);
    }
    const { talk, take } = listen(task, agent, folder, progress);
    const watch = watchRun(folder, agent.headless, take, () => talk?.caughtUp());
    const found = { run: task.run, progress, watch };
    // Of a task that was started again the run before may not have ended yet: it is watched to its end, beside this one.
    running.set(task.id, found);
    watches.add(found.watch);
    void found.watch.ended.then(async (exit) => {
      await written(task.id, async () => talk?.close());
      const errors = () => bothEndsOf(folder.errors, ERRORS);
      await written(task.id, () => ended(task, progress, progress.end(exit, errors())));
      watches.delete(found.watch);
      if (running.get(task.id) === found) running.delete(task.id);
      if (task.order.sandbox) inside?.close(task);
    });
  }

  /** It would fail again as often as it is tried: it ends as a run whose agent cannot be started, and somebody is asked. */
  function notStarted(task: Task, folder: RunFolder, progress: Progress, error: unknown): void {
    unstarted.add(folder.path);
    log("a run could not be started", { task: task.id, error: String(error) });
    const end = progress.end({ code: NOT_STARTED, signal: null }, String(error));
    void written(task.id, async () => {
      // One whose folder was lost may still run: the next must not work beside it.
      await endRun(folder);
      await ended(task, progress, end);
    }).finally(() => unstarted.delete(folder.path));
  }

  /** An agent that names its session itself, and says what it asks, does both in what it prints. */
  function listen(task: Task, agent: Agent, folder: RunFolder, progress: Progress) {
    let named = Promise.resolve();
    const talk: RunTalk | undefined =
      agent.headless?.talk &&
      openTalk?.({
        agent,
        task: task.id,
        ready: () => named,
        process: () => agentOf(folder),
        say: (request) => askToSay(folder, request),
      });
    const take = (item: StreamItem) => {
      progress.take(item);
      if (item.type === "began" && item.session !== undefined) named = isNamed(task, item.session);
      if (item.type === "heard") talk?.heard(item.event);
    };
    return { talk, take };
  }

  const isNamed = (task: Task, session: string): Promise<void> =>
    written(task.id, async () => {
      await tasks.change(task.id, (current) =>
        current.run === task.run && current.session !== session ? [{ type: "task.session", session }] : [],
      );
    });

  function spawn(task: Task, start: RunStart, agent: Agent, folder: RunFolder): void {
    const { prompt, model, permissionMode } = task.order;
    // What a run may cost is counted from its own start, also in a resumed session: seen in 2.1.325 and 2.1.197.
    const left = task.budgetUsd === undefined ? undefined : round(Math.max(0, task.budgetUsd - task.usage.costUsd));
    const run: HeadlessRun = {
      session: task.session ?? "",
      start,
      prompt: start.how === "prompt" ? inParagraphs(prompt, start.words) : prompt,
      settings: task.order.sandbox ? `${INSIDE}/settings-${task.run}.json` : folder.settings,
      model,
      permissionMode,
      budgetUsd: left,
    };
    const told = agent.headless?.command(run) ?? { args: [], input: "", inputUntil: "", leaveOut: [] };
    const talk = agent.headless?.talk ? { talk: { agent: agent.name, run } } : {};
    const env: Record<string, string> = { ...environmentOf(home, task.id), PARLEY_HOME: home, PARLEY_TASK: task.id };
    const found = Bun.which(agent.program, { PATH: env["PATH"] ?? "" }) ?? agent.program;
    const { args, ...said } = told;
    const sandbox = agent.headless && planSandbox({ home, task, program: found, env, headless: agent.headless });
    const { isAcp, recordOf } = agent.headless ?? {};
    const cwd = workdirOf(task);
    const record = task.session === undefined ? undefined : recordOf?.(task.session, cwd, env);
    if (record !== undefined) env["PARLEY_ACP_RECORD"] = record;
    const command = [...(isAcp ? [...selfCommand(), "acp-task", "--"] : []), found, ...args];
    const plan = { command, cwd, env, ...said, ...talk, start };
    const called = sandbox ? `${INSIDE}/bin/parley` : program;
    const settings = agent.headless?.settings(called, mustAsk?.() ?? false) ?? {};
    if (sandbox) writeSettings(sandbox.inside, task.run, settings);
    makeRunFolder(folder, { ...plan, ...inSandbox(sandbox, env) }, settings);
    launch(home, folder);
  }

  async function ended(task: Task, progress: Progress, end: RunEnd): Promise<void> {
    const said = progress.said();
    const diff = task.workdir && (await measureDiff(task.workdir));
    const reported = progress.reported();
    const own = progress.usage();
    const usage = reported ? usageOfRun(own, reported, task.reported) : own;
    const learned = {
      ...(reported && { reported }),
      ...(said !== undefined && { said }),
      ...(diff && { diff: totalsOf(diff) }),
    };
    await tasks.change(task.id, (current) => {
      const isKnown = current.run === task.run && current.end !== undefined && !isOver(current);
      return isKnown ? [] : [{ type: "task.stopped", run: task.run, usage, end, ...learned }];
    });
  }

  return {
    start,
    find,
    has: (id: string) => running.has(id),
    progressOf: (id: string) => running.get(id)?.progress,
    stop(): void {
      for (const watch of watches) watch.stop();
    },
  };
}

const round = (usd: number) => Math.round(usd * 1e6) / 1e6;
