import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import type { LogEvent } from "../../../src/core/ask/event.ts";
import { ParleyError } from "../../../src/core/error.ts";
import { makePrivateDir } from "../../../src/machine/file/private-dir.ts";
import { signal } from "../../../src/lab/process-tree.ts";
import type { TaskView } from "../../../src/protocol/task.ts";
import type { AskView } from "../../../src/protocol/view.ts";
import { question } from "../../e2e/api-request.ts";
import { COMMAND, createProgram, holds, type Program } from "../../e2e/program.ts";
import type { Step } from "../../e2e/task-agent.ts";
import { processes } from "../processes.ts";
import { labelOf } from "../truth.ts";
import { createDisk, type Names, namesBelow, type Random } from "./disk.ts";
import { type DiskOp, readDiskLog } from "./log.ts";
import { placeIn, type Recorder } from "./recorder.ts";

/** What the daemon says after the cut. */
export type After = { asks: AskView[]; tasks: TaskView[] };
/** Something that was asked of Parley at `from` and acknowledged at `to`, places in the log of the disk. */
export type Promised = {
  kind: "ask" | "answer" | "withdrawal" | "task" | "cancellation";
  what: string;
  from: number;
  to: number;
  holds(after: After): boolean;
};
export type Heard = { at: number; event: LogEvent };
export type Recording = {
  program: Program;
  env: Record<string, string>;
  base: Names;
  ops: DiskOp[];
  promised: Promised[];
  heard: Heard[];
};
export type RecordPlan = { actions: number; tasks: boolean; random: Random; command?: string[] };

const AT_ONCE = 3;

/** A Parley of its own at work, everything that it does to its disk and everything that it promises. It is ended afterwards. */
export async function record(recorder: Recorder, { actions, tasks, random, command }: RecordPlan): Promise<Recording> {
  const program = createProgram();
  const kept = mkdtempSync(join(tmpdir(), "parley-disk-"));
  const log = join(kept, "log");
  try {
    const env = furnish(program);
    makePrivateDir(program.home);
    writeFileSync(program.paths.log, "", { mode: 0o600 });
    const base = namesBelow(program.root);
    await recorder.start(program, log, env, command);
    const [promised, heard] = await work(program, { actions, tasks, random, log, env });
    await stopAll(program.home);
    await endAll(program.home);
    const ops = readDiskLog(log);
    checkFaithful(program.root, base, ops);
    return { program, env, base, ops, promised, heard };
  } catch (error) {
    await endAll(program.home);
    rmSync(program.root, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(kept, { recursive: true, force: true });
  }
}

/** A call that the recorder did not see would make every cut a fairy tale. */
function checkFaithful(root: string, base: Names, ops: readonly DiskOp[]): void {
  const disk = createDisk(root, base);
  for (const op of ops) disk.take(op);
  const wrong = disk.differences(namesBelow(root));
  if (wrong.length > 0) throw new Error(`not as recorded: ${wrong.join(", ")}`);
}

/** Stopped, nothing is between what is in the log and what is on the disk: a call that was begun is done. */
async function stopAll(home: string): Promise<void> {
  await holds(() => {
    const running = workersOf(home);
    for (const { pid } of running) signal(pid, "SIGSTOP");
    return running.every(({ pid }) => threadsOf(pid).every((state) => state === "T"));
  });
}

const workersOf = (home: string) =>
  processes().filter(({ env, command }) => env.includes(`PARLEY_HOME=${home}`) && !command.includes("/recorder "));

function threadsOf(pid: number): string[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8").split(") ").at(-1)?.[0] ?? "T");
  } catch {
    // It has ended.
    return [];
  }
}

/** Everything of this home, at once, as when the power goes. */
export async function endAll(home: string): Promise<void> {
  const left = () => processes().filter(({ env }) => env.includes(`PARLEY_HOME=${home}`));
  const isOver = await holds(() => {
    const running = left();
    // Without the recorder, whom it serves would get errors; it ends with the last of them.
    for (const { pid, command } of running) if (!command.includes("/recorder ")) signal(pid, "SIGKILL");
    return running.length === 0;
  });
  if (!isOver) throw new Error(`left behind: ${JSON.stringify(left().map(({ command }) => command))}`);
}

