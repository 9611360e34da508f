import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codexEnvironment, createCodexHome } from "../../src/agents/codex/lab/home.ts";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import type { TaskView } from "../../src/protocol/task.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { cancelTasks } from "../e2e/cancel-tasks.ts";
import { createProgram, holds, type Program, type Ran } from "../e2e/program.ts";
import { processes } from "../fault/processes.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { codexProgram } from "./codex-stage.ts";

export type CodexTaskStage = {
  program: Program;
  model: ScriptedModel;
  /** What the model says, by scenario; may be added to. */
  script: Record<string, readonly Say[]>;
  project: string;
  /** A command as a person types it in the project. */
  parley(...args: string[]): Promise<Ran>;
  /** `parley run --agent codex` with what the model shall do. */
  run(script: readonly Say[], ...args: string[]): Promise<TaskView>;
  becomes(id: string, ready: (task: TaskView) => boolean): Promise<TaskView>;
  /** The task's only open Ask, once it waits for that. */
  waits(id: string, why: NonNullable<TaskView["waitingFor"]>): Promise<AskView>;
  ask(id: string): Promise<AskView>;
  asked(id: string, state: AskView["state"]): Promise<AskView>;
  /** Kills the daemon and starts the next one. */
  restart(): Promise<void>;
  /** The app-server's own process, as soon as there is one. */
  agent(id: string): Promise<number>;
  /** Everything the model was told as a user, in one text. */
  told(): string;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real codex without a terminal, run by a Parley of its own, talking to a scripted model. */
export async function openCodexTaskStage(version: string, config = ""): Promise<CodexTaskStage> {
  const script: Record<string, readonly Say[]> = {};
  const model = createScriptedModel({ script });
  const program = createProgram();
  const { home, project } = await createCodexHome({ modelUrl: model.url, parent: program.root });
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(codexProgram(version), join(bin, "codex"));
  const settings = join(home, "parley.toml");
  writeFileSync(settings, `[tasks]\n${config}`);
  const clean = codexEnvironment(home);
  const env = { ...clean, PATH: `${bin}:${clean["PATH"]}`, PARLEY_CONFIG: settings, ...UNTIL_RECEIVED };
  const parley = (...args: string[]) => program.parley(args, { env, cwd: project });
  const client = program.client("human");
  await program.start(env);

  const running = (id: string) =>
    processes().filter(
      ({ command, env: its }) => its.includes(`PARLEY_TASK=${id}`) || command.includes(join(program.home, "tasks", id)),
    );
  const ask = (id: string) => client.call("getAsk", { id });
  const becomes: CodexTaskStage["becomes"] = (id, ready) =>
    poll(async () => [await client.call("getTask", { id })].find(ready), {
      failure: async () => {
        const log = await Bun.file(program.paths.log).text();
        return `task ${id}: ${JSON.stringify(await client.call("getTask", { id }), null, 1)}\n${log.slice(-4000)}`;
      },
    });

  return {
    program,
    model,
    script,
    project,
    parley,
    async run(says, ...args) {
      const name = `s${Object.keys(script).length + 1}`;
      script[name] = says;
      const { code, out, err } = await parley("run", `SCENARIO:${name}`, "--agent", "codex", "--json", ...args);
      if (code !== 0) throw new Error(err);
      return JSON.parse(out) as TaskView;
    },
    becomes,
    async waits(id, why) {
      const { asks } = await becomes(id, (found) => found.waitingFor === why && found.asks.length === 1);
      return ask(asks[0] ?? "");
    },
    ask,
    asked: (id, state) =>
      poll(async () => [await ask(id)].find((found) => found.state === state), {
        failure: async () => `ask ${id} did not become ${state}: ${JSON.stringify(await ask(id), null, 1)}`,
      }),
    async restart() {
      await program.kill9();
      await program.start(env);
    },
    agent: (id) =>
      poll(() => running(id).find(({ command }) => command.includes("app-server"))?.pid, {
        everyMs: 5,
        failure: () => `no agent runs for task ${id}`,
      }),
    told: () => JSON.stringify(model.requests.at(-1)),
    async [Symbol.asyncDispose]() {
      const cancelled = await cancelTasks(client);
      await holds(() => cancelled.every((id) => running(id).length === 0));
      await model.close();
      await program.dispose();
    },
  };
}
