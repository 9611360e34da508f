import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { events, isIn, isWaiting, openTaskScene, type TaskScene } from "./task-scene.ts";
import { eventually } from "../patience.ts";

const labels = (ask: { questions: { options: { label: string }[] }[] }) =>
  ask.questions[0]?.options.map(({ label }) => label);

describe("a person is asked", () => {
  let scene: TaskScene;
  beforeAll(async () => {
    scene = await openTaskScene("retry_backoff_seconds = 1");
  });
  afterAll(() => scene.dispose());
  const of = (session: string | undefined) => scene.journal().filter((entry) => entry.session === session);

  test("[TK20] an agent that ended with a question in prose is idle: go on, done or cancel", async () => {
    const id = await scene.give([{ say: "Shall I go on?" }, { say: "Yes?" }]);
    const { session } = await scene.becomes(id, isWaiting("idle"));
    const ask = await scene.asked(id);
    expect([labels(ask), ask.questions[0]?.body]).toEqual([["Go on", "Done", "Cancel"], "Yes?"]);
    await scene.pick(ask.id, "Done");
    const { reason } = await scene.becomes(id, isIn("done"));
    expect([reason, events(of(session))]).toEqual(["marked done by you", ["prompt"]]);
    await eventually(async () => expect((await scene.ask(ask.id)).state).toBe("verified"));
  });

  test("[TK21] an agent that died is resumed in the same session, or starts again from the beginning", async () => {
    const id = await scene.give([{ say: "Working." }, { exit: 3 }, { say: "Back." }]);
    const first = await scene.becomes(id, isWaiting("dead"));
    const ask = await scene.asked(id);
    expect([labels(ask), ask.questions[0]?.text]).toEqual([
      ["Resume", "Retry", "Cancel"],
      "it ended with exit code 3. What now?",
    ]);
    await scene.pick(ask.id, "Resume");
    expect((await scene.becomes(id, isIn("done"))).session).toBe(first.session ?? "");
    expect(events(of(first.session))).toEqual(["prompt", "told"]);
  });

  test("[TK22] an agent that died before it wrote anything down cannot be resumed; a retry is offered", async () => {
    const id = await scene.give([{ exit: 1, unrecorded: true }]);
    const ask = await scene.asked(id);
    expect(labels(ask)).toEqual(["Retry", "Cancel"]);
    expect(ask.questions[0]?.text).toContain("it can only be retried");
    const { session } = await scene.task(id);
    await scene.pick(ask.id, "Retry");
    const again = await scene.becomes(id, (task) => task.attempt === 2 && task.asks.length === 1);
    expect(again.session).not.toBe(session);
    await scene.pick((await scene.asked(id)).id, "Cancel");
    await scene.becomes(id, isIn("cancelled"));
  });

  test("[TK23] a rate limit is named; to wait and resume is to wait, and it says until when", async () => {
    const id = await scene.give([{ fail: "API Error: 429 rate_limit_error" }, { say: "Back." }]);
    const ask = await scene.asked(id);
    expect([labels(ask), ask.questions[0]?.text]).toEqual([
      ["Wait and resume", "Retry", "Cancel"],
      "it failed (rate limit). What now?",
    ]);
    await scene.pick(ask.id, "Wait and resume");
    const done = await scene.becomes(id, isIn("done"));
    expect(done).not.toHaveProperty("resumeAt");
    expect(events(of(done.session))).toEqual(["prompt", "told"]);
    const { events: log } = await scene.client().call("readLog", { query: { task: id } });
    const [delayed, resumed] = ["task.delayed", "task.started"].map((type) => log.findLast((one) => one.type === type));
    expect(resumed?.at).toBeGreaterThanOrEqual(Number(delayed?.data["until"]));
  });

  test("[TC51] own words to a task that would go on by itself later: it does at once, with them", async () => {
    const until = Math.floor(Date.now() / 1000) + 3600;
    const id = await scene.give([{ fail: `Claude AI usage limit reached|${until}` }, { say: "Back." }]);
    await scene.pick((await scene.asked(id)).id, "Wait and resume");
    const later = await scene.becomes(id, ({ resumeAt }) => resumeAt === until * 1000);
    expect([later.state, later.waitingFor, later.asks]).toEqual(["waiting", "error", []]);
    const told = await scene.client().call("taskFeedback", { id, body: { message: "Use another account" } });
    expect(told).toMatchObject({ state: "in_progress", run: 2 });
    const { session } = await scene.becomes(id, isIn("done"));
    expect(of(session).at(-1)).toMatchObject({ event: "told", text: "Use another account" });
  });

  test("[TC53] own words where the session cannot be resumed go with the prompt, in every later attempt", async () => {
    const prompts = async (id: string, attempt: number) => {
      const { session } = await scene.becomes(id, (task) => task.attempt === attempt && task.asks.length === 1);
      return of(session).map(({ event, text }) => `${event}: ${text}`);
    };
    const id = await scene.give([{ exit: 1, unrecorded: true }]);
    await scene.asked(id);
    await scene.client().call("taskFeedback", { id, body: { message: "Use port 5" } });
    expect(await prompts(id, 2)).toEqual(["prompt: Use port 5"]);
    await scene.pick((await scene.asked(id)).id, "Retry", "And be quick");
    expect(await prompts(id, 3)).toEqual(["prompt: Use port 5\n\nAnd be quick"]);

    // Its record is gone, which nobody knows before it is resumed.
    const lost = await scene.give([{ stop: "Which one?" }]);
    const { session } = await scene.becomes(lost, isWaiting("idle"));
    rmSync(join(scene.user, "records", `${session}.jsonl`));
    await scene.client().call("taskFeedback", { id: lost, body: { message: "The first" } });
    await scene.becomes(lost, ({ run, asks }) => run === 2 && asks.length === 1);
    const ask = await scene.asked(lost);
    expect(labels(ask)).toEqual(["Retry", "Cancel"]);
    await scene.pick(ask.id, "Retry");
    expect(await prompts(lost, 2)).toEqual(["prompt: The first"]);
  });

  test("[TK24] a check that fails is shown with what it printed; the agent repairs it, and it is checked again", async () => {
    const file = join(scene.project, "repaired");
    const gate = `test -e ${file} || { echo "no ${file}" >&2; exit 4; }`;
    const id = await scene.give([{ say: "Finished." }, { say: "x" }, { say: "Repaired." }], { gate });
    const { session } = await scene.becomes(id, isWaiting("gate"));
    const ask = await scene.asked(id);
    expect([labels(ask), ask.questions[0]?.body]).toEqual([["Send to the agent", "Accept", "Cancel"], `no ${file}`]);
    writeFileSync(file, "");
    await scene.pick(ask.id, "Send to the agent");
    const { checked } = await scene.becomes(id, isIn("done"));
    expect(checked).toMatchObject({ ok: true, code: 0 });
    expect(of(session).at(-1)?.text).toContain(`failed with exit code 4:\n\nno ${file}`);
  });

  test("[TK25] a task that has cost its budget waits, and goes on with as much again", async () => {
    const id = await scene.give([{ spend: 0.5 }, { say: "Done." }], { budgetUsd: 0.5 });
    const { session } = await scene.becomes(id, isWaiting("budget"));
    const ask = await scene.asked(id);
    expect(ask.questions[0]?.text).toBe("it has cost $0.50 of $0.50. What now?");
    await scene.pick(ask.id, "Allow more");
    const done = await scene.becomes(id, isIn("done"));
    expect([done.budgetUsd, done.usage.costUsd]).toEqual([1, 0.51]);
    expect(events(of(session))).toEqual(["prompt", "told"]);
  });

  test("[TK27] a task that begins to wait makes room for the next in the queue, however it waits", async () => {
    await using narrow = await openTaskScene("limit = 1\nretry_backoff_seconds = 600\non_error = 'resume'");
    await narrow.give([{ stop: "What now?" }]);
    await narrow.give([{ fail: "Connection error." }]);
    await narrow.give([{ call: "Bash", input: { command: "ls" } }]);
    const last = await narrow.give([{ say: "Done." }]);
    await narrow.becomes(last, isIn("done"));
    const { tasks } = await narrow.client().call("listTasks", { query: { state: "active" } });
    expect(tasks.map(({ state, waitingFor }) => `${state} ${waitingFor}`).toSorted()).toEqual([
      "waiting approval",
      "waiting error",
      "waiting idle",
    ]);
  });

  test("[TK26] a task ready for review is not done before a person says so; own words go to the agent", async () => {
    const id = await scene.give([{ say: "Finished." }, { say: "x" }, { say: "Changed." }], { review: true });
    const { session } = await scene.becomes(id, isWaiting("review"));
    const first = await scene.asked(id);
    const answers = [{ picks: [], text: "Shorter, please" }];
    await scene.client().call("settleAsk", { id: first.id, body: { action: "answer", answers } });
    await scene.becomes(id, ({ run, asks }) => run === 2 && asks.length === 1);
    expect(of(session).at(-1)).toMatchObject({ event: "told", text: "Shorter, please" });
    await scene.pick((await scene.asked(id)).id, "Accept");
    await scene.becomes(id, isIn("done"));
  });
});

