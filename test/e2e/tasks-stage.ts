import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskView } from "../../src/protocol/task.ts";
import type { AskedQuestion } from "../web/browser.ts";
import type { Step } from "../web/scripted-agent.ts";
import { BUN, createProgram, holds, type Program, type Ran, type RunOptions } from "./program.ts";

export type TaskStage = Program & {
  /** A git repository with one commit. */
  project: string;
  /** A command typed there, with the scripted agent as `claude`. */
  type(args: string[], options?: RunOptions): Promise<Ran>;
  git(...args: string[]): string;
  /** `parley run` with these steps as its prompt. */
  run(steps: Step[], ...args: string[]): Promise<TaskView>;
  task(id: string): Promise<TaskView>;
  becomes(id: string, ready: (task: TaskView) => boolean): Promise<TaskView>;
};

export const DATABASE: AskedQuestion = {
  question: "Which database should we use?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "SQLite", description: "one file" },
    { label: "Postgres", description: "a server" },
  ],
};

/** The real program, with an agent that does what its prompt says. Contract: dispose leaves no agent behind. */
export async function createTaskStage(settings = "park_after_seconds = 86400"): Promise<TaskStage> {
  const program = createProgram();
  const [bin, project] = [join(program.root, "bin"), join(program.user, "shop")];
  for (const folder of [bin, project]) mkdirSync(folder);
  const agent = join(import.meta.dir, "../web/scripted-agent.ts");
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nexec ${BUN} ${agent} "$@"\n`);
  chmodSync(join(bin, "claude"), 0o755);
  writeFileSync(join(program.root, "config.toml"), `[tasks]\n${settings}\n`);
  // The scripted agent keeps no record: nobody waits for a receipt in vain.
  const env = {
    PATH: `${bin}:${process.env["PATH"]}`,
    PARLEY_CONFIG: join(program.root, "config.toml"),
    PARLEY_RECEIPT_MS: "300",
  };
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main"];
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", ...who, ...args], { cwd: project, env: { PATH: env.PATH, HOME: program.user } })
      .stdout.toString()
      .trim();
  git("init", "--quiet");
  writeFileSync(join(project, "readme.md"), "one\ntwo\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "start");
  await program.start(env);
  const client = program.client();
  const task = (id: string) => client.call("getTask", { id });
  const type = (args: string[], options: RunOptions = {}) =>
    program.parley(args, { cwd: project, ...options, env: { ...env, ...options.env } });

  return {
    ...program,
    project,
    git,
    type,
    task,
    async run(steps, ...args) {
      const { out, err } = await type(["run", JSON.stringify(steps), "--json", ...args]);
      if (out === "") throw new Error(err);
      return JSON.parse(out) as TaskView;
    },
    async becomes(id, ready) {
      let last: TaskView | undefined;
      const look = async () => (last = await task(id).catch(() => undefined)) !== undefined && ready(last);
      if ((await holds(look)) && last) return last;
      throw new Error(`task ${id} did not become so: ${JSON.stringify(last, null, 1)}`);
    },
    async dispose() {
      const { tasks } = await client.call("listTasks", { query: { state: "active" } });
      for (const { id } of tasks) await client.call("taskCancel", { id, body: {} });
      await program.dispose();
    },
  };
}

/** And what it waits for can be answered. */
export const isWaiting = ({ state, asks }: TaskView) => state === "waiting" && asks.length > 0;
export const isDone = ({ state }: TaskView) => state === "done";
