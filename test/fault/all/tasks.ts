import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../../src/core/error.ts";
import { openSqlite } from "../../../src/store/sqlite/open.ts";
import { openTaskScene, QUESTION, type TaskScene } from "../../e2e/task-scene.ts";
import { createRepository } from "../../git-repository.ts";
import { createProgram, holds } from "../../e2e/program.ts";
import type { Random } from "../power/disk.ts";
import { labelOf, notReplayed } from "../truth.ts";
import { type Area, nothing, type Round } from "./area.ts";
import { type Heard, judgeRecords, linesOf } from "./heard.ts";
import { strikeAt, strikeDaemon, type Victim } from "./strike.ts";

const SETTINGS = "park_after_seconds = 0\napproval_wait_seconds = 1\nretry_backoff_seconds = 1";
const RM = { call: "Bash", input: { command: "rm -r build" } };
const EVENTS = new Set([
  "task.created",
  "task.started",
  "ask.captured",
  "ask.held",
  "task.waiting",
  "ask.released",
  "task.stopped",
  "ask.settled",
  "ask.sent",
  "ask.verified",
  "task.used",
]);

/** What a person says, whatever they are asked: to the agent's question, to its call, and to what becomes of a run that died. */
const SAID = ["Postgres", "Approve", "Retry"];
const [TASKS, STRIKES, SHARE] = [4, 16, 0.35];

/**
 * Tasks that ask, are parked, answered and resumed, in a worktree or not, while the daemon, their supervisors and their agents die
 * at their events. No session hears its answer or its leave twice, or does twice what it was allowed; the last one did all of it.
 */
export const tasks: Area = {
  name: "tasks",
  share: 16,
  async play(random) {
    const round = nothing();
    const program = createProgram();
    createRepository(`${program.user}/shop`, { "README.md": "# A shop\n" });
    await using scene = await openTaskScene(SETTINGS, {}, program);
    const [over, known] = [new AbortController(), [] as string[]];
    const struck = { round, signal: over.signal, most: STRIKES, victim: victims(scene, random, known) };
    const striking = strikeAt(scene, ({ type }) => EVENTS.has(type) && random() < SHARE, struck);
    const steps = [{ ask: [QUESTION] }, RM, { say: "Done." }];
    const ids = await Promise.all(
      Array.from({ length: TASKS }, (_, i) => scene.give(steps, { name: `task ${i}`, worktree: random() < 0.3 })),
    );
    known.push(...ids);
    const said: { id: string; label: string }[] = [];
    await Promise.all(ids.map((id) => attend(scene, id, said))).catch((error: Error) =>
      round.untrue.push(error.message),
    );
    over.abort();
    await striking;
    await look(scene, ids, said, round);
    return round;
  },
};

/** Mostly the daemon; else the supervisor or the agent of the run that the event is about, or of any. */
function victims(scene: TaskScene, random: Random, known: readonly string[]): Victim {
  return async (event) => {
    const who = random();
    const task = event.task ?? known[Math.floor(random() * known.length)];
    if (who < 0.6 || task === undefined) return strikeDaemon(scene);
    const victim = who < 0.8 ? "supervisor" : "agent";
    return (await scene.strike(task, [victim])) ? victim : undefined;
  };
}

/** Answers whatever the task asks until it is done. */
async function attend(scene: TaskScene, id: string, said: { id: string; label: string }[]): Promise<void> {
  let last = "";
  const isDone = await holds(async () => {
    const task = await scene.task(id);
    last = JSON.stringify(task);
    for (const ask of task.asks) {
      const { questions, outcome } = await scene.ask(ask);
      const label = SAID.find((each) => questions[0]?.options.some((option) => option.label === each));
      if (outcome || label === undefined) continue;
      const isTaken = await scene.pick(ask, label).then(() => true, isLate);
      if (isTaken) said.push({ id: ask, label });
    }
    return task.state === "done";
  });
  if (!isDone) throw new Error(`task ${id} did not come to its end: ${last}`);
}

/** What was asked was withdrawn meanwhile: its agent died. */
function isLate(error: unknown): false {
  if (error instanceof ParleyError && error.code === "already_settled") return false;
  throw error;
}

async function look(
  scene: TaskScene,
  ids: string[],
  said: { id: string; label: string }[],
  round: Round,
): Promise<void> {
  const journal = scene.journal();
  await scene.kill9();
  const store = openSqlite(scene.paths.database);
  try {
    const [asks, events] = await Promise.all([store.list({ limit: 1000 }), store.events({ limit: 100_000 })]);
    round.asks = asks.length;
    round.answers = said.length;
    for (const { id, label } of said) {
      const ask = asks.find((each) => each.id === id);
      if (!ask?.outcome || labelOf(ask, ask.outcome) !== label) round.lost.push(`${id}: ${label} was acknowledged`);
    }
    for (const id of ids) {
      const sessions = new Set(journal.flatMap(({ task, session }) => (task === id ? [session] : [])));
      const answered = said.flatMap(({ id: ask, label }) =>
        label === "Postgres" ? asks.filter((each) => each.id === ask && each.origin.task === id) : [],
      );
      const found = judgeRecords(
        id,
        [...sessions].map((session) => recordOf(scene, session)),
        answered,
      );
      round.lost.push(...found.lost);
      round.doubled.push(...found.doubled);
    }
    round.untrue.push(...(await store.problems()), ...notReplayed(asks, events));
  } finally {
    await store.close();
  }
  await scene.start();
}

/** What the agent of a session wrote down; one that was killed first wrote nothing. */
function recordOf({ user }: TaskScene, session: string): Heard {
  const path = join(user, "records", `${session}.jsonl`);
  return { session, lines: existsSync(path) ? linesOf(readFileSync(path, "utf8")) : [] };
}