describe("a policy decides", () => {
  let scene: TaskScene;
  beforeAll(async () => {
    scene = await openTaskScene(
      "retry_limit = 2\nretry_backoff_seconds = 0\non_idle = 'nudge'\non_dead = 'retry'\non_error = 'resume'\non_gate = 'nudge'\non_prompt = 'nudge'",
    );
  });
  afterAll(() => scene.dispose());
  const of = (session: string | undefined) => scene.journal().filter((entry) => entry.session === session);

  test("[TK30] an idle task is told to go on as often as the limit says, then a person is asked", async () => {
    const id = await scene.give(Array.from({ length: 9 }, () => ({ stop: "And now?" })));
    await scene.asked(id);
    const { tries, session, waitingFor } = await scene.task(id);
    expect([waitingFor, tries, events(of(session))]).toEqual(["idle", 2, ["prompt", "told", "told"]]);
  });

  test("[TK31] a failed agent is resumed, a dead one starts again, each as often as the limit says", async () => {
    const failing = await scene.give([{ fail: "Connection error." }, { fail: "Connection error." }, { say: "Back." }]);
    const done = await scene.becomes(failing, isIn("done"));
    expect([done.run, events(of(done.session))]).toEqual([3, ["prompt", "told", "told"]]);
    const dying = await scene.give([{ exit: 9 }]);
    await scene.asked(dying);
    const { attempt, tries } = await scene.task(dying);
    expect([attempt, tries]).toEqual([3, 2]);
  });

  test("[TK32] a failed check goes to the agent, a permission is refused, and nobody is asked", async () => {
    const gated = await scene.give([{ say: "Finished." }, { say: "Again." }], { gate: "exit 1" });
    await scene.asked(gated);
    const { tries, waitingFor } = await scene.task(gated);
    expect([waitingFor, tries]).toEqual(["gate", 2]);
    const prompted = await scene.give([{ call: "Bash", input: { command: "ls" } }, { say: "Without." }]);
    const { session, run } = await scene.becomes(prompted, isIn("done"));
    expect([run, events(of(session))]).toEqual([1, ["prompt", "refused"]]);
  });

  test("[TK33] a project's own file says what happens to its tasks, and names no command", async () => {
    mkdirSync(join(scene.project, ".git"));
    writeFileSync(join(scene.project, ".parley.toml"), "[tasks]\non_idle = 'cancel'\n");
    const id = await scene.give([{ say: "What now?" }]);
    expect((await scene.becomes(id, isIn("cancelled"))).reason).toBe("cancelled by on_idle");
    writeFileSync(join(scene.project, ".parley.toml"), "[tasks]\ngate = 'touch owned'\n");
    const { problems } = await scene.client().call("config", { query: { cwd: scene.project } });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("unknown key tasks.gate")]);
    rmSync(join(scene.project, ".git"), { recursive: true });
  });
});
