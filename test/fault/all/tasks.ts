import { readRegistration } from "../../../src/machine/registration.ts";
import { isAlive } from "../../../src/machine/process.ts";
import { openSqlite } from "../../../src/store/sqlite/open.ts";
import { isIn, openTaskScene, QUESTION, type TaskScene } from "../../e2e/task-scene.ts";
import { labelOf, notReplayed } from "../truth.ts";
import { type Area, killed, nothing, type Round } from "./area.ts";

const SETTINGS = "park_after_seconds = 0\napproval_wait_seconds = 1\nretry_backoff_seconds = 1";
const RM = { call: "Bash", input: { command: "rm -r build" } };
const EVENTS = [
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
];

/**
 * Tasks that ask, are parked, answered and resumed, in a worktree or not, while the daemon dies at their events. Each agent hears
 * its answer and its leave once, does what it was allowed once, and its task ends.
 */
export const tasks: Area = {
  name: "tasks",
  async play(random) {
    const round = nothing();
    await using scene = await openTaskScene(SETTINGS);
    const strikes = Array.from({ length: 4 }, () => EVENTS[Math.floor(random() * EVENTS.length)] ?? "");
    const over = new AbortController();
    const striking = strikeAt(scene, strikes, round, over.signal);
    const steps = [{ ask: [QUESTION] }, RM, { say: "Done." }];
    const ids = await Promise.all(
      [0, 1].map((i) => scene.give(steps, { name: `task ${i}`, worktree: random() < 0.3 })),
    );
    const said: { id: string; label: string }[] = [];
    await Promise.all(
      ids.map(async (id) => {
        for (const label of ["Postgres", "Approve"]) {
          const ask = await scene.asked(id);
          await scene.pick(ask.id, label);
          said.push({ id: ask.id, label });
        }
        await scene.becomes(id, isIn("done"));
      }),
    ).catch((error: Error) => round.untrue.push(error.message));
    over.abort();
    await striking;
    await look(scene, ids, said, round);
    return round;
  },
};

/** One after the other: each the first time that such an event is heard after the strike before. */
async function strikeAt(scene: TaskScene, types: string[], round: Round, signal: AbortSignal): Promise<void> {
  let last = 0;
  while (!signal.aborted && types.length > 0)
    try {
      for await (const event of scene.events(last, signal)) {
        last = event.seq;
        if (event.type !== types[0]) continue;
        types.shift();
        const daemon = readRegistration(scene.paths)?.process;
        if (!daemon || !isAlive(daemon)) continue;
        process.kill(daemon.pid, "SIGKILL");
        killed(round, "daemon");
        break;
      }
    } catch {
      // It is away: it comes back with the next one who needs it.
      await Bun.sleep(50);
    }
}

async function look(
  scene: TaskScene,
  ids: string[],
  said: { id: string; label: string }[],
  round: Round,
): Promise<void> {
  const journal = scene.journal();
  for (const id of ids) {
    const of = (event: string) => journal.filter((entry) => entry.task === id && entry.event === event).length;
    for (const event of ["prompt", "answer", "ran"])
      if (of(event) > 1) round.doubled.push(`task ${id}: ${event} ${of(event)} times`);
      else if (of(event) === 0) round.lost.push(`task ${id}: no ${event}`);
  }
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
    round.untrue.push(...(await store.problems()), ...notReplayed(asks, events));
  } finally {
    await store.close();
  }
  await scene.start();
}
