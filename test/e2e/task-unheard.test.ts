import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { signal } from "../../src/lab/process-tree.ts";
import { isAlive, type ProcessName, processesWith, wordsOf } from "../../src/machine/process/process.ts";
import { eventually } from "../patience.ts";
import { createSession, ended, hook, SILENT } from "./hook-stage.ts";
import { holds } from "./program.ts";
import { events, isIn, isParked, isWaiting, openTaskScene, QUESTION, type TaskScene } from "./task-scene.ts";

const RM = { call: "Bash", input: { command: "rm -r build" } };
const WORDS = 'Take the "second" one,\nplease – it is ½ as large';
const QUICK = "park_after_seconds = 0\napproval_wait_seconds = 1";
const heard = (scene: TaskScene) => scene.journal().flatMap(({ event, text }) => (event === "told" ? [text] : []));
const count = (text: string, part: string) => text.split(part).length - 1;

/** A run that is killed at the place, and resumed by a person. */
async function killedAt(
  scene: TaskScene,
  id: string,
  place: Parameters<TaskScene["stay"]>[0],
  who: Parameters<TaskScene["strike"]>[1],
  begin: () => Promise<unknown>,
): Promise<void> {
  const stay = scene.stay(place);
  await begin();
  await stay.reached();
  await scene.strike(id, who);
  await scene.becomes(id, isWaiting("dead"));
  stay.go();
  await scene.pick((await scene.asked(id)).id, "Resume");
}

test.each([
  ["begun", ["agent"]],
  ["begun", ["supervisor"]],
  ["begun", ["agent", "supervisor", "daemon"]],
  ["read", ["agent"]],
  ["read", ["supervisor", "daemon"]],
  ["read", ["agent", "supervisor", "daemon"]],
] as const)(
  "[RX1] own words are told again when their run is killed before it wrote them down (%s, %j)",
  async (place, who) => {
    await using scene = await openTaskScene("limit = 4");
    const id = await scene.give([{ stop: "Which one?" }, { say: "Good." }]);
    await scene.becomes(id, isWaiting("idle"));
    await killedAt(scene, id, place, who, () => scene.client().call("taskFeedback", { id, body: { message: WORDS } }));
    await scene.becomes(id, isIn("done"));
    expect(heard(scene)).toEqual([WORDS]);
  },
);

test("[RX2] words that were written down are not told again", async () => {
  await using scene = await openTaskScene("limit = 4");
  const id = await scene.give([{ stop: "Which one?" }, { say: "Good." }]);
  await scene.becomes(id, isWaiting("idle"));
  const feedback = () => scene.client().call("taskFeedback", { id, body: { message: WORDS } });
  await killedAt(scene, id, "recorded", ["agent"], feedback);
  await scene.becomes(id, isIn("done"));
  expect(heard(scene)).toEqual(["Go on with your task. If it is finished, say so."]);
});

test("[RX3] killed again and again, it is told all that was said, in order, and each only once", async () => {
  await using scene = await openTaskScene("limit = 4");
  const id = await scene.give([{ stop: "Which one?" }, { say: "Good." }]);
  await scene.becomes(id, isWaiting("idle"));
  for (const message of ["First", "Second", "Third"]) {
    const stay = scene.stay("read");
    await scene.client().call("taskFeedback", { id, body: { message } });
    await stay.reached();
    await scene.strike(id, ["agent"]);
    await scene.becomes(id, isWaiting("dead"));
    stay.go();
  }
  await scene.pick((await scene.asked(id)).id, "Resume", "Fourth");
  await scene.becomes(id, isIn("done"));
  expect(heard(scene)).toEqual(["First\n\nSecond\n\nThird\n\nFourth"]);
});

test("[RX4] an answer and a permission that a killed run was started with are told again, with their marks", async () => {
  await using scene = await openTaskScene(QUICK, { CLAUDE_FAKE_VERSION: "2.0.14" });
  const id = await scene.give([{ ask: [QUESTION] }, RM, { say: "Cleaned." }]);
  await scene.becomes(id, isParked);
  const question = await scene.asked(id);
  await killedAt(scene, id, "read", ["agent"], () => scene.pick(question.id, "Postgres", "version 18"));
  await scene.becomes(id, (task) => isWaiting("approval")(task) && task.parked);
  const permission = await scene.asked(id);
  await killedAt(scene, id, "read", ["supervisor", "daemon"], () => scene.pick(permission.id, "Approve"));
  await scene.becomes(id, isIn("done"));
  const [answer = "", allowed = ""] = heard(scene);
  expect(heard(scene)).toHaveLength(2);
  expect(answer).toContain("✓ Postgres — a server\nNote: version 18");
  expect(count(answer, `[parley ${question.id}]`)).toBe(1);
  expect(allowed).toStartWith("This call is allowed now.");
  expect(count(allowed, `[parley ${permission.id}]`)).toBe(1);
  expect(events(scene.journal()).filter((event) => event === "ran")).toHaveLength(1);
});

