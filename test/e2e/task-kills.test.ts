import { expect, test } from "bun:test";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { readRegistration } from "../../src/machine/home.ts";
import { isAlive, processesWith } from "../../src/machine/process/process.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { fewOf } from "../cases.ts";
import { holds } from "./program.ts";
import { events, isIn, isParked, isWaiting, openTaskScene, QUESTION, type TaskScene } from "./task-scene.ts";

const RM = { call: "Bash", input: { command: "rm -r build" } };
const QUICK = "park_after_seconds = 0\napproval_wait_seconds = 1\nretry_backoff_seconds = 1";

/** SIGKILL to the daemon right after the nth event of this kind becomes visible. */
async function strikeAt(scene: TaskScene, type: string, nth: number): Promise<void> {
  const over = new AbortController();
  let seen = 0;
  for await (const event of scene.events(0, over.signal)) {
    if (event.type !== type || ++seen < nth) continue;
    const daemon = readRegistration(scene.paths)?.process;
    if (daemon && isAlive(daemon)) process.kill(daemon.pid, "SIGKILL");
    return over.abort();
  }
}

/** The same kind of event comes again in later runs: those without a mark are played in the soak. */
const POINTS: [type: string, nth: number, mark?: "suite"][] = [
  ["task.created", 1, "suite"],
  ["task.started", 1],
  ["ask.captured", 1, "suite"],
  ["ask.held", 1, "suite"],
  ["task.waiting", 1, "suite"],
  ["ask.released", 1, "suite"],
  ["task.stopped", 1, "suite"],
  ["ask.settled", 1],
  ["task.started", 2, "suite"],
  ["ask.sent", 1, "suite"],
  ["ask.verified", 1, "suite"],
  ["ask.captured", 2],
  ["ask.released", 2],
  ["task.stopped", 2],
  ["ask.settled", 2, "suite"],
  ["task.started", 3],
  ["task.used", 1, "suite"],
  ["task.stopped", 3],
  ["task.checked", 1, "suite"],
];
test.each(fewOf(POINTS, ([, , mark]) => mark === "suite"))(
  "[TK40] the daemon is killed at %s %d: nothing is said to the agent twice, and nothing gets lost",
  async (type, nth) => {
    await using scene = await openTaskScene(QUICK);
    const struck = strikeAt(scene, type, nth);
    const id = await scene.give([{ ask: [QUESTION] }, RM, { say: "Cleaned." }], { gate: "echo checked >> checks" });
    await scene.becomes(id, isParked);
    await scene.pick((await scene.asked(id)).id, "Postgres");
    await scene.becomes(id, (task) => isWaiting("approval")(task) && task.parked);
    await scene.pick((await scene.asked(id)).id, "Approve");
    const done = await scene.becomes(id, isIn("done"));
    await struck;
    expect(events(scene.journal())).toEqual(["prompt", "answer", "refused", "told", "ran"]);
    expect(scene.journal()[1]?.text).toContain('"Which database?"="Postgres"');
    expect([done.run, done.attempt]).toEqual([3, 1]);
    expect(await Bun.file(join(scene.project, "checks")).text()).toBe("checked\n");
  },
);

test.each([
  ["task.waiting", 1],
  ["task.delayed", 1],
  ["task.retried", 1],
  ["task.ended", 1],
])(
  "[TK41] the daemon is killed at %s %d: who was asked is asked once, and what was decided happens once",
  async (type, nth) => {
    await using scene = await openTaskScene(QUICK);
    const struck = strikeAt(scene, type, nth);
    const id = await scene.give([{ fail: "429" }, { exit: 1 }, { say: "Back." }]);
    await scene.pick((await scene.asked(id)).id, "Wait and resume");
    await scene.pick(
      (await scene.becomes(id, ({ run, asks }) => run === 2 && asks.length === 1)).asks[0] ?? "",
      "Retry",
    );
    await scene.becomes(id, ({ attempt, asks }) => attempt === 2 && asks.length === 1);
    await scene.pick((await scene.asked(id)).id, "Cancel");
    await scene.becomes(id, isIn("cancelled"));
    await struck;
    expect(events(scene.journal())).toEqual(["prompt", "told", "prompt"]);
    await scene.start();
    const { events: log } = await scene.client().call("readLog", { query: { task: id, limit: 1000 } });
    expect(log.filter((event) => event.type === "ask.captured")).toHaveLength(3);
  },
);

