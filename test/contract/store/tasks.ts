import { expect, test } from "bun:test";
import { applyTaskEvent } from "../../../src/core/task/apply-task-event.ts";
import { Task, type TaskEvent } from "../../../src/core/task/task.ts";
import type { Store, TaskQuery } from "../../../src/store/store.ts";
import { captured, create, settled, taskCreated } from "../store-sample.ts";
import type { Opened } from "./opened.ts";

const started: TaskEvent = { type: "task.started", session: "s", start: { how: "prompt" } };
const waiting: TaskEvent = { type: "task.waiting", for: "question" };
const ended: TaskEvent = { type: "task.ended", state: "done" };
const removed: TaskEvent = { type: "task.removed", kept: [] };

type Made = { priority?: number; at?: number; more?: TaskEvent[] };
const put = (store: Store, id: string, { priority = 0, at = 1, more = [] }: Made = {}) =>
  store.append({ at, task: { id, expected: 0, events: [taskCreated(priority), ...more] } });
const on = (store: Store, id: string, expected: number, ...events: TaskEvent[]) =>
  store.append({ at: 2, task: { id, expected, events } });
const tasksIn = async (store: Store, query: TaskQuery) => (await store.tasks(query)).map(({ id }) => id);

export function taskContract(opened: () => Opened): void {
  test("[SX11] a task is the fold of its events, and can be read by its schema", async () => {
    const { store } = opened();
    const events = [taskCreated(3), started, waiting, started, { ...ended, reason: "good" }];
    for (const [i, event] of events.entries())
      await store.append({ at: 10 + i, task: { id: "t", expected: i, events: [event] } });
    const folded = events.reduce<Task | undefined>(
      (t, event, i) => applyTaskEvent(t, event, { id: "t", at: 10 + i }),
      undefined,
    );
    expect(await store.task("t")).toEqual(folded as Task);
    expect(Task.parse(await store.task("t"))).toMatchObject({ version: 5, state: "done", run: 2, createdAt: 10 });
    expect((await store.events({ task: "t" })).map(({ type, session }) => [type, session ?? ""])).toEqual([
      ["task.created", ""],
      ["task.started", "s"],
      ["task.waiting", "s"],
      ["task.started", "s"],
      ["task.ended", "s"],
    ]);
    expect(await store.task("other")).toBeUndefined();
  });

  test("[SX12] a task's change decided on an old version is a conflict, tells what it is now and changes nothing", async () => {
    const { store } = opened();
    await put(store, "t");
    const results = await Promise.all(Array.from({ length: 20 }, () => on(store, "t", 1, started)));
    expect(results.filter(({ type }) => type === "done")).toHaveLength(1);
    expect(results.at(-1)).toMatchObject({ type: "conflict", task: { id: "t", version: 2, state: "in_progress" } });
    expect(await on(store, "ghost", 4, started)).toEqual({ type: "conflict" });
    expect(await store.task("t")).toMatchObject({ version: 2, run: 1 });
    expect(await store.lastSeq()).toBe(2);
    expect(await on(store, "ghost", 0, started).catch(String)).toBe("Error: event task.started for unknown task ghost");
  });

  test("[SX13] an Ask and a task of one change happen together or not at all", async () => {
    const { store } = opened();
    await put(store, "t");
    const both = (expected: number, id: string) =>
      store.append({
        at: 3,
        ask: { id, expected: 0, events: [captured("question", { task: "t" })] },
        task: { id: "t", expected, events: [started] },
      });
    expect(await both(7, "a")).toMatchObject({ type: "conflict", task: { version: 1 } });
    expect([await store.ask("a"), (await store.task("t"))?.version]).toEqual([undefined, 1]);
    expect(await both(1, "b")).toMatchObject({ type: "done", ask: { id: "b" }, task: { version: 2 } });
    expect(await both(2, "b")).toMatchObject({ type: "conflict", ask: { id: "b" } });
    expect((await store.task("t"))?.version).toBe(2);
  });

  test("[SX14] tasks are read in the order they were made, by state, in pages and from the end", async () => {
    const { store } = opened();
    const made = ["e", "b", "d", "a", "c"];
    for (const [i, id] of made.entries())
      await put(store, id, { at: i < 3 ? 100 : 90, more: id === "d" ? [started] : [] });
    const all = ["a", "c", "b", "d", "e"];
    expect(await tasksIn(store, {})).toEqual(all);
    expect(await tasksIn(store, { limit: 2 })).toEqual(all.slice(0, 2));
    expect(await tasksIn(store, { limit: 2, newest: true })).toEqual(all.slice(-2));
    expect(await tasksIn(store, { states: ["queued"] })).toEqual(["a", "c", "b", "e"]);
    expect(await tasksIn(store, { states: ["in_progress", "waiting"] })).toEqual(["d"]);
    expect(await tasksIn(store, { states: ["queued"], newest: true, limit: 3 })).toEqual(["c", "b", "e"]);
    const [, second] = await store.tasks({});
    expect(await tasksIn(store, { after: second! })).toEqual(["b", "d", "e"]);
    await on(store, "c", 1, removed);
    expect(await tasksIn(store, { after: second!, limit: 2 })).toEqual(["b", "d"]);
    expect(await tasksIn(store, { after: second!, states: ["done"] })).toEqual([]);
  });

  test("[SX15] of the queued tasks the most urgent come next, the oldest of them first; only running ones are busy", async () => {
    const { store } = opened();
    await put(store, "late", { at: 2 });
    await put(store, "twin", { at: 1 });
    await put(store, "early", { at: 1 });
    await put(store, "urgent", { at: 9, priority: 5 });
    await put(store, "idle", { at: 0, priority: -1 });
    await put(store, "runs", { priority: 9, more: [started] });
    await put(store, "waits", { priority: 9, more: [started, waiting] });
    await put(store, "over", { priority: 9, more: [started, ended] });
    const next = async (limit: number) => (await store.nextTasks(limit)).map(({ id }) => id);
    expect(await next(9)).toEqual(["urgent", "early", "twin", "late", "idle"]);
    expect([await next(0), await next(2), await store.busyTasks()]).toEqual([[], ["urgent", "early"], 1]);
    await on(store, "urgent", 1, started);
    expect([await next(1), await store.busyTasks()]).toEqual([["early"], 2]);
    await on(store, "over", 3, { type: "task.retried" });
    expect([await next(1), await store.busyTasks()]).toEqual([["over"], 2]);
    await on(store, "runs", 2, ended);
    expect(await store.busyTasks()).toBe(1);
  });

  test("[SX16] a removed task is told one last time and is gone, its history stays, and its id is free again", async () => {
    const { store } = opened();
    await put(store, "t", { more: [started, ended] });
    const [gone, again] = await Promise.all([on(store, "t", 3, removed), put(store, "t", { at: 9, priority: 2 })]);
    expect(gone).toMatchObject({ type: "done", task: { id: "t", version: 4 } });
    expect(again).toMatchObject({ type: "done", task: { version: 1, createdAt: 9 } });
    expect(await store.tasks({})).toMatchObject([{ id: "t", version: 1, state: "queued", order: { priority: 2 } }]);
    expect(await tasksIn(store, { after: { id: "t", createdAt: 5 } })).toEqual(["t"]);
    await on(store, "t", 1, removed);
    expect([await store.task("t"), await store.tasks({}), await store.nextTasks(5)]).toEqual([undefined, [], []]);
    expect((await store.events({ task: "t" })).map(({ type }) => type)).toEqual([
      "task.created",
      "task.started",
      "task.ended",
      "task.removed",
      "task.created",
      "task.removed",
    ]);
    expect(await on(store, "t", 2, started)).toEqual({ type: "conflict" });
  });

  test("[SX17] what happened to a task is read together with everything it asked", async () => {
    const { store } = opened();
    await put(store, "t", { more: [started] });
    await create(store, { id: "a", origin: { task: "t", session: "s" }, more: [settled(1)] });
    await create(store, { id: "b", origin: { session: "s" } });
    await put(store, "other");
    await on(store, "t", 2, ended);
    const found = await store.events({ task: "t" });
    expect(found.map(({ type, ask = "" }) => [type, ask])).toEqual([
      ["task.created", ""],
      ["task.started", ""],
      ["ask.captured", "a"],
      ["ask.settled", "a"],
      ["task.ended", ""],
    ]);
    expect((await store.events({ task: "t", newest: true, limit: 2 })).map(({ type }) => type)).toEqual([
      "ask.settled",
      "task.ended",
    ]);
    expect((await store.events({ task: "t", ask: "a" })).length).toBe(2);
    expect((await store.events({ task: "t", after: found[3]?.seq ?? 0 })).map(({ type }) => type)).toEqual([
      "task.ended",
    ]);
  });
}
