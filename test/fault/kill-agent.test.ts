import { describe, expect, test } from "bun:test";
import { holds } from "../e2e/program.ts";
import { openGate } from "./gate.ts";
import { CLEAN, MESSAGES, OURS, QUESTION } from "./play.ts";
import { openScene } from "./scene.ts";
import { signal } from "../../src/lab/process-tree.ts";

const ENDS = [
  ["SIGKILL", "agent-exited"],
  ["SIGTERM", "session-ended"],
] as const;
const VERSIONS = ["2.1.325", "2.1.197"] as const;

describe.each(ENDS)("the agent ends with %s", (signal, reason) => {
  test.each([false, true])("[Z9] while its question waits: it is withdrawn (daemon killed too: %p)", async (both) => {
    await using scene = await openScene();
    const agent = await scene.agent();
    agent.ask(QUESTION);
    await scene.ask(QUESTION, ({ reachable }) => reachable);
    if (both) expect(scene.strike()).toBe(true);
    await agent.kill(signal);
    const ended = await scene.ask(QUESTION, ({ state }) => state === "closed");
    expect(ended.outcome?.type).toBe("withdrawn");
    // Told to end, it may be gone before the end of its session was heard of.
    expect(signal === "SIGKILL" ? [reason] : [reason, "agent-exited"]).toContain(ended.outcome?.reason ?? "");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: both ? 1 : 0, answers: 0 });
  });

  test.each(VERSIONS)(
    "[Z9] with a decision on its way: it is kept and told once to the resumed %s",
    async (version) => {
      await using scene = await openScene();
      const agent = await scene.agent(version);
      const gate = await openGate(scene.program);
      const stopped = gate.stop("reply", MESSAGES.PermissionRequest);
      agent.ask(QUESTION);
      const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
      expect(await scene.settle(ask, OURS.label)).toBe(true);
      await stopped;
      await agent.kill(signal);
      await gate.kill();
      expect(await scene.ask(QUESTION)).toMatchObject({ state: "settled" });
      const resumed = await scene.resume(agent);
      expect((await resumed.heard("told"))?.text).toContain(
        `[parley ${ask.id}] [Approach] ${QUESTION} → answered: Option B`,
      );
      await scene.ask(QUESTION, ({ state }) => state === "verified");
      await resumed.kill("SIGTERM");
      const again = await scene.resume(resumed);
      expect(again.journal().filter(({ event }) => event === "told")).toHaveLength(1);
      expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 1, answers: 1 });
    },
  );

  test("[Z9] after it took the answer and before it wrote it down: delivered, not verified, until the resumed one is told", async () => {
    await using scene = await openScene();
    const agent = await scene.agent();
    agent.ask(QUESTION, { waitToRecord: true });
    const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
    expect(await scene.settle(ask, OURS.label)).toBe(true);
    expect((await agent.heard("took"))?.result).toEqual(OURS);
    await scene.ask(QUESTION, ({ state }) => state === "delivered");
    await agent.kill(signal);
    expect(scene.strike()).toBe(true);
    expect(await scene.ask(QUESTION)).toMatchObject({ state: "delivered" });
    const resumed = await scene.resume(agent);
    expect((await resumed.heard("told"))?.text).toContain(`[parley ${ask.id}]`);
    await scene.ask(QUESTION, ({ state }) => state === "verified");
    expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 1, answers: 1 });
  });
});

test("[Z9] the agent dies while its hook starts: the hook does not take its new parent for the agent", async () => {
  await using scene = await openScene();
  const agent = await scene.agent();
  agent.ask(QUESTION, { neverEndsInput: true });
  const pid = (await agent.heard("hook", (entry) => entry.hook === "PermissionRequest"))?.pid ?? 0;
  const isThere = () => /(main\.(ts|js)|parley) hook (claude-code )?PermissionRequest/.test(commandOf(pid));
  expect(await holds(isThere)).toBe(true);
  // It waits for the end of its input: the death of the agent is that, and it looks for its parent only then.
  signal(pid, "SIGSTOP");
  await agent.kill("SIGKILL");
  signal(pid, "SIGCONT");
  const ended = await scene.ask(QUESTION, ({ state }) => state === "closed");
  expect(ended.outcome).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
  expect(await holds(() => commandOf(pid) === "")).toBe(true);
  expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 0, answers: 0 });
});

test("[Z9] a hook of the killed agent does not speak for the resumed one", async () => {
  await using scene = await openScene();
  const agent = await scene.agent();
  agent.ask(QUESTION);
  await scene.ask(QUESTION, ({ reachable }) => reachable);
  const pid = (await agent.heard("hook", (entry) => entry.hook === "PermissionRequest"))?.pid ?? 0;
  signal(pid, "SIGSTOP");
  await agent.kill("SIGKILL");
  expect(scene.strike()).toBe(true);
  const resumed = await scene.resume(agent);
  resumed.ask("And now?");
  const ask = await scene.ask("And now?", ({ reachable }) => reachable);
  signal(pid, "SIGCONT");
  expect(await holds(() => commandOf(pid) === "")).toBe(true);
  const { sessions } = await scene.program.client().call("listSessions");
  expect(sessions).toMatchObject([{ id: agent.session, process: { pid: resumed.pid } }]);
  expect(await scene.settle(ask, OURS.label)).toBe(true);
  await resumed.heard("done");
  expect(await scene.conclude()).toEqual({ ...CLEAN, asks: 2, kills: 1, answers: 1 });
});

test("[Z9] the daemon dies before it hears that the resumed session was told: it is told once all the same", async () => {
  await using scene = await openScene();
  const agent = await scene.agent();
  agent.ask(QUESTION);
  const ask = await scene.ask(QUESTION, ({ reachable }) => reachable);
  const hook = await agent.heard("hook", (entry) => entry.hook === "PermissionRequest");
  signal(hook?.pid ?? 0, "SIGKILL");
  expect(await scene.settle(ask, OURS.label)).toBe(true);
  await agent.kill("SIGKILL");
  const gate = await openGate(scene.program);
  const stopped = gate.stop("request", MESSAGES.ack).then(() => gate.kill());
  const resumed = await scene.resume(agent);
  await stopped;
  expect((await resumed.heard("told"))?.text).toContain(`[parley ${ask.id}]`);
  await scene.ask(QUESTION, ({ state }) => state === "verified");
  await resumed.kill("SIGKILL");
  const again = await scene.resume(resumed);
  expect(again.journal().filter(({ event }) => event === "told")).toHaveLength(1);
  expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 1, answers: 1 });
});

function commandOf(pid: number): string {
  return Bun.spawnSync(["ps", "-o", "command=", "-p", String(pid)]).stdout.toString();
}
