import { join } from "node:path";
import { agentNamed } from "../../agents/agents.ts";
import type { Check } from "../../core/task/run-end.ts";
import type { Task } from "../../core/task/task.ts";
import { bothEndsOf } from "../../machine/file/both-ends.ts";
import { isPassing } from "../../machine/time/patience.ts";
import { claimOf } from "../run/claim.ts";
import { environmentOf } from "../run/environment.ts";
import { launch } from "../run/launch.ts";
import { makeRunFolder, NOT_STARTED, type RunExit, type RunFolder, runFolder } from "../run/run-folder.ts";
import { folderOf, workdirOf } from "../run/runs.ts";
import { inSandbox, planSandbox } from "../sandbox/plan.ts";
import type { Inside, RunnerDeps } from "../runner-deps.ts";
import type { Tasks } from "../tasks.ts";
import { type RunWatch, watchRun } from "../run/watch-run.ts";

/** With the words between them it fits into a question. */
const OUTPUT = { head: 1000, tail: 2900 };

export const checkFolderOf = (home: string, task: Task) => runFolder(join(folderOf(home, task).path, "check"));

type Deps = {
  tasks: Tasks;
  home: string;
  inside: Inside | undefined;
  /** Does it until it is on disk. */
  written(task: string, work: () => Promise<void>): Promise<void>;
  log: RunnerDeps["log"];
};

/** Runs an order's check command where the agent worked, supervised as a run is, so that it outlives the daemon. */
export function createChecks({ tasks, home, inside, written, log }: Deps) {
  /** By the folder of the run that is checked: a task that was started again has another one. */
  const running = new Map<string, RunWatch>();

  /** What it checks was made in there: its agent may have written what the check runs. */
  const sandboxOf = (task: Task, env: Record<string, string>) => {
    const agent = agentNamed(task.order.agent);
    const program = agent && (Bun.which(agent.program, { PATH: env["PATH"] ?? "" }) ?? agent.program);
    return agent?.headless && planSandbox({ home, task, program: program ?? "", env, headless: agent.headless });
  };

  function begin(task: Task, gate: string, folder: RunFolder): void {
    const env: Record<string, string> = { ...environmentOf(home, task.id), PARLEY_HOME: home };
    const plan = { command: ["/bin/sh", "-c", gate], cwd: workdirOf(task), env, input: "" };
    makeRunFolder(folder, { ...plan, ...inSandbox(sandboxOf(task, env), env) }, {});
    launch(home, folder);
  }

  const note = (task: Task, check: Check) =>
    written(task.id, async () => {
      await tasks.change(task.id, ({ run, checked }) =>
        run === task.run && !checked ? [{ type: "task.checked", check }] : [],
      );
    });

  return {
    run(task: Task): void {
      const { gate } = task.order;
      const folder = checkFolderOf(home, task);
      if (gate === undefined || running.has(folder.path)) return;
      if (task.order.sandbox) inside?.open(task);
      try {
        if (!claimOf(folder)) begin(task, gate, folder);
      } catch (error) {
        if (task.order.sandbox) inside?.close(task);
        if (isPassing(error)) throw error;
        log("a check could not be started", { task: task.id, error: String(error) });
        return void note(task, { ok: false, code: NOT_STARTED, output: String(error) });
      }
      const watch = watchRun(folder);
      running.set(folder.path, watch);
      void watch.ended.then(async ({ code }: RunExit) => {
        const output = bothEndsOf(folder.errors, OUTPUT).trim() || bothEndsOf(folder.stream, OUTPUT).trim();
        await note(task, { ok: code === 0, code, output });
        running.delete(folder.path);
        if (task.order.sandbox) inside?.close(task);
      });
    },
    stop(): void {
      for (const watch of running.values()) watch.stop();
    },
  };
}
