import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { AskedQuestion } from "../web/browser.ts";
import { createTaskStage, DATABASE, isDone, isWaiting, type TaskStage } from "./tasks-stage.ts";

let stage: TaskStage;
beforeAll(async () => {
  stage = await createTaskStage();
});
afterAll(() => stage.dispose());

const create = (body: object, idempotencyKey: string) =>
  stage.client().call("createTask", { body: { prompt: "[]", cwd: stage.project, ...body }, idempotencyKey });

test("[TC17] pending_questions are there exactly while it waits on questions, in the agent's own words", async () => {
  const CHECKS = { ...DATABASE, question: "Which checks?", header: "Checks", multiSelect: true };
  const go = `${stage.user}/go`;
  const wait = { call: "Bash", input: { command: "wait" }, result: "ok", until: go };
  const { id } = await stage.run([{ ask: [DATABASE, CHECKS] }, wait, { ask: [CHECKS] }, { say: "Done." }]);
  const waiting = await stage.becomes(id, isWaiting);
  const [ask = ""] = waiting.asks;
  expect(waiting.asks).toHaveLength(1);
  expect(waiting.pending_questions).toEqual([
    { ask, ...DATABASE },
    { ask, ...CHECKS },
  ]);
  expect(waiting.waitingSince).toBeGreaterThan(waiting.createdAt);

  await stage.client().call("settleAsk", {
    id: ask,
    body: { action: "answer", answers: [{ picks: [0] }, { picks: [0, 1] }] },
  });
  const running = await stage.becomes(id, ({ state, tool }) => state === "in_progress" && tool?.name === "Bash");
  expect(running).not.toHaveProperty("pending_questions");
  expect(running).not.toHaveProperty("waitingSince");
  expect([running.asks, running.tool]).toMatchObject([[], { name: "Bash", summary: "wait" }]);

  await Bun.write(go, "");
  const again = await stage.becomes(id, isWaiting);
  expect(again.pending_questions).toEqual([{ ask: again.asks[0] ?? "", ...CHECKS }]);
  await stage.client().call("taskCancel", { id, body: {} });
  expect(await stage.task(id)).not.toHaveProperty("pending_questions");
});

test("[TC58] an option that has a preview keeps it in pending_questions", async () => {
  const [first, second] = DATABASE.options;
  const options = [{ ...first, preview: "app.db" }, second] as AskedQuestion["options"];
  const { id } = await stage.run([{ ask: [{ ...DATABASE, options }] }]);
  const { pending_questions: pending } = await stage.becomes(id, isWaiting);
  expect(pending?.[0]?.options).toEqual([
    { label: "SQLite", description: "one file", preview: "app.db" },
    { label: "Postgres", description: "a server" },
  ]);
});

test("[TC18] the same request sent again is the same task", async () => {
  const steps = JSON.stringify([{ say: "Once." }]);
  const [one, two] = await Promise.all([
    create({ prompt: steps, worktree: true, name: "once" }, "key-1"),
    create({ prompt: steps, worktree: true, name: "once" }, "key-1"),
  ]);
  expect(two.id).toBe(one.id);
  expect((await create({ prompt: steps }, "key-2")).id).not.toBe(one.id);
  const done = await stage.becomes(one.id, isDone);
  expect(done.run).toBe(1);
});

