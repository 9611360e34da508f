import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { cancelTasks } from "../e2e/cancel-tasks.ts";
import { join } from "node:path";
import { claudeEnvironment, createClaudeHome } from "../../src/agents/claude-code/lab/home.ts";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import type { TaskView } from "../../src/protocol/task.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { BUN_COMMAND, createProgram, holds, type Program, type Ran } from "../e2e/program.ts";
import { processes, type Running } from "../fault/processes.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { programOf, type ToolQuestion } from "./stage.ts";

export type TaskStage = {
  program: Program;
  model: ScriptedModel;
  /** What the model says, by scenario; may be added to. */
  script: Record<string, readonly Say[]>;
  project: string;
  /** The agent's program, as its daemon finds it. */
  claude: string;
  /** A command as a person types it in the project. */
  parley(...args: string[]): Promise<Ran>;
  /** `parley run` with what the model shall do. */
  run(script: readonly Say[], ...args: string[]): Promise<TaskView>;
  task(id: string): Promise<TaskView>;
  becomes(id: string, ready: (task: TaskView) => boolean): Promise<TaskView>;
  /** The task's only open Ask, once it waits for that. */
  waits(id: string, why: NonNullable<TaskView["waitingFor"]>): Promise<AskView>;
  ask(id: string): Promise<AskView>;
  /** Until nothing of it runs any more and its wait goes on. */
  parks(id: string): Promise<TaskView>;
  /** What runs for this task now: its supervisor, its agent and what that started. */
  running(id: string): Running[];
  /** The agent's own process, as soon as there is one. */
  agent(id: string): Promise<number>;
  /** The agent's own record of the task's session; empty before it has one. */
  record(id: string): Promise<string>;
  /** Ends the daemon and starts another one, whose clock and whose hooks' clock is ahead by so much. */
  restart(signal: "SIGKILL" | "SIGTERM", aheadMs?: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};
type Options = { version: string; parkAfter?: number; config?: string; env?: Record<string, string> };

/** The real Claude Code without a terminal, run by a Parley of its own, talking to a scripted model. */
export async function openTaskStage({
  version,
  parkAfter = 86_400,
  config = "",
  env = {},
}: Options): Promise<TaskStage> {
  const script: Record<string, readonly Say[]> = {};
  const model = createScriptedModel({ script });
  const program = createProgram();
  const { home, project } = await createClaudeHome(undefined, program.root);
  const bin = join(home, "bin");
  mkdirSync(bin);
  const claude = join(bin, "claude");
  symlinkSync(programOf(version), claude);
  mkdirSync(join(home, ".config/parley"), { recursive: true });
  writeFileSync(join(home, ".config/parley/config.toml"), `[tasks]\npark_after_seconds = ${parkAfter}\n${config}`);
  const clean = claudeEnvironment(home, model.url);
  const whole = { ...clean, PATH: `${bin}:${clean["PATH"]}`, ...UNTIL_RECEIVED, ...env };
  const parley = (...args: string[]) => program.parley(args, { env: whole, cwd: project });
  const client = program.client("human");
  let daemon: Bun.Subprocess | undefined;
  await program.start(whole);

  const task = (id: string) => client.call("getTask", { id });
  const ask = (id: string) => client.call("getAsk", { id });
  const running = (id: string) =>
    processes().filter(
      ({ command, env: its }) => its.includes(`PARLEY_TASK=${id}`) || command.includes(join(program.home, "tasks", id)),
    );
  const becomes: TaskStage["becomes"] = (id, ready) =>
    poll(async () => [await task(id)].find(ready), {
      failure: async () => `task ${id} did not become so: ${JSON.stringify(await task(id), null, 1)}`,
    });

  async function close(): Promise<void> {
    const cancelled = await cancelTasks(client);
    await holds(() => cancelled.every((id) => running(id).length === 0));
    daemon?.kill("SIGTERM");
    await daemon?.exited;
    await model.close();
    await program.dispose();
  }

  return {
    program,
    model,
    script,
    project,
    claude,
    parley,
    async run(says, ...args) {
      const name = `s${Object.keys(script).length + 1}`;
      script[name] = says;
      const { code, out, err } = await parley("run", `SCENARIO:${name}`, "--json", ...args);
      if (code !== 0) throw new Error(err);
      return JSON.parse(out) as TaskView;
    },
    task,
    becomes,
    async waits(id, why) {
      const { asks } = await becomes(id, (found) => found.waitingFor === why && found.asks.length === 1);
      return ask(asks[0] ?? "");
    },
    ask,
    async parks(id) {
      const parked = await becomes(id, (found) => found.state === "waiting" && found.parked);
      if (!(await holds(() => running(id).length === 0))) throw new Error(`task ${id} is parked and still runs`);
      return parked;
    },
    running,
    agent: (id) =>
      poll(() => running(id).find(({ command }) => command.includes("--output-format"))?.pid, {
        everyMs: 5,
        failure: () => `no agent runs for task ${id}`,
      }),
    async record(id) {
      const { session = "" } = await task(id);
      const folder = join(home, ".claude/projects");
      const [path] = existsSync(folder) ? new Bun.Glob(`*/${session}.jsonl`).scanSync(folder) : [];
      return path === undefined ? "" : readFileSync(join(folder, path), "utf8");
    },
    async restart(signal, aheadMs = 0) {
      await (signal === "SIGKILL" ? program.kill9() : program.terminate());
      writeFileSync(join(program.root, "clock"), String(aheadMs));
      const [bun = "", ...rest] = BUN_COMMAND;
      const shifted = [bun, `--preload=${join(import.meta.dir, "../fault/shifted-clock.ts")}`, ...rest];
      daemon = Bun.spawn([...shifted, "serve"], {
        cwd: program.user,
        env: { ...whole, PARLEY_HOME: program.home, PARLEY_PORT: "0" },
        stdio: ["ignore", "ignore", "ignore"],
      });
      if (!(await holds(async () => (await parley("status")).code === 0))) throw new Error("no daemon came back");
      // Written by the daemon when it starts; its hooks live two days later too.
      const exports = `export PARLEY_HOME='${program.home}' PARLEY_PARENT=$PPID`;
      const words = shifted.map((part) => `'${part}'`).join(" ");
      writeFileSync(program.paths.program, `#!/bin/sh\n${exports}\nexec ${words} "$@"\n`);
      chmodSync(program.paths.program, 0o700);
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The model asks; the call has this id. */
export const asks = (id: string, ...questions: ToolQuestion[]) => ({
  tool: "AskUserQuestion",
  id,
  input: { questions },
});
