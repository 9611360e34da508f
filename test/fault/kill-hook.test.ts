import { describe, expect, test } from "bun:test";
import type { FakeAgent } from "./agent.ts";
import { openGate } from "./gate.ts";
import { CLEAN, MESSAGES, OURS, QUESTION, THEIRS } from "./play.ts";
import { openScene } from "./scene.ts";
import { signal } from "../../src/lab/process-tree.ts";

/** The process that waits for the answer. */
async function waiting(agent: FakeAgent): Promise<number> {
  const entry = await agent.heard("hook", ({ hook }) => hook === "PermissionRequest");
  if (!entry) throw new Error("the agent is gone");
  return entry.pid;
}

describe("the hook is killed", () => {
  test("[Z8] before it has reached the daemon: the dialog works, and Parley knows its answer", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const key = agent.ask(QUESTION);
    const pid = await waiting(agent);
    signal(pid, "SIGKILL");
    await agent.heard("output", (entry) => entry.pid === pid);
    agent.answer(key, THEIRS.label);
    await agent.heard("done");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 0, answers: 0 });
  });

  test("[Z8] PreToolUse's, before it has reached the daemon: the question comes with its dialog and is verified", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const gate = await openGate(scene.program);
    const stopped = gate.stop("request", MESSAGES.PreToolUse);
    agent.ask(QUESTION);
    await stopped;
    const early = await agent.heard("hook", ({ hook }) => hook === "PreToolUse");
    signal(early?.pid ?? 0, "SIGKILL");
    const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
    expect(ask.deliveries[0]?.key).toStartWith("call:");
    expect(await scene.settle(ask, OURS.label)).toBe(true);
    await agent.heard("done");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 0, answers: 1 });
  });

  test("[Z8] while it waits: the Ask stays open, and the terminal overtakes an answer nobody could deliver", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const key = agent.ask(QUESTION);
    const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
    signal(await waiting(agent), "SIGKILL");
    const left = await scene.ask(QUESTION, ({ deliveries }) => deliveries[0]?.released === "hook-gone");
    expect(left).toMatchObject({ state: "open", reachable: false });
    expect(await scene.settle(ask, OURS.label)).toBe(true);
    expect(await scene.ask(QUESTION)).toMatchObject({ state: "settled" });
    agent.answer(key, THEIRS.label);
    await agent.heard("done");
    expect((await scene.ask(QUESTION, ({ state }) => state === "closed")).outcome?.type).toBe("overtaken");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 0, answers: 1 });
  });

  test("[Z8] after it got the reply and before it printed: nothing is called delivered", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const gate = await openGate(scene.program);
    const stopped = gate.stop("reply", MESSAGES.PermissionRequest);
    const key = agent.ask(QUESTION);
    const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
    expect(await scene.settle(ask, OURS.label)).toBe(true);
    const reply = await stopped;
    const pid = await waiting(agent);
    signal(pid, "SIGSTOP");
    reply.pass();
    signal(pid, "SIGKILL");
    expect((await agent.heard("output", (entry) => entry.pid === pid))?.stdout).toBe("");
    expect(await scene.ask(QUESTION, ({ reachable }) => !reachable)).toMatchObject({ state: "settled" });
    agent.answer(key, THEIRS.label);
    await agent.heard("done");
    expect((await scene.ask(QUESTION, ({ state }) => state === "closed")).outcome?.type).toBe("overtaken");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 0, answers: 1 });
  });

  test.each([false, true])(
    "[Z8] after it printed and before it said so: the agent's record is the proof (daemon killed too: %p)",
    async (both) => {
      await using scene = await openScene();
      const agent = await scene.agent();
      const gate = await openGate(scene.program);
      const stopped = gate.stop("request", MESSAGES.ack);
      agent.ask(QUESTION);
      const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
      expect(await scene.settle(ask, OURS.label)).toBe(true);
      await stopped;
      signal(await waiting(agent), "SIGKILL");
      if (both) await gate.kill();
      expect((await agent.heard("took"))?.result).toEqual(OURS);
      await agent.heard("done");
      expect(await scene.conclude()).toEqual({ ...CLEAN, kills: both ? 1 : 0, answers: 1 });
    },
  );

  test("[Z8] PostToolUse's: the terminal's answer is found in the transcript", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    const gate = await openGate(scene.program);
    const stopped = gate.stop("request", MESSAGES.PostToolUse);
    const key = agent.ask(QUESTION);
    await scene.ask(QUESTION, ({ reachable }) => reachable);
    agent.answer(key, THEIRS.label);
    await stopped;
    const post = await agent.heard("hook", ({ hook }) => hook === "PostToolUse");
    signal(post?.pid ?? 0, "SIGKILL");
    await agent.heard("done");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 0, answers: 0 });
  });
});
