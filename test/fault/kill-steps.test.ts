import { describe, expect, test } from "bun:test";
import { fewOf } from "../cases.ts";
import { openGate, type Part } from "./gate.ts";
import { CLEAN, MESSAGES, OURS, QUESTION, THEIRS } from "./play.ts";
import { openScene, type Scene } from "./scene.ts";
import type { Signal } from "./schedule.ts";

type Message = keyof typeof MESSAGES;
/** Makes the daemon die, or stop for a while, when the story has come to a point; `done` when it has. */
type Fault = { kills: number; arm: (scene: Scene) => Promise<{ done: Promise<void> }> };
const SIGNALS = ["SIGKILL", "SIGTERM", "SIGSTOP"] as const satisfies Signal[];
/** In the suite every point is played with SIGKILL, and with one of the others in turn. */
const pointsFor = <T>(signal: (typeof SIGNALS)[number], points: readonly T[]) =>
  fewOf(points, (_, place) => signal === "SIGKILL" || SIGNALS.indexOf(signal) === 1 + (place % 2));
const killsBy = (signal: Signal) => (signal === "SIGSTOP" ? 0 : 1);
const visible = (type: string, signal: Signal): Fault => ({
  kills: killsBy(signal),
  arm: async (scene) => ({ done: scene.strikeAt(type, signal) }),
});
const onItsWay = (part: Part, message: Message, signal: Signal): Fault => ({
  kills: killsBy(signal),
  async arm({ program, strike }) {
    const gate = await openGate(program);
    const stopped = gate.stop(part, MESSAGES[message]);
    if (signal !== "SIGSTOP") return { done: stopped.then(() => gate.kill(signal)) };
    return { done: stopped.then(({ pass }) => (strike(signal), pass())) };
  },
});
const bothWaysOf = (...messages: Message[]) =>
  messages.flatMap((message) => (["request", "reply"] as const).map((part) => [part, message] as const));

async function answeredFromOutside({ kills, arm }: Fault): Promise<void> {
  await using scene = await openScene();
  const agent = await scene.agent();
  const { done } = await arm(scene);
  agent.ask(QUESTION);
  const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
  expect(await scene.settle(ask, OURS.label)).toBe(true);
  expect((await agent.heard("took"))?.result).toEqual(OURS);
  await agent.heard("done");
  await done;
  expect(await scene.conclude()).toEqual({ ...CLEAN, kills, answers: 1 });
}

async function answeredInTheTerminal({ kills, arm }: Fault): Promise<void> {
  await using scene = await openScene();
  const agent = await scene.agent();
  const { done } = await arm(scene);
  const key = agent.ask(QUESTION);
  await scene.ask(QUESTION, ({ reachable }) => reachable);
  agent.answer(key, THEIRS.label);
  expect((await agent.heard("took"))?.result).toEqual(THEIRS);
  await agent.heard("done");
  await done;
  expect(await scene.conclude()).toEqual({ ...CLEAN, kills, answers: 0 });
}

describe.each(SIGNALS)("the daemon gets %s right after an event is visible", (signal) => {
  test.each(pointsFor(signal, ["ask.captured", "ask.held", "ask.settled", "ask.sent", "ask.verified"]))(
    "[Z1] %s: an answer from outside arrives once and is verified",
    (type) => answeredFromOutside(visible(type, signal)),
  );

  test.each(pointsFor(signal, ["ask.captured", "ask.held", "ask.ended"]))(
    "[Z3] %s: the terminal's answer is what Parley says",
    (type) => answeredInTheTerminal(visible(type, signal)),
  );

  test("[Z5] ask.joined: equal twins stay one Ask, and both get the answer", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const struck = scene.strikeAt("ask.joined", signal);
    const twins = [agent.ask(QUESTION, { turn: "one" }), agent.ask(QUESTION, { turn: "one" })];
    await struck;
    const ask = await scene.ask(QUESTION, ({ deliveries }) => deliveries.filter(({ hold }) => hold).length === 2);
    expect(await scene.settle(ask, OURS.label)).toBe(true);
    for (const twin of twins) await agent.heard("done", ({ key }) => key === twin);
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: killsBy(signal), answers: 1 });
  });
});

describe.each(SIGNALS)("the daemon gets %s while a message is on its way", (signal) => {
  const points = bothWaysOf("PreToolUse", "PermissionRequest", "settle", "ack", "PostToolUse", "Stop");
  // Two points are the two ways of one message: each signal meets every message.
  test.each(pointsFor(signal, points))(
    "[Z1] the %s of %s: an answer from outside arrives once and is verified",
    (part, message) => answeredFromOutside(onItsWay(part, message, signal)),
  );
});