test("[TC19] the log goes over all runs, page by page, each entry once; its tail is the end of it", async () => {
  const questions = [DATABASE, { ...DATABASE, question: `And ${"very ".repeat(30)}long?`, header: "Long" }];
  const steps = [
    { say: "Let me see." },
    { call: "Bash", input: { command: "npm test" }, result: "3 failed\nin a.ts", isError: true },
    { ask: questions },
    { say: "Shall I go on?" },
  ];
  const { id } = await stage.run(steps);
  const { asks } = await stage.becomes(id, isWaiting);
  await stage.client().call("settleAsk", {
    id: asks[0] ?? "",
    body: { action: "answer", answers: [{ picks: [0] }, { picks: [1] }] },
  });
  await stage.becomes(id, ({ waitingFor }) => waitingFor === "idle");
  await stage.client().call("taskFeedback", { id, body: { message: "Yes." } });
  await stage.becomes(id, ({ run, state }) => run === 2 && state === "done");

  const whole = await stage.client().call("taskLog", { id });
  expect(whole.entries.map(({ run, kind }) => `${run} ${kind}`)).toEqual([
    "1 started",
    "1 said",
    "1 called",
    "1 returned",
    "1 asked",
    "1 returned",
    "1 said",
    "1 ended",
    "2 started",
    "2 said",
    "2 ended",
  ]);
  const [, , called, returned, asked] = whole.entries;
  expect(called).toMatchObject({ tool: "Bash", text: "npm test", detail: '{"command":"npm test"}' });
  expect(returned).toMatchObject({
    key: called?.key ?? "",
    isError: true,
    text: "3 failed",
    detail: "3 failed\nin a.ts",
  });
  expect(asked?.text).toStartWith("Which database should we use? / And very very");
  expect(asked?.text).toHaveLength(120);
  expect(whole.entries[8]?.text).toBe("Yes.");
  expect(whole.entries.map(({ at }) => at)).toEqual(whole.entries.map(({ at }) => at).toSorted((a, b) => a - b));

  const paged = [];
  for (let after = 0; ;) {
    const page = await stage.client().call("taskLog", { id, query: { after, limit: 2 } });
    paged.push(...page.entries);
    after = page.next;
    if (!page.more) break;
  }
  expect(paged).toEqual(whole.entries);
  const tail = await stage.client().call("taskLog", { id, query: { tail: "true", limit: 4 } });
  expect(tail).toMatchObject({ entries: whole.entries.slice(-4), next: whole.next });
  expect(await stage.client().call("taskLog", { id, query: { after: whole.next } })).toEqual({
    entries: [],
    next: whole.next,
    more: false,
  });
});

test("[TC20] the event log of a task has what happened to it and to everything it asked, and to nothing else", async () => {
  const { id } = await stage.run([{ ask: [DATABASE] }, { say: "Done." }]);
  const { asks } = await stage.becomes(id, isWaiting);
  await stage.client().call("settleAsk", { id: asks[0] ?? "", body: { action: "answer", answers: [{ picks: [0] }] } });
  await stage.becomes(id, isDone);
  const { events } = await stage.client().call("readLog", { query: { task: id } });
  expect(new Set(events.map(({ task }) => task))).toEqual(new Set([id]));
  const types = events.map(({ type }) => type);
  for (const type of ["task.created", "task.started", "ask.captured", "task.waiting", "ask.settled", "task.ended"])
    expect(types).toContain(type);
  expect(events.find(({ type }) => type === "ask.settled")?.data).toMatchObject({
    outcome: { actor: { type: "person", surface: "api" } },
  });
});

test("[TC21] a prompt that says nothing, a relative folder and an unknown field value are refused in words", async () => {
  for (const [body, message] of [
    [{ prompt: "  " }, "prompt: must not be empty"],
    [{ cwd: "shop" }, 'cwd: expected an absolute path, not "shop"'],
    [{ budgetUsd: -1 }, "budgetUsd: expected more than 0"],
  ] as const)
    expect(await create(body, crypto.randomUUID()).catch((error: Error) => error.message)).toBe(message);
});

test("[TC52] fields that no task has are refused with their names", async () => {
  const refused = await create({ worktre: true, budget: 2 }, crypto.randomUUID()).catch(
    (error: Error) => error.message,
  );
  expect(refused).toBe("body: worktre, budget are unknown");
});

test("[TC40] an agent gets what it needs of its person's environment, and the settings its daemon has", async () => {
  const env = { LANG: "C", ANTHROPIC_MODEL: "m", MY_SECRET: "s", CLAUDE_CODE_SESSION_ID: "outer", PARLEY_TASK: "t" };
  const { out } = await stage.type(["run", JSON.stringify([{ say: "Done." }]), "--json"], { env });
  const { id } = JSON.parse(out) as { id: string };
  await stage.becomes(id, isDone);
  const plan = (await Bun.file(join(stage.home, "tasks", id, "1/plan.json")).json()) as { env: Record<string, string> };
  expect(plan.env).toMatchObject({
    LANG: "C",
    ANTHROPIC_MODEL: "m",
    HOME: stage.user,
    PARLEY_HOME: stage.home,
    PARLEY_TASK: id,
    PARLEY_CONFIG: join(stage.root, "config.toml"),
    PARLEY_PORT: "0",
  });
  expect(Object.keys(plan.env)).not.toContain("MY_SECRET");
  expect(Object.keys(plan.env)).not.toContain("CLAUDE_CODE_SESSION_ID");
});
