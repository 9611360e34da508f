import { expect, test } from "bun:test";
import { applyTaskEvent } from "./apply-task-event.ts";
import { type Task, type TaskEvent, TaskOrder } from "./task.ts";

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
