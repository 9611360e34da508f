import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { signal } from "../../src/lab/process-tree.ts";
import { cancelTasks } from "./cancel-tasks.ts";
import { join } from "node:path";
import { type Client, createClient } from "../../src/client/client.ts";
import { ParleyError } from "../../src/core/error.ts";
import type { TaskView } from "../../src/protocol/task.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { isAlive, processesWith } from "../../src/machine/process/process.ts";
import { supervisorOf } from "../../src/runner/run/claim.ts";
import { agentOf, pathOfRun, runFolder } from "../../src/runner/run/run-folder.ts";
import { BUN, createProgram, holds, type Program } from "./program.ts";
import { PATIENCE_MS } from "../../src/lab/poll.ts";
import type { AskedQuestion, Entry, Place, Step } from "./task-agent.ts";

export type TaskScene = Program & {
  [Symbol.asyncDispose](): Promise<void>;
  project: string;
  /** A task whose agent does this. */
  give(steps: Step[], order?: object): Promise<string>;
  task(id: string): Promise<TaskView>;
  becomes(id: string, ready: (task: TaskView) => boolean): Promise<TaskView>;
  /** The one open Ask of a task, once there is one. */
  asked(id: string): Promise<AskView>;
  /** The Ask with the option of this label picked. */
  pick(id: string, label: string, note?: string): Promise<AskView>;
  ask(id: string): Promise<AskView>;
  /** What its agents noted, of all their processes. */
  journal(): Entry[];
  events: Client["events"];
  /** Agents stay at this place from now on; `reached` resolves when one is there, `go` lets it and all others go on. */
  stay(place: Place): { reached(): Promise<void>; go(): void };
  /** The agents that run for this task, once they are so many. */
  alone(id: string, wanted?: number): Promise<number[]>;
  /** SIGKILL to these processes of the task's run; whether one was there besides the daemon. */
  strike(id: string, who: readonly ("agent" | "supervisor" | "daemon")[]): Promise<boolean>;
};

export const QUESTION: AskedQuestion = {
  question: "Which database?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "SQLite", description: "one file" },
    { label: "Postgres", description: "a server" },
  ],
};

/** The real program with a scripted headless agent as `claude`. */
export async function openTaskScene(
  settings: string,
  env: Record<string, string> = {},
  program = createProgram(),
): Promise<TaskScene> {
  const [bin, project] = [join(program.root, "bin"), join(program.user, "shop")];
  for (const folder of [bin, project]) mkdirSync(folder, { recursive: true });
  // A copy: what is changed here while it runs changes nothing for it.
  const agent = join(bin, "task-agent.ts");
  copyFileSync(join(import.meta.dir, "task-agent.ts"), agent);
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nexec ${BUN} ${agent} "$@"\n`);
  chmodSync(join(bin, "claude"), 0o755);
  // Where a daemon that an agent's hook starts finds it too.
  mkdirSync(join(program.user, ".config/parley"), { recursive: true });
  writeFileSync(join(program.user, ".config/parley/config.toml"), `[tasks]\n${settings}\n`);
  const all = { PATH: `${bin}:${process.env["PATH"]}`, ...env };
  const start = (more: Record<string, string> = {}) => program.start({ ...all, ...more });
  await start();
  // It would start a daemon with this process's environment.
  const client = createClient(program.paths, { wakes: false });
  const call = <T>(work: () => Promise<T>) => patiently(work, start);
  const task = (id: string) => call(() => client.call("getTask", { id }));

  const scene: TaskScene = {
    ...program,
    start,
    project,
    events: client.events,
    task,
    async give(steps, order = {}) {
      const environment = { PATH: all.PATH, HOME: program.user, ...env };
      const body = { prompt: JSON.stringify(steps), name: "it", cwd: project, environment, ...order };
      const idempotencyKey = crypto.randomUUID();
      return (await call(() => client.call("createTask", { body, idempotencyKey }))).id;
    },
    async becomes(id, ready) {
      let last: TaskView | undefined;
      if ((await holds(async () => ready((last = await task(id))))) && last) return last;
      throw new Error(`task ${id} did not become so: ${JSON.stringify(last, null, 1)}`);
    },
    async asked(id) {
      const { asks } = await scene.becomes(id, (found) => found.state === "waiting" && found.asks.length === 1);
      return scene.ask(asks[0] ?? "");
    },
    ask: (id) => call(() => client.call("getAsk", { id })),
    async pick(id, label, note) {
      const { questions } = await scene.ask(id);
      const picks = [questions[0]?.options.findIndex((option) => option.label === label) ?? -1];
      const answers = [{ picks, ...(note !== undefined && { note }) }];
      const idempotencyKey = crypto.randomUUID();
      return call(() => client.call("settleAsk", { id, body: { action: "answer", answers }, idempotencyKey }));
    },
    journal() {
      const file = join(program.user, "journal.ndjson");
      if (!existsSync(file)) return [];
      // The last line may still be in the middle of being written.
      const lines = readFileSync(file, "utf8").split("\n").slice(0, -1).filter(Boolean);
      return lines.map((line) => JSON.parse(line) as Entry);
    },
    stay(place) {
      const [wanted, there] = [join(program.user, `stay-${place}`), join(program.user, `at-${place}`)];
      rmSync(there, { force: true });
      writeFileSync(wanted, "");
      return {
        async reached() {
          if (!(await holds(() => existsSync(there)))) throw new Error(`no agent came to "${place}"`);
        },
        go: () => rmSync(wanted, { force: true }),
      };
    },
    async alone(id, wanted = 1) {
      const agents = () =>
        processesWith(`PARLEY_TASK=${id}`)
          .filter(isAlive)
          .map(({ pid }) => pid)
          .filter((pid) => commandOf(pid).includes("task-agent.ts"));
      // What was seen: the next moment one may have done its work.
      let seen: number[] = [];
      await holds(() => (seen = agents()).length === wanted);
      return seen;
    },
    async strike(id, who) {
      const { run } = await task(id);
      const folder = runFolder(pathOfRun(program.home, id, run));
      if (who.includes("daemon")) await program.kill9();
      const struck = [who.includes("supervisor") && supervisorOf(folder), who.includes("agent") && agentOf(folder)];
      const living = struck.filter((each) => each !== undefined && each !== false).filter(isAlive);
      for (const { pid } of living) signal(pid, "SIGKILL");
      return living.length > 0;
    },
    async dispose() {
      await call(() => cancelTasks(client));
      await program.dispose();
    },
    [Symbol.asyncDispose]: () => scene.dispose(),
  };
  return scene;
}

export const isWaiting = (reason: string) => (task: TaskView) => task.state === "waiting" && task.waitingFor === reason;
export const isParked = (task: TaskView) => task.state === "waiting" && task.parked;
export const isIn = (state: string) => (task: TaskView) => task.state === state;
export const events = (journal: readonly Entry[]) => journal.map(({ event }) => event);

function commandOf(pid: number): string {
  return Bun.spawnSync(["ps", "-ww", "-o", "command=", "-p", String(pid)]).stdout.toString();
}

/** Through deaths of the daemon; the next one gets the environment of the first. */
async function patiently<T>(work: () => Promise<T>, start: () => Promise<void>): Promise<T> {
  for (const until = performance.now() + PATIENCE_MS; ;) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof ParleyError && error.code === "daemon_unreachable";
      if ((error instanceof ParleyError && !isAway) || performance.now() > until) throw error;
      await start().catch(() => undefined);
    }
  }
}
