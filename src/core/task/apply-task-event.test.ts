import { expect, test } from "bun:test";
import { applyTaskEvent } from "./apply-task-event.ts";
import { type Task, type TaskEvent, TaskOrder } from "./task.ts";
import { hasProcess } from "./task-state.ts";

const order = TaskOrder.parse({ prompt: "p", name: "n", agent: "a", cwd: "/" });
const usage = { turns: 1, inputTokens: 10, outputTokens: 5, costUsd: 0.5 };
const end = { ok: false, told: true, code: 1 };
const started = (session: string): TaskEvent => ({ type: "task.started", session, start: { how: "prompt" } });
const fold = (...events: TaskEvent[]): Task =>
  events.reduce<Task | undefined>((task, event) => applyTaskEvent(task, event, { id: "t", at: 1 }), undefined) as Task;

test.each([
  ["waits for its turn", [], { state: "queued", run: 1 }],
  ["runs", [started("s2")], { state: "in_progress", run: 2, session: "s2" }],
] as [string, TaskEvent[], object][])(
  "[RX44] a run that ends after its retry costs what it cost, and the next attempt %s as if nothing had ended",
  (_, next, expected) => {
    const stopped: TaskEvent = { type: "task.stopped", run: 1, usage, end, said: "late" };
    const task = fold({ type: "task.created", order }, started("s1"), { type: "task.retried" }, ...next, stopped);
    expect(task).toMatchObject({ ...expected, parked: false, usage });
    expect([task.end, task.said]).toEqual([undefined, undefined]);
  },
);

test("[RX45] a task that is started again knows whose questions are withdrawn", () => {
  const task = fold({ type: "task.created", order }, started("s1"), { type: "task.retried" });
  expect([task.session, task.leftSession]).toEqual([undefined, "s1"]);
  expect(fold({ type: "task.created", order }, { type: "task.retried" }).leftSession).toBeUndefined();
});

const stopped: TaskEvent = { type: "task.stopped", run: 1, usage, end };
const waiting: TaskEvent = { type: "task.waiting", for: "question" };
test.each([
  ["in the queue", [], false, false],
  ["running", [started("s1")], true, false],
  ["waiting with its process", [started("s1"), waiting], true, false],
  ["waiting when its process ends", [started("s1"), waiting, stopped], false, true],
  ["stopped, and not yet looked at", [started("s1"), stopped], false, false],
  ["stopped, then waiting", [started("s1"), stopped, waiting], false, true],
  ["waiting for its time", [started("s1"), stopped, { type: "task.delayed", until: 9, by: "resume" }], false, true],
  ["taken to a terminal", [started("s1"), stopped, waiting, { type: "task.taken" }], false, false],
  ["going on with an answer", [started("s1"), stopped, waiting, started("s1")], true, false],
  ["cancelled while it ran", [started("s1"), { type: "task.ended", state: "cancelled" }], false, false],
  ["done after it waited", [started("s1"), stopped, waiting, { type: "task.ended", state: "done" }], false, false],
  ["in the queue again", [started("s1"), stopped, waiting, { type: "task.retried" }], false, false],
] as [string, TaskEvent[], boolean, boolean][])(
  "[EF14] parked says that a task waits without a process, and nothing else: %s",
  (_, events, runs, parked) => {
    const task = fold({ type: "task.created", order }, ...events);
    expect([hasProcess(task), task.parked]).toEqual([runs, parked]);
  },
);
