import { afterAll, beforeAll, expect, test } from "bun:test";
import { processesWith } from "../../src/machine/process/process.ts";
import { holds } from "./program.ts";
import { events, isIn, isParked, isWaiting, openTaskScene, QUESTION, type TaskScene } from "./task-scene.ts";

let scene: TaskScene;
beforeAll(async () => {
  scene = await openTaskScene("park_after_seconds = 0\napproval_wait_seconds = 1");
});
afterAll(() => scene.dispose());

const RM = { call: "Bash", input: { command: "rm -r build" } };
/** The record is looked at a moment after the agent wrote it. */
const isVerified = (id: string, where = scene) => holds(async () => (await where.ask(id)).state === "verified");
const of = (session: string | undefined) => scene.journal().filter((entry) => entry.session === session);

test("[TK10] the last option of every question of a task ends it, and its agent never hears of that", async () => {
  const CHECKS = { ...QUESTION, question: "Which checks?", multiSelect: true };
  const id = await scene.give([{ ask: [QUESTION, CHECKS] }]);
  const ask = await scene.asked(id);
  const last = { label: "Cancel", description: "Cancel the task", effect: "cancel" };
  expect(ask.questions.map(({ options }) => options.at(-1))).toMatchObject([last, last]);
  expect((await scene.task(id)).pending_questions?.map(({ options }) => options.length)).toEqual([2, 2]);

  const settled = await scene
    .client()
    .call("settleAsk", { id: ask.id, body: { action: "answer", answers: [{ picks: [2] }, { picks: [] }] } });
  expect(settled.outcome?.type).toBe("cancelled");
  const { reason, session } = await scene.becomes(id, isIn("cancelled"));
  expect(reason).toBe("cancelled by you");
  expect(await holds(async () => (await scene.ask(ask.id)).state === "closed")).toBe(true);
  // When it is closed nothing of its agent lives: what it has not heard by now it never hears.
  expect(events(of(session))).toEqual(["prompt"]);
});

test("[TK11] a permission that nobody gave in time ends the process; given later, exactly that call is made, once", async () => {
  const id = await scene.give([RM, RM, { say: "Cleaned." }]);
  const waiting = await scene.becomes(id, (task) => isParked(task) && isWaiting("approval")(task));
  expect(await holds(() => processesWith(`PARLEY_TASK=${id}`).length === 0)).toBe(true);
  const ask = await scene.asked(id);
  expect([ask.state, ask.questions[0]?.options.at(-1)]).toMatchObject(["open", { description: "Cancel the task" }]);

  await scene.pick(ask.id, "Approve");
  await scene.becomes(id, (task) => isWaiting("approval")(task) && task.asks.some((other) => other !== ask.id));
  const [, refused, told, ran] = of(waiting.session);
  expect(refused).toMatchObject({ event: "refused" });
  expect(told?.text).toStartWith(
    "This call is allowed now. Make it again exactly as it was; this once it goes through.\nBash: $ rm -r build",
  );
  expect(ran).toMatchObject({ event: "ran", text: 'Bash {"command":"rm -r build"}' });
  expect(await isVerified(ask.id)).toBe(true);

  const second = await scene.asked(id);
  await scene.pick(second.id, "Approve");
  await scene.becomes(id, isIn("done"));
  expect(events(of(waiting.session)).filter((event) => event === "ran")).toHaveLength(2);
});

test("[TK12] a permission refused while no process ran is told in words, and the agent goes on", async () => {
  const id = await scene.give([RM, { say: "Without it." }]);
  const { session } = await scene.becomes(id, isParked);
  const ask = await scene.asked(id);
  await scene.pick(ask.id, "Deny", "keep the build");
  await scene.becomes(id, isIn("done"));
  const journal = of(session);
  expect(events(journal)).toEqual(["prompt", "refused", "told"]);
  expect(journal.at(-1)?.text).toStartWith("The user does not allow this: keep the build\nBash: $ rm -r build");
  expect(await isVerified(ask.id)).toBe(true);
});

test("[TK13] a plan that nobody decided on in time waits without a process and is handed in again when accepted", async () => {
  const id = await scene.give([{ call: "ExitPlanMode", input: { plan: "1. Build" } }, { say: "Built." }]);
  const { session } = await scene.becomes(id, (task) => isParked(task) && isWaiting("plan")(task));
  const ask = await scene.asked(id);
  await scene.pick(ask.id, "Approve, ask for edits");
  await scene.becomes(id, isIn("done"));
  expect(events(of(session))).toEqual(["prompt", "refused", "told", "ran"]);
  expect(of(session)[2]?.text).toStartWith("Your plan is accepted.");
});

test("[TK14] a permission given in time needs no second process", async () => {
  await using quick = await openTaskScene("approval_wait_seconds = 600");
  const id = await quick.give([RM, { say: "Cleaned." }]);
  await quick.pick((await quick.asked(id)).id, "Approve");
  const { run } = await quick.becomes(id, isIn("done"));
  expect([run, events(quick.journal())]).toEqual([1, ["prompt", "ran"]]);
});

test("[TK15] an agent that cannot put a call off is ended, and told the answer in words", async () => {
  await using old = await openTaskScene("park_after_seconds = 0", { CLAUDE_FAKE_VERSION: "2.0.14" });
  const id = await old.give([{ ask: [QUESTION] }, { say: "Good." }]);
  const { session } = await old.becomes(id, isParked);
  expect(await holds(() => processesWith(`PARLEY_TASK=${id}`).length === 0)).toBe(true);
  const ask = await old.asked(id);
  await old.pick(ask.id, "Postgres", "version 18");
  await old.becomes(id, isIn("done"));
  const journal = old.journal().filter((entry) => entry.session === session);
  expect(events(journal)).toEqual(["prompt", "told"]);
  expect(journal[1]?.text).toBe(
    `Answer to "Which database?":\n  – SQLite — one file\n  ✓ Postgres — a server\nNote: version 18\n\n[parley ${ask.id}]`,
  );
  expect(await isVerified(ask.id, old)).toBe(true);
});

test("[TK16] a notice that something needs attention does not stand in for the question that is open", async () => {
  const id = await scene.give([
    { notify: "idle_prompt" },
    { ask: [QUESTION] },
    { notify: "idle_prompt" },
    { say: "Ok." },
  ]);
  const { asks, waitingFor } = await scene.becomes(id, isParked);
  expect([asks.length, waitingFor]).toEqual([1, "question"]);
  await scene.pick((await scene.asked(id)).id, "SQLite");
  await scene.becomes(id, isIn("done"));
});