test("[RX5] an answer that the agent had in its hands, and not in its record, is told when it is resumed", async () => {
  await using scene = await openTaskScene("park_after_seconds = 600");
  const id = await scene.give([{ ask: [QUESTION] }, { say: "Good." }]);
  const ask = await scene.asked(id);
  await killedAt(scene, id, "answered", ["agent"], () => scene.pick(ask.id, "Postgres"));
  await scene.becomes(id, isIn("done"));
  expect(heard(scene)).toEqual([
    `Answer to "Which database?":\n  – SQLite — one file\n  ✓ Postgres — a server\n\n[parley ${ask.id}]`,
  ]);
  await scene.becomes(id, isIn("done"));
  expect((await scene.ask(ask.id)).outcome).toMatchObject({ type: "answered" });
});

test("[RX6] a call that was allowed once and may have been made is not allowed a second time; the agent is told so", async () => {
  await using scene = await openTaskScene("approval_wait_seconds = 600");
  const id = await scene.give([RM, RM, { say: "Cleaned." }]);
  const first = await scene.asked(id);
  await killedAt(scene, id, "allowed", ["agent"], () => scene.pick(first.id, "Approve"));
  await scene.becomes(id, isWaiting("approval"));
  expect(heard(scene)).toEqual([
    `This call was allowed once, and may have been made before you were ended. Look what came of it before you make it again.\nBash: $ rm -r build\n\n[parley ${first.id}]`,
  ]);
  expect(events(scene.journal())).not.toContain("ran");
});

test("[RX7] an answer handed to the run that was resumed for it is not lost when that run is killed", async () => {
  await using scene = await openTaskScene(QUICK);
  const id = await scene.give([{ ask: [QUESTION] }, { say: "Good." }]);
  await scene.becomes(id, isParked);
  const ask = await scene.asked(id);
  await killedAt(scene, id, "answered", ["agent"], () => scene.pick(ask.id, "Postgres"));
  await scene.becomes(id, isIn("done"));
  const said = scene.journal().map(({ event, text }) => `${event} ${text}`);
  expect(said.join("\n")).toContain("Postgres");
});

test("[RX8] a retry begins with the words that the killed run had not heard", async () => {
  await using scene = await openTaskScene("limit = 4");
  const id = await scene.give([{ stop: "Which one?" }]);
  await scene.becomes(id, isWaiting("idle"));
  const stay = scene.stay("read");
  await scene.client().call("taskFeedback", { id, body: { message: WORDS } });
  await stay.reached();
  await scene.client().call("taskRetry", { id, body: {} });
  stay.go();
  await scene.becomes(id, ({ attempt, state }) => attempt === 2 && state === "waiting");
  expect(scene.journal().at(-1)).toMatchObject({ event: "prompt", text: WORDS });
});

test("[RX11] the daemon is killed when a retry has withdrawn an answer: the next attempt begins with it", async () => {
  await using scene = await openTaskScene(QUICK);
  const id = await scene.give([{ ask: [QUESTION] }, { say: "Good." }]);
  await scene.becomes(id, isParked);
  const ask = await scene.asked(id);
  const stay = scene.stay("begun");
  await scene.pick(ask.id, "Postgres");
  await stay.reached();
  const over = new AbortController();
  const struck = (async () => {
    for await (const event of scene.events(0, over.signal)) if (event.type === "ask.closed") return scene.kill9();
  })();
  const retry = { id, body: {}, idempotencyKey: "again" };
  await scene
    .client()
    .call("taskRetry", retry)
    .catch(() => undefined);
  await struck;
  over.abort();
  stay.go();
  await scene.start();
  await scene.client().call("taskRetry", retry);
  await scene.becomes(id, ({ attempt, state }) => attempt === 2 && state === "waiting");
  const prompts = scene.journal().filter(({ event }) => event === "prompt");
  expect(prompts.at(-1)?.text).toContain("✓ Postgres — a server");
});

test("[RX9] words to a task of a restored backup start its agent, also where the backup took a run back", async () => {
  await using scene = await openTaskScene("limit = 4");
  const id = await scene.give([{ stop: "Which one?" }, { say: "Good." }]);
  await scene.becomes(id, isWaiting("idle"));
  const file = join(scene.root, "backup.db");
  expect((await scene.parley(["backup", file])).code).toBe(0);
  const state = join(scene.user, "records", `${(await scene.task(id)).session}.state`);
  const before = await Bun.file(state).text();
  await scene.client().call("taskFeedback", { id, body: { message: "The first" } });
  await scene.becomes(id, isIn("done"));
  expect((await scene.parley(["restore", file, "--stop"])).code).toBe(0);
  await Bun.write(state, before);
  await scene.start();
  await scene.becomes(id, isWaiting("idle"));
  await scene.client().call("taskFeedback", { id, body: { message: "The second" } });
  expect((await scene.becomes(id, isIn("done"))).run).toBe(2);
  expect(heard(scene)).toEqual(["The first", "The second"]);
});