test("[TK42] a start that was written down and not done is done, once, by the next daemon", async () => {
  await using scene = await openTaskScene("limit = 1");
  const go = join(scene.user, "go");
  const first = await scene.give([{ until: go }, { say: "First." }]);
  const id = await scene.give([{ say: "Second." }]);
  await scene.becomes(first, isIn("in_progress"));
  await scene.kill9();
  const store = openSqlite(scene.paths.database);
  const { version = 0 } = (await store.task(id)) ?? {};
  const start = { type: "task.started", session: crypto.randomUUID(), start: { how: "prompt" } } as const;
  await store.append({ at: Date.now(), task: { id, expected: version, events: [start] } });
  await store.close();
  await scene.start();
  expect((await scene.becomes(id, isIn("done"))).run).toBe(1);
  writeFileSync(go, "");
  await scene.becomes(first, isIn("done"));
  expect(events(scene.journal())).toEqual(["prompt", "prompt"]);
});

test("[TK43] an end that was written down while its agent ran ends that agent, by the next daemon", async () => {
  await using scene = await openTaskScene("limit = 4");
  const id = await scene.give([{ until: join(scene.user, "never") }]);
  await scene.becomes(id, isIn("in_progress"));
  const left = () => processesWith(`PARLEY_TASK=${id}`).filter(isAlive);
  expect(await holds(() => left().length > 0)).toBe(true);
  await scene.kill9();
  const store = openSqlite(scene.paths.database);
  const { version = 0 } = (await store.task(id)) ?? {};
  const end = { type: "task.ended", state: "cancelled" } as const;
  await store.append({ at: Date.now(), task: { id, expected: version, events: [end] } });
  await store.close();
  expect(left().length).toBeGreaterThan(0);
  await scene.start();
  expect(await holds(() => left().length === 0)).toBe(true);
});

test("[TK44] a waiting task waits through restarts, a queued one starts after them, and an answer never waits behind the limit", async () => {
  await using scene = await openTaskScene(`limit = 1\n${QUICK}`);
  const id = await scene.give([{ ask: [QUESTION] }, { say: "Good." }]);
  const { asks } = await scene.becomes(id, isParked);
  const go = join(scene.user, "go");
  const busy = await scene.give([{ until: go }, { say: "Busy." }]);
  const queued = await scene.give([{ say: "Later." }]);
  await scene.becomes(busy, isIn("in_progress"));
  await scene.kill9();
  await scene.start();
  expect((await scene.becomes(id, isParked)).asks).toEqual(asks);
  expect((await scene.task(queued)).state).toBe("queued");
  // The limit is full: an answer does not wait behind it.
  await scene.pick(asks[0] ?? "", "SQLite");
  await scene.becomes(id, isIn("done"));
  expect((await scene.task(busy)).state).toBe("in_progress");
  writeFileSync(go, "");
  await scene.becomes(queued, isIn("done"));
});

test("[TK45] cancel ends everything a run started, politely, then hard", async () => {
  await using scene = await openTaskScene("limit = 4");
  const id = await scene.give([{ until: join(scene.user, "never"), deaf: true }]);
  const left = () => processesWith(`PARLEY_TASK=${id}`).filter(isAlive);
  await scene.becomes(id, isIn("in_progress"));
  expect(await holds(() => left().length >= 3)).toBe(true);
  await scene.client().call("taskCancel", { id, body: {} });
  expect(await holds(() => left().length === 0)).toBe(true);
  expect((await scene.task(id)).state).toBe("cancelled");
});
