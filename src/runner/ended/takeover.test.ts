import { afterEach, beforeEach, expect, test } from "bun:test";
import { PERSON } from "../../../test/sample.ts";
import type { AskEvent } from "../../core/ask/event.ts";
import type { Task, TaskEvent } from "../../core/task/task.ts";
import { createInbox } from "../../inbox/inbox.ts";
import { openSqlite } from "../../store/sqlite/open.ts";
import type { Store } from "../../store/store.ts";
import { idle } from "./escalate.ts";
import { createTakeover } from "./takeover.ts";
import { createTasks } from "../tasks.ts";

const now = () => 1;
const order = { prompt: "p", name: "n", agent: "a", cwd: "/", priority: 0, worktree: false, review: false };
const usage = { turns: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
const events: TaskEvent[] = [
  { type: "task.created", order },
  { type: "task.started", session: "s", start: { how: "prompt" } },
  { type: "task.stopped", usage, end: { ok: true, code: 0 } },
  { type: "task.waiting", for: "idle" },
];
let store: Store;
beforeEach(() => {
  store = openSqlite(":memory:");
});
afterEach(() => store.close());

async function stopped() {
  await store.append({ at: 1, task: { id: "t", expected: 0, events } });
  const inbox = createInbox({ store, now });
  const { kind, question } = idle((await store.task("t")) as Task, "Shall I?");
  const origin = { agent: "a", session: "s", task: "t" };
  const ask = () => inbox.create({ kind, questions: [question], origin, key: "run-1", channel: "self" });
  return { inbox, ask };
}

/** The hook of the terminal comes, and just before what follows from it is written somebody else does this. */
async function begin(between: () => Promise<unknown>): Promise<void> {
  let isFirst = true;
  const raced: Store = {
    ...store,
    async append(change) {
      if (isFirst) await between();
      isFirst = false;
      return store.append(change);
    },
  };
  const inbox = createInbox({ store: raced, now });
  const tasks = createTasks({ store: raced, now });
  await createTakeover({ store: raced, inbox, tasks, now, soonAt: () => undefined }).begin("s");
}

test("[EF13] a session that goes on in a terminal takes its task back, and every question about it is withdrawn", async () => {
  const { ask } = await stopped();
  const asks = [await ask(), await ask()];
  await begin(async () => undefined);
  expect(await store.task("t")).toMatchObject({ state: "in_progress", elsewhere: true });
  for (const { id } of asks)
    expect(await store.ask(id)).toMatchObject({ state: "closed", outcome: { type: "withdrawn", reason: "moved-on" } });
});

test("[EF13] whatever happened to the question or the task meanwhile, it is decided again on what they are now", async () => {
  const { inbox, ask } = await stopped();
  const { id } = await ask();
  const snoozed: AskEvent = { type: "ask.snoozed", until: 9, actor: PERSON };
  await begin(async () => {
    await inbox.change(id, () => [snoozed]);
    await createTasks({ store, now }).change("t", () => [{ type: "task.granted", budgetUsd: 3 }]);
  });
  expect(await store.task("t")).toMatchObject({ elsewhere: true, budgetUsd: 3 });
  expect(await store.ask(id)).toMatchObject({ state: "closed", outcome: { type: "withdrawn" } });
});

test("[EF13] a person who was faster has decided: neither the question nor the task is touched", async () => {
  const { inbox, ask } = await stopped();
  const { id } = await ask();
  await begin(() => inbox.settle(id, { action: "answer", answers: [{ picks: [1] }] }, PERSON));
  expect(await store.ask(id)).toMatchObject({ state: "settled", outcome: { type: "answered", actor: PERSON } });
  expect((await store.task("t"))?.elsewhere).toBeUndefined();
});
