// What tasks that wait cost: nothing runs for them, and looking at them is quick.
import { readdirSync, readFileSync } from "node:fs";
import { agentNamed } from "../src/agents/agents.ts";
import { PARKED } from "../src/core/ask/ask-state.ts";
import type { AskEvent } from "../src/core/ask/event.ts";
import { makeId } from "../src/core/id.ts";
import type { TaskEvent } from "../src/core/task/task.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import { payloadsOf, recording } from "../test/recorded.ts";
import { atMost, median, ms, type Part, percentile, type Row } from "./row.ts";
import { BUN, buildInstalled, cpuMs, INSTALLED, openStage, residentKb, type Stage } from "./stage.ts";

const TASKS = 500;
const RUNS = 30;
const WARM_UP = 3;
const REST_MS = 11_000;
const TIMES_LS = 1.5;

export const tasks: Part = {
  name: "tasks",
  about: `${TASKS} tasks that wait for an answer without a process`,
  notes: [
    `Tasks: ${TASKS} tasks, each parked with an open question, written as the daemon writes them. Processes: all of the machine with this home in their environment, besides the daemon. Memory and processor time of the daemon beside one without tasks, after ten seconds of rest. \`parley tasks\`: wall time of the process as npm installs it, in turns with \`parley ls\` of the same inbox, ${RUNS} runs after ${WARM_UP}.`,
  ],
  async run(say) {
    buildInstalled();
    const [none, many] = [await measure(0, say), await measure(TASKS, say)];
    const shown = (times: readonly number[]) => `${ms(median(times))} / ${ms(percentile(times, 0.95))}`;
    return [
      {
        what: `${TASKS} parked tasks: processes besides the daemon`,
        measured: String(many.processes),
        aim: "0",
        met: many.processes === 0,
      },
      {
        what: "the same: memory of the daemon",
        measured: `${(many.memoryKb / 1024).toFixed(0)} MB`,
        beside: `without tasks: ${(none.memoryKb / 1024).toFixed(0)} MB`,
      },
      {
        what: "the same: processor time of the daemon at rest",
        measured: `${many.busy.toFixed(1)} % of a core`,
        beside: `without tasks: ${none.busy.toFixed(1)} %`,
      },
      {
        what: "the same: `parley tasks` (p50 / p95)",
        measured: shown(many.list),
        beside: `\`parley ls\`: ${shown(many.ls)} · without tasks: ${shown(none.list)} · empty Bun: ${shown(many.empty)}`,
        aim: `≤ ${TIMES_LS} × ls`,
        ...atMost(median(many.list), TIMES_LS * median(many.ls)),
      },
    ] satisfies Row[];
  },
};

async function measure(count: number, say: (progress: string) => void) {
  const stage = await openStage();
  try {
    say(`${count} parked tasks`);
    await park(stage, count);
    await stage.start();
    const empty = `${stage.root}/empty.ts`;
    await Bun.write(empty, "");
    const [list = [], ls = []] = times(
      [
        [...INSTALLED, "tasks"],
        [...INSTALLED, "ls"],
      ],
      stage,
      count,
    );
    say("at rest");
    await Bun.sleep(2000);
    const from = cpuMs(stage.pid());
    await Bun.sleep(REST_MS);
    return {
      list,
      ls,
      empty: times([[...BUN, empty]], stage, -1)[0] ?? [],
      busy: (100 * (cpuMs(stage.pid()) - from)) / REST_MS,
      memoryKb: residentKb(stage.pid()),
      processes: othersOf(stage),
    };
  } finally {
    await stage.dispose();
  }
}

async function park({ paths }: Stage, count: number): Promise<void> {
  const store = openSqlite(paths.database);
  const id = () => makeId(crypto.getRandomValues(new Uint8Array(16)));
  const at = Date.now() - 3_600_000;
  for (let n = 0; n < count; n++) {
    const [task, session, key] = [id(), crypto.randomUUID(), `toolu_${n}`];
    const order = { prompt: `Mend part ${n}`, name: `part ${n}`, agent: "claude-code", cwd: paths.home, priority: 0 };
    const usage = { turns: 4, inputTokens: 21_000, outputTokens: 900, costUsd: 0.12 };
    const waits: TaskEvent[] = [
      { type: "task.created", order: { ...order, worktree: false, review: false } },
      { type: "task.started", session, start: { how: "prompt" } },
      { type: "task.waiting", for: "question" },
      { type: "task.stopped", usage, end: { ok: true, code: 0, deferred: key } },
    ];
    await store.append({ at: at + n, task: { id: task, expected: 0, events: waits } });
    await store.append({ at: at + n, ask: { id: id(), expected: 0, events: asked(task, session, key) } });
  }
  await store.close();
}

const reading = agentNamed("claude-code")?.hooks?.read(
  payloadsOf(recording("2.1.325", "answered-by-hook"), "PreToolUse")[0],
);

function asked(task: string, session: string, key: string): AskEvent[] {
  if (reading?.type !== "asked") throw new Error("the recorded question cannot be read");
  const origin = { agent: "claude-code", session, task, project: "bench" };
  const hold = `hold-${key}`;
  return [
    { type: "ask.captured", kind: "question", questions: reading.questions, origin, key, channel: "hold" },
    { type: "ask.held", key, hold, channel: "hold", racing: false },
    { type: "ask.released", key, hold, reason: PARKED },
  ];
}

/** In turns. Contract: the first one's list has a line for each task, or this is no measurement. */
function times(commands: string[][], { env }: Stage, rows: number): number[][] {
  const taken: number[][] = commands.map(() => []);
  for (let round = 0; round < RUNS + WARM_UP; round++)
    for (const [i, command] of commands.entries()) {
      const since = performance.now();
      const { exitCode, stdout } = Bun.spawnSync(command, { env, stderr: "inherit" });
      const ms = performance.now() - since;
      const waiting = stdout.toString().split("waiting: question").length - 1;
      if (exitCode !== 0 || (i === 0 && rows > 0 && waiting !== rows))
        throw new Error(`${waiting} of ${rows} tasks are listed`);
      if (round >= WARM_UP) taken[i]?.push(ms);
    }
  return taken;
}

function othersOf({ paths, pid }: Stage): number {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== pid() && Number(name) !== process.pid)
    .filter((name) => environmentOf(name).includes(`PARLEY_HOME=${paths.home}\0`)).length;
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
