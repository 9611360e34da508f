import { expect, test } from "bun:test";
import { createSession, ended, HASTY, hook, SILENT } from "../e2e/hook-stage.ts";
import { CLEAN, OURS, QUESTION, THEIRS } from "./play.ts";
import { openScene } from "./scene.ts";
import { signal } from "../../src/lab/process-tree.ts";

test("[Z10] told to end while five questions wait, the daemon loses none: their hooks find the next one", async () => {
  await using scene = await openScene();
  const [one, two] = [await scene.agent(), await scene.agent("2.1.197")];
  const asked = [one, one, one, two, two].map((agent, i) => ({ agent, question: `Question ${i}?` }));
  const waiting = asked.map(({ agent, question }) => ({ agent, question, key: agent.ask(question, { turn: "turn" }) }));
  for (const { question } of waiting) await scene.ask(question, ({ reachable }) => reachable);
  const before = scene.program.registration().instance;
  await scene.program.terminate();
  for (const [i, { agent, question, key }] of waiting.entries()) {
    const ask = await scene.ask(question, ({ reachable }) => reachable);
    if (i % 2 === 0) expect(await scene.settle(ask, OURS.label)).toBe(true);
    else agent.answer(key, THEIRS.label);
  }
  for (const { agent, key } of waiting) await agent.heard("done", (entry) => entry.key === key);
  expect(scene.program.registration().instance).not.toBe(before);
  const hooks = [one, two].flatMap((agent) => agent.journal().filter(({ event }) => event === "output"));
  expect(hooks.every((entry) => entry.event === "output" && entry.code === 0)).toBe(true);
  expect(await scene.conclude()).toEqual({ ...CLEAN, asks: 5, kills: 1, answers: 3 });
});

test("[Z11] while the daemon hangs, short hooks end by themselves and say nothing; a held one goes on afterwards", async () => {
  await using scene = await openScene();
  const agent = await scene.agent();
  const first = agent.ask(QUESTION, { turn: "turn" });
  await scene.ask(QUESTION, ({ reachable }) => reachable);
  const { pid } = scene.program.registration().process;
  signal(pid, "SIGSTOP");
  try {
    const second = agent.ask("And then?", { turn: "turn" });
    const short = await agent.heard("output", ({ hook, key }) => hook === "PreToolUse" && key === second);
    expect(short).toMatchObject({ code: 0, stdout: "" });
    // The dialog of the second question is open, and its hook waits for the daemon that hangs.
    await agent.heard("dialog", ({ key }) => key === second);
    signal(pid, "SIGCONT");
    for (const question of [QUESTION, "And then?"]) {
      const ask = await scene.ask(question, ({ reachable }) => reachable);
      expect(await scene.settle(ask, OURS.label)).toBe(true);
    }
    for (const call of [first, second])
      expect((await agent.heard("took", ({ key }) => key === call))?.result).toEqual(OURS);
    await agent.heard("done", ({ key }) => key === second);
    expect(scene.program.registration().process.pid).toBe(pid);
    expect(await scene.conclude()).toEqual({ ...CLEAN, asks: 2, kills: 0, answers: 2 });
  } finally {
    scene.strike();
  }
});

test("[FA10] a daemon that hangs: a command says so and how to end it, and works again by itself afterwards", async () => {
  await using scene = await openScene();
  const { program } = scene;
  const { pid } = program.registration().process;
  signal(pid, "SIGSTOP");
  try {
    expect(await program.parley(["ls"])).toEqual({
      code: 69,
      out: "",
      err: "✗ The daemon is not responding. Stop it: parley down --force\n",
    });
  } finally {
    signal(pid, "SIGCONT");
  }
  expect((await program.parley(["ls"])).code).toBe(0);
  expect(program.registration().process.pid).toBe(pid);
});

test("[FA11] a daemon that hangs does not keep a subagent waiting, whose dialog comes only after its hook", async () => {
  await using scene = await openScene();
  const { program } = scene;
  const session = createSession(program, "single-select");
  const payload = { ...session.payload("PermissionRequest"), agent_id: "sub", agent_type: "general-purpose" };
  const { pid } = program.registration().process;
  signal(pid, "SIGSTOP");
  try {
    expect(await ended(hook(program, payload, { env: HASTY }))).toEqual(SILENT);
  } finally {
    signal(pid, "SIGCONT");
  }
});

test("[FA15] a daemon that hangs does not end the hook of a task's subagent: nobody else could be asked", async () => {
  await using scene = await openScene();
  const { program } = scene;
  const session = createSession(program, "single-select");
  const payload = { ...session.payload("PermissionRequest"), agent_id: "sub", agent_type: "general-purpose" };
  const { pid } = program.registration().process;
  signal(pid, "SIGSTOP");
  const ofTask = hook(program, payload, { env: { ...HASTY, PARLEY_TASK: "t1" }, args: ["--task"] });
  try {
    // It came later, and has seen by now that the daemon hangs.
    expect(await ended(hook(program, payload, { env: HASTY }))).toEqual(SILENT);
    expect(ofTask.exitCode).toBeNull();
  } finally {
    signal(pid, "SIGCONT");
    ofTask.kill("SIGKILL");
  }
});

test("[FA12] an agent dies while its hook can tell nobody: the daemon finds out, and withdraws the question", async () => {
  await using scene = await openScene();
  const agent = await scene.agent();
  agent.ask(QUESTION);
  await scene.ask(QUESTION, ({ reachable }) => reachable);
  const pid = (await agent.heard("hook", (entry) => entry.hook === "PermissionRequest"))?.pid ?? 0;
  signal(pid, "SIGSTOP");
  await agent.kill("SIGKILL");
  const ask = await scene.ask(QUESTION, ({ state }) => state === "closed");
  expect(ask.outcome).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
  expect(ask.deliveries[0]?.released).toBeUndefined();
  signal(pid, "SIGCONT");
  expect(await scene.conclude()).toEqual({ ...CLEAN, kills: 0, answers: 0 });
});