test("[RX10] an agent of a run that a restored backup took back is ended before the next one starts", async () => {
  await using scene = await openTaskScene("limit = 4");
  const go = join(scene.user, "go");
  // Whoever is resumed goes on behind what the one before waited for.
  const id = await scene.give([{ stop: "Which one?" }, { until: go }, { until: go }, { say: "Good." }]);
  await scene.becomes(id, isWaiting("idle"));
  const file = join(scene.root, "backup.db");
  await scene.parley(["backup", file]);
  await scene.client().call("taskFeedback", { id, body: { message: "The first" } });
  await scene.becomes(id, isIn("in_progress"));
  expect(await scene.alone(id)).toHaveLength(1);
  await scene.parley(["restore", file, "--stop"]);
  await scene.start();
  await scene.becomes(id, isWaiting("idle"));
  expect(await scene.alone(id, 0)).toEqual([]);
  await scene.client().call("taskFeedback", { id, body: { message: "The second" } });
  expect(await scene.alone(id)).toHaveLength(1);
  rmSync(go, { force: true });
});

test("[RX12] an answer after a restore reaches an agent whose call has returned since the backup: it is told in words", async () => {
  await using scene = await openTaskScene(QUICK);
  const id = await scene.give([{ ask: [QUESTION] }, { say: "Good." }]);
  await scene.becomes(id, isParked);
  const ask = await scene.asked(id);
  const file = join(scene.root, "backup.db");
  expect((await scene.parley(["backup", file])).code).toBe(0);
  await scene.pick(ask.id, "Postgres");
  await scene.becomes(id, isIn("done"));
  expect((await scene.parley(["restore", file, "--stop"])).code).toBe(0);
  await scene.start();
  await scene.becomes(id, isParked);
  await scene.pick(ask.id, "SQLite");
  expect((await scene.becomes(id, isIn("done"))).run).toBe(2);
  expect(heard(scene)).toEqual([
    `Answer to "Which database?":\n  ✓ SQLite — one file\n  – Postgres — a server\n\n[parley ${ask.id}]`,
  ]);
});

/** The hook that the task's agent has called and waits for. */
async function hookOf(id: string): Promise<ProcessName> {
  const hooks = () => processesWith(`PARLEY_TASK=${id}`).filter(({ pid }) => wordsOf(pid).includes("PreToolUse"));
  let found: ProcessName[] = [];
  if (!(await holds(() => (found = hooks()).length === 1)) || !found[0]) throw new Error(`${found.length} hooks`);
  return found[0];
}

test("[RX57] an agent whose hook died with the answer goes by an empty one: it is told what was answered, in words, once", async () => {
  await using scene = await openTaskScene("park_after_seconds = 600");
  const id = await scene.give([{ ask: [QUESTION] }, { say: "Good." }]);
  const question = await scene.asked(id);
  await eventually(async () => expect((await scene.ask(question.id)).reachable).toBe(true));
  const { pid } = await hookOf(id);
  signal(pid, "SIGSTOP");
  await scene.pick(question.id, "Postgres", "version 18");
  signal(pid, "SIGKILL");
  const { run } = await scene.becomes(id, isIn("done"));
  expect([run, (await scene.ask(question.id)).state]).toEqual([2, "mismatched"]);
  const [words = "", ...more] = heard(scene);
  expect(more).toEqual([]);
  expect(words).toStartWith("What you went by as the answer to this is not what was answered.");
  expect(words).toContain("✓ Postgres — a server\nNote: version 18");
  expect(count(words, `[parley ${question.id}]`)).toBe(1);
});

test("[RX58] a hook that is told to end with all of its run ends after its agent: that writes down no answer nobody gave", async () => {
  await using scene = await openTaskScene("park_after_seconds = 600");
  const id = await scene.give([{ ask: [QUESTION] }, { say: "Good." }]);
  const question = await scene.asked(id);
  await eventually(async () => expect((await scene.ask(question.id)).reachable).toBe(true));
  const waiting = await hookOf(id);
  signal(waiting.pid, "SIGTERM");
  await eventually(async () => expect((await scene.ask(question.id)).deliveries[0]?.released).toBe("signal"));
  expect(isAlive(waiting)).toBe(true);
  await scene.strike(id, ["agent"]);
  await eventually(() => expect(isAlive(waiting)).toBe(false));
  expect(events(scene.journal())).toEqual(["prompt"]);
});

test("[RX59] what a subagent of a task asks waits for a person as long as the task does: it has no dialog of its own", async () => {
  await using scene = await openTaskScene("approval_wait_seconds = 600\n[hold]\nsubagent_seconds = 1");
  const id = await scene.give([{ ...RM, subagent: "sub" }, { say: "Cleaned." }]);
  const { id: permission } = await scene.asked(id);
  await eventually(async () => expect((await scene.ask(permission)).reachable).toBe(true));
  // One that came later, in a terminal: its second is over.
  const other = createSession(scene, "single-select");
  const payload = { ...other.payload("PermissionRequest"), agent_id: "sub", agent_type: "general-purpose" };
  expect(await ended(hook(scene, payload))).toEqual(SILENT);
  expect((await other.ask()).deliveries[0]?.released).toBe("subagent");
  await scene.pick(permission, "Approve");
  await scene.becomes(id, isIn("done"));
  expect(events(scene.journal())).toEqual(["prompt", "ran"]);
});