describe("the daemon is killed while a message is on its way", () => {
  test.each([...bothWaysOf("PreToolUse", "PostToolUse", "Stop"), ["request", "PermissionRequest"] as const])(
    "[Z3] the %s of %s: the terminal's answer is what Parley says",
    (part, message) => answeredInTheTerminal(onItsWay(part, message, "SIGKILL")),
  );

  test("[Z5] a hook that finds a daemon only when its question is answered makes no second Ask", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const gate = await openGate(scene.program);
    const stopped = gate.stop("request", MESSAGES.PermissionRequest);
    const key = agent.ask(QUESTION);
    await stopped;
    agent.answer(key, THEIRS.label);
    await scene.ask(QUESTION, ({ state }) => state === "closed");
    await gate.kill();
    const late = await agent.heard("output", ({ hook }) => hook === "PermissionRequest");
    expect(late).toMatchObject({ code: 0, stdout: "" });
    await agent.heard("done");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 1, answers: 0 });
  });

  test("[Z5] a hook of an earlier turn that finds a daemon late leaves the question of this turn alone", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const gate = await openGate(scene.program);
    const stopped = gate.stop("request", MESSAGES.PermissionRequest);
    const key = agent.ask(QUESTION);
    await stopped;
    agent.answer(key, THEIRS.label);
    await agent.heard("done");
    agent.ask("And now?");
    await scene.ask("And now?", ({ reachable }) => reachable);
    await gate.kill();
    await agent.heard("output", (entry) => entry.hook === "PermissionRequest" && entry.key === key);
    const ask = await scene.ask("And now?", ({ reachable }) => reachable);
    expect(await scene.settle(ask, OURS.label)).toBe(true);
    await agent.heard("done", (entry) => entry.key !== key);
    expect(await scene.conclude()).toEqual({ ...CLEAN, asks: 2, kills: 1, answers: 1 });
  });

  test("[Z4] a settlement that never reached the daemon is not there at all, and another may win", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const gate = await openGate(scene.program);
    const stopped = gate.stop("request", MESSAGES.settle);
    agent.ask(QUESTION);
    const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
    const attempt = scene.attempt(ask, "Option A", "mine");
    await stopped;
    await gate.kill();
    expect(await attempt).toBe(false);
    expect(await scene.ask(QUESTION, ({ reachable }) => reachable)).toMatchObject({ state: "open" });
    expect(await scene.settle(ask, OURS.label, "another")).toBe(true);
    expect(await scene.settle(ask, "Option A", "mine")).toBe(false);
    expect((await agent.heard("took"))?.result).toEqual(OURS);
    await agent.heard("done");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 1, answers: 1 });
  });

  test("[Z4] a settlement whose reply got lost is there, and the same key settles nothing a second time", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const gate = await openGate(scene.program);
    const stopped = gate.stop("reply", MESSAGES.settle);
    agent.ask(QUESTION);
    const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
    const attempt = scene.attempt(ask, OURS.label, "mine");
    await stopped;
    await gate.kill();
    expect(await attempt).toBe(false);
    expect(await scene.settle(ask, "Option A", "another")).toBe(false);
    expect(await scene.settle(ask, OURS.label, "mine")).toBe(true);
    expect(await scene.settle(ask, OURS.label, "mine")).toBe(true);
    expect((await agent.heard("took"))?.result).toEqual(OURS);
    await agent.heard("done");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 1, answers: 2 });
  });

  test("[Z3] our decision is on its way when somebody answers in the terminal: the Ask ends overtaken", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const gate = await openGate(scene.program);
    const stopped = gate.stop("reply", MESSAGES.PermissionRequest);
    const key = agent.ask(QUESTION);
    const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
    expect(await scene.settle(ask, OURS.label)).toBe(true);
    await stopped;
    agent.answer(key, THEIRS.label);
    expect((await agent.heard("took"))?.result).toEqual(THEIRS);
    await gate.kill();
    await agent.heard("done");
    const ended = await scene.ask(QUESTION, ({ state }) => state === "closed");
    expect(ended.outcome).toMatchObject({ type: "overtaken", lost: { type: "answered", answers: [{ picks: [1] }] } });
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 1, answers: 1 });
  });
});

describe("the daemon is killed while a question waits", () => {
  test("[Z3] the terminal answers before anybody starts the next daemon", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const key = agent.ask(QUESTION);
    await scene.ask(QUESTION, ({ reachable }) => reachable);
    expect(scene.strike()).toBe(true);
    agent.answer(key, THEIRS.label);
    await agent.heard("done");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 1, answers: 0 });
  });

  test("[Z3] Esc before anybody starts the next daemon: the Ask ends declined", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const key = agent.ask(QUESTION);
    await scene.ask(QUESTION, ({ reachable }) => reachable);
    expect(scene.strike()).toBe(true);
    agent.escape(key);
    await agent.heard("done");
    expect((await scene.ask(QUESTION, ({ state }) => state === "closed")).outcome?.type).toBe("declined");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 1, answers: 0 });
  });

  test("[Z7] the next daemons die too while they start: the hook waits for one that lives", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    agent.ask(QUESTION);
    const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
    expect(scene.strike()).toBe(true);
    for (const moment of ["spawned", "registered", "spawned"] as const) await scene.strikeStarting(moment);
    await scene.ask(QUESTION, ({ reachable }) => reachable);
    expect(await scene.settle(ask, OURS.label)).toBe(true);
    expect((await agent.heard("took"))?.result).toEqual(OURS);
    await agent.heard("done");
    const { kills, ...found } = await scene.conclude();
    expect(found).toEqual({ ...CLEAN, answers: 1 });
    expect(kills).toBeGreaterThanOrEqual(4);
  });

  test("[Z1] an acknowledged answer waits through daemons that die while they start", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const gate = await openGate(scene.program);
    const stopped = gate.stop("reply", MESSAGES.PermissionRequest);
    agent.ask(QUESTION);
    const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
    expect(await scene.settle(ask, OURS.label)).toBe(true);
    await stopped;
    await gate.kill();
    for (const moment of ["registered", "spawned", "registered"] as const) await scene.strikeStarting(moment);
    expect((await agent.heard("took"))?.result).toEqual(OURS);
    await agent.heard("done");
    const { kills: _, ...found } = await scene.conclude();
    expect(found).toEqual({ ...CLEAN, answers: 1 });
  });
});
