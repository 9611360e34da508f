import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../test/patience.ts";
import { createHolds } from "../delivery/holds.ts";
import { Config } from "../core/config/config.ts";
import { createInbox } from "../inbox/inbox.ts";
import type { TaskEvent } from "../core/task/task.ts";
import { openMemory } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { createRunner } from "./runner.ts";

let dir: string;
let store: Store;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-queue-"));
  store = openMemory();
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true });
});

const order = (priority = 0) => ({
  prompt: "Mend it",
  name: "mend",
  agent: "claude-code",
  cwd: dir,
  priority,
  worktree: false,
  review: false,
});
const started: TaskEvent = { type: "task.started", session: "s", start: { how: "prompt" } };
const ended: TaskEvent = { type: "task.ended", state: "done" };
const put = (id: string, { priority = 0, at = 1, more = [] as TaskEvent[] } = {}) =>
  store.append({ at, task: { id, expected: 0, events: [{ type: "task.created", order: order(priority) }, ...more] } });
const putMany = (count: number, more: TaskEvent[] = []) =>
  Promise.all(Array.from({ length: count }, (_, i) => put(`${more.length}-${i}`, { at: i, more })));

/** The store, and how many tasks were read from it. */
function counted() {
  const count = { rows: 0 };
  const read = (found: { length: number }) => (count.rows += found.length);
  const counting: Store = {
    ...store,
    async task(id) {
      count.rows++;
      return store.task(id);
    },
    async tasks(query) {
      const found = await store.tasks(query);
      read(found);
      return found;
    },
    async nextTasks(limit) {
      const found = await store.nextTasks(limit);
      read(found);
      return found;
    },
  };
  return { count, counting };
}

type Said = (message: string, fields: Record<string, unknown>) => void;
const nothing: Said = (message, fields) => expect({ message, fields }).toBeUndefined();

function runnerOf(with_: Store, limit = 0, log = nothing) {
  return createRunner({
    store: with_,
    holds: createHolds(),
    inbox: createInbox({ store: with_, now: Date.now }),
    reconcile: () => Promise.reject(new Error("nothing is asked here")),
    now: Date.now,
    home: dir,
    program: "parley",
    settings: async () => Config.parse({}).tasks,
    limit: () => limit,
    log,
  });
}

test("[TK7] the most urgent of the queue start first, as many as the limit leaves room for; waiting ones take none", async () => {
  await put("a", { at: 2 });
  await put("b", { at: 1 });
  await put("c", { priority: 5, at: 3 });
  await put("d", { more: [started] });
  await put("e", { more: [started, { type: "task.waiting", for: "question" }] });
  await put("f", { more: [started, ended] });
  const ids = async (limit: number) => (await store.nextTasks(limit)).map(({ id }) => id);
  expect(await store.busyTasks()).toBe(1);
  expect([await ids(0), await ids(1), await ids(3), await ids(9)]).toEqual([
    [],
    ["c"],
    ["c", "b", "a"],
    ["c", "b", "a"],
  ]);
});

test("[EN8] what a daemon does with its queue when it starts grows with the queue, not with its square, and leaves room", async () => {
  const [QUEUED, DONE] = [600, 300];
  await putMany(QUEUED);
  await putMany(DONE, [started, ended]);
  const { count, counting } = counted();
  const runner = runnerOf(counting);
  let turns = 0;
  const turn = () => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await runner.resume();
  clearImmediate(next);
  runner.stop();
  expect(count.rows).toBeLessThanOrEqual(QUEUED + DONE);
  // Others have their turn at least once for each hundred.
  expect(turns).toBeGreaterThanOrEqual((QUEUED + DONE) / 100);
});

test("[EN9] one more task among hundreds that wait reads none of them", async () => {
  await putMany(500);
  const { count, counting } = counted();
  const runner = runnerOf(counting);
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      runner.create({ id: `new-${i}`, order: order(), environment: { PATH: "/bin" } }),
    ),
  );
  await runner.resume();
  runner.stop();
  // The whole queue once, by the start; each of the new ones a few times.
  expect(count.rows).toBeLessThanOrEqual(520 + 20 * 4);
});

test("[RX62] a daemon starts, and says so, when the folder for the run of a queued task cannot be made", async () => {
  await put("a");
  mkdirSync(join(dir, "tasks"));
  // Nothing is found behind it, and nothing can be made there.
  symlinkSync(join(dir, "nowhere/else"), join(dir, "tasks/a"));
  const said: unknown[] = [];
  const runner = runnerOf(store, 1, (message, { task }) => said.push([message, task]));
  try {
    await runner.resume();
    await eventually(async () => expect((await store.task("a"))?.end).toMatchObject({ ok: false, code: 127 }));
    expect(said).toEqual([["a run could not be started", "a"]]);
  } finally {
    runner.stop();
  }
});
