import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { cancelTasks } from "../e2e/cancel-tasks.ts";
import { join } from "node:path";
import type { TaskView } from "../../src/protocol/task.ts";
import { BUN, holds } from "../e2e/program.ts";
import { processes } from "../fault/processes.ts";
import type { Web } from "./browser.ts";
import type { Step } from "./scripted-agent.ts";

export type TaskWeb = Web & {
  project: string;
  /** What its daemon is started with. */
  env: Record<string, string>;
  run(name: string, steps: Step[], more?: object): Promise<TaskView>;
  task(id: string): Promise<TaskView>;
  becomes(id: string, ready: (task: TaskView) => boolean): Promise<TaskView>;
};

/** A daemon whose `claude` is the scripted agent, and tasks for it. Contract: leaves no agent behind. */
export async function withTasks(web: Web, config = "limit = 100\n"): Promise<TaskWeb> {
  const { program } = web;
  const [bin, project, settings] = ["bin", "shop", "config.toml"].map((name) => join(program.root, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(bin);
  mkdirSync(project);
  writeFileSync(settings, `[tasks]\npark_after_seconds = 86400\n${config}`);
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nexec ${BUN} ${join(import.meta.dir, "scripted-agent.ts")} "$@"\n`);
  chmodSync(join(bin, "claude"), 0o755);
  await program.terminate();
  const env = { PATH: `${bin}:${process.env["PATH"]}`, PARLEY_CONFIG: settings };
  await program.start(env);
  const client = program.client();
  const task = (id: string) => client.call("getTask", { id });
  return {
    ...web,
    project,
    env,
    run: (name, steps, more = {}) =>
      client.call("createTask", { body: { prompt: JSON.stringify(steps), name, cwd: project, ...more } }),
    task,
    async becomes(id, ready) {
      let last: TaskView | undefined;
      if ((await holds(async () => ready((last = await task(id))))) && last) return last;
      throw new Error(`task ${id} did not become so: ${JSON.stringify(last, null, 1)}`);
    },
    async [Symbol.asyncDispose]() {
      const cancelled = await cancelTasks(client);
      const runs = () => processes().some(({ env }) => cancelled.some((id) => env.includes(`PARLEY_TASK=${id}`)));
      if (!(await holds(() => !runs()))) throw new Error("an agent goes on after its task was cancelled");
    },
  };
}