/** A project with git, and an agent that does what its prompt says. */
function furnish({ root, user }: Program): Record<string, string> {
  const [bin, project] = [join(root, "bin"), join(user, "shop")];
  for (const folder of [bin, project, join(user, ".config/parley")]) mkdirSync(folder, { recursive: true });
  const agent = join(import.meta.dir, "../../e2e/task-agent.ts");
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nexec ${COMMAND[0]} ${agent} "$@"\n`);
  chmodSync(join(bin, "claude"), 0o755);
  writeFileSync(
    join(user, ".config/parley/config.toml"),
    "[tasks]\npark_after_seconds = 0\n[notify.desktop]\nenabled = false\n",
  );
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  for (const args of [
    ["init", "--quiet"],
    ["commit", "--quiet", "--allow-empty", "--message", "start"],
  ])
    Bun.spawnSync(["git", ...who, ...args], { cwd: project, env: { ...env, HOME: user } });
  return env;
}

type Work = Omit<RecordPlan, "command"> & { log: string; env: Record<string, string> };

async function work(program: Program, { actions, tasks, random, log, env }: Work): Promise<[Promised[], Heard[]]> {
  const promised: Promised[] = [];
  const heard: Heard[] = [];
  const asks: AskView[] = [];
  const given: string[] = [];
  const [client, agent] = (["human", "agent"] as const).map((as) => createClient(program.paths, { as, wakes: false }));
  if (!client || !agent) throw new Error("no client");
  const over = new AbortController();
  const following = (async () => {
    for await (const event of client.events(0, over.signal)) heard.push({ at: placeIn(log), event });
  })().catch(() => undefined);

  async function promise<T>(
    kind: Promised["kind"],
    what: string,
    done: () => Promise<T>,
    isThere: (result: T) => Promised["holds"],
  ): Promise<T | undefined> {
    const from = placeIn(log);
    try {
      const result = await done();
      promised.push({ kind, what, from, to: placeIn(log), holds: isThere(result) });
      return result;
    } catch (error) {
      // Somebody else was first.
      if (error instanceof ParleyError && error.code === "already_settled") return undefined;
      throw error;
    }
  }

  const pick = <T>(all: T[]): T | undefined => all.splice(Math.floor(random() * all.length), 1)[0];

  async function ask(i: number): Promise<void> {
    const text = `Question ${i} ${"x".repeat(random() * 3000)}?`;
    const body = { questions: [{ ...question(), question: text }] };
    const isThere = () => (after: After) => after.asks.some(({ questions }) => questions[0]?.text === text);
    const made = await promise("ask", `question ${i}`, () => agent!.call("createAsk", { body }), isThere);
    if (made) asks.push(made);
  }

  async function settle(declines: boolean): Promise<void> {
    const found = pick(asks);
    if (!found) return;
    const { id } = found;
    const place = random() < 0.5 ? 0 : 1;
    const body = declines
      ? { action: "decline" as const }
      : { action: "answer" as const, answers: [{ picks: [place] }] };
    const label = declines ? "declined" : found.questions[0]?.options[place]?.label;
    const isThere = () => (after: After) => {
      const ask = after.asks.find((each) => each.id === id);
      return ask?.outcome !== undefined && labelOf(ask, ask.outcome) === label;
    };
    await promise("answer", `${label} to ${id}`, () => client!.call("settleAsk", { id, body }), isThere);
  }

  async function withdraw(): Promise<void> {
    const found = pick(asks);
    if (!found) return;
    const isThere = () => (after: After) => after.asks.find(({ id }) => id === found.id)?.outcome?.type === "withdrawn";
    await promise("withdrawal", found.id, () => agent!.call("withdrawAsk", { id: found.id }), isThere);
  }

  async function give(i: number): Promise<void> {
    const asked = { ...question(), question: `Task question ${i}?` };
    const steps: Step[] = random() < 0.5 ? [{ ask: [asked] }, { say: "Done." }] : [{ say: "Done." }];
    const environment = { ...env, HOME: program.user };
    const body = {
      prompt: JSON.stringify(steps),
      name: `task ${i}`,
      cwd: join(program.user, "shop"),
      worktree: random() < 0.3,
      environment,
    };
    const isThere =
      ({ id }: TaskView) =>
      (after: After) =>
        after.tasks.some((task) => task.id === id);
    const made = await promise("task", `task ${i}`, () => client!.call("createTask", { body }), isThere);
    if (made) given.push(made.id);
  }

  async function cancel(): Promise<void> {
    const id = pick(given);
    if (id === undefined) return;
    const isThere = (result: TaskView) => (after: After) =>
      after.tasks.find((task) => task.id === id)?.state === result.state;
    await promise("cancellation", id, () => client!.call("taskCancel", { id, body: {} }), isThere);
  }

  let next = 0;
  const one = async () => {
    while (next < actions) {
      const i = next++;
      const fate = random();
      if (tasks && i % 12 === 3) await give(i);
      else if (tasks && i % 24 === 20) await cancel();
      else if (asks.length === 0 || fate < 0.45) await ask(i);
      else if (fate < 0.85) await settle(fate > 0.78);
      else await withdraw();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  over.abort();
  await following;
  return [promised, heard];
}
