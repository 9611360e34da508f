import { afterAll, expect } from "bun:test";
import type { Say } from "../../src/lab/model.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import { holds } from "../e2e/program.ts";
import { eachCodex } from "./codex-stage.ts";
import { type CodexTaskStage, openCodexTaskStage } from "./codex-task-stage.ts";

const asks = (name: string): Say => {
  const options = ["PostgreSQL", "SQLite"].map((label) => ({ label, description: `What ${label} means` }));
  const input = {
    questions: [{ id: "database", header: "Database", question: `Which database for ${name}?`, options }],
  };
  return { tool: "request_user_input", id: `call_${name}`, input };
};
/** Outside of what codex may do by itself. */
const runs = (name: string): Say => {
  const input = {
    cmd: `touch /dev/null/${name}`,
    sandbox_permissions: "require_escalated",
    justification: "to try it",
  };
  return { tool: "exec_command", id: `call_${name}`, input };
};

eachCodex("codex tasks", ({ version, main, rest }) => {
  let opened: Promise<CodexTaskStage> | undefined;
  const open = () => (opened ??= openCodexTaskStage(version));
  afterAll(async () => (await opened)?.[Symbol.asyncDispose]());

  main("[CQ1] a task asks, is answered in the process that asked, also by the next daemon, and is done", async () => {
    const stage = await open();
    const { id } = await stage.run([{ text: "Let me ask." }, asks("one")]);
    const ask = await stage.waits(id, "question");
    expect(ask).toMatchObject({ kind: "question", origin: { agent: "codex", task: expect.any(String) } });
    expect(ask.questions[0]?.options.map(({ label }) => label)).toEqual(["PostgreSQL", "SQLite", "Cancel"]);
    await stage.restart();
    const said = await stage.parley("answer", ask.id, "2");
    expect([said.code, said.out + said.err]).toEqual([0, expect.stringContaining("✓ codex received")]);
    expect((await stage.model.waitForToolResult("call_one")).text).toBe(
      '{"answers":{"database":{"answers":["SQLite"]}}}',
    );
    const done = await stage.becomes(id, ({ state }) => state === "done");
    expect(done).toMatchObject({ run: 1, usage: { turns: 2 }, end: { ok: true, code: 0 } });
    expect(await stage.asked(ask.id, "verified")).toMatchObject({ outcome: { type: "answered" } });
  });

  rest(
    "[CQ2] the app-server is killed while it asks: what is lost is said, and its thread goes on with own words",
    async () => {
      const stage = await open();
      const { id } = await stage.run([asks("dies")]);
      const ask = await stage.waits(id, "question");
      process.kill(await stage.agent(id), "SIGKILL");
      const dead = await stage.waits(id, "dead");
      expect(await stage.ask(ask.id)).toMatchObject({ outcome: { type: "withdrawn", reason: "agent-exited" } });
      expect(dead.questions[0]?.body).toContain("Which database for dies?");
      expect(dead.questions[0]?.options.map(({ label }) => label)).toEqual(["Resume", "Retry", "Cancel"]);
      expect((await stage.parley("task", "feedback", id, "Take SQLite.")).code).toBe(0);
      const done = await stage.becomes(id, ({ state }) => state === "done");
      expect(done).toMatchObject({ run: 2, session: ask.origin.session });
      expect(stage.told()).toContain("Take SQLite.");
    },
  );

  rest("[CQ3] an answer given while nobody can take it is told to the resumed thread, once", async () => {
    const stage = await open();
    const { id } = await stage.run([asks("late")]);
    const ask = await stage.waits(id, "question");
    process.kill(await stage.agent(id), "SIGSTOP");
    const answering = stage.parley("answer", ask.id, "2");
    await stage.asked(ask.id, "delivered");
    process.kill(await stage.agent(id), "SIGKILL");
    const dead = await stage.waits(id, "dead");
    expect((await stage.parley("answer", dead.id, "Resume")).code).toBe(0);
    await stage.becomes(id, ({ state }) => state === "done");
    await answering;
    expect(stage.told().split("✓ SQLite")).toHaveLength(2);
    await stage.asked(ask.id, "verified");
  });

  rest("[CQ4] a command is allowed, denied with words, and cancels the task", async () => {
    const stage = await open();
    const { id } = await stage.run([runs("allowed")]);
    const ask = await stage.waits(id, "approval");
    expect(ask.questions[0]?.options.map(({ label }) => label)).toEqual([
      "Approve",
      "Always allow touch /dev/null/allowed …",
      "Deny",
      "Cancel",
    ]);
    expect((await stage.parley("answer", ask.id, "1")).out).toContain("✓ codex received");
    await stage.becomes(id, ({ state }) => state === "done");

    const worded = await stage.run([runs("worded")]);
    const denied = await stage.waits(worded.id, "approval");
    expect((await stage.parley("answer", denied.id, "3", "-m", "use mktemp")).code).toBe(0);
    await stage.becomes(worded.id, ({ state }) => state === "done");
    expect(stage.told()).toContain("use mktemp");

    const ended = await stage.run([runs("ended")]);
    const last = await stage.waits(ended.id, "approval");
    const pid = await stage.agent(ended.id);
    expect((await stage.parley("answer", last.id, "4")).code).toBe(0);
    await stage.becomes(ended.id, ({ state }) => state === "cancelled");
    expect(await holds(() => !isAlive({ pid }))).toBe(true);
  });

  rest("[CQ5] nobody answers: the task waits without its process, and its thread is told the answer", async () => {
    await using stage = await openCodexTaskStage(version, "park_after_seconds = 0\napproval_wait_seconds = 0\n");
    const { id } = await stage.run([asks("parked")]);
    const parked = await stage.becomes(id, (task) => task.state === "waiting" && task.parked);
    const ask = await stage.ask(parked.asks[0] ?? "");
    expect(ask.state).toBe("open");
    await stage.restart();
    expect((await stage.parley("answer", ask.id, "2")).code).toBe(0);
    await stage.becomes(id, ({ state }) => state === "done");
    expect(stage.told().split("✓ SQLite")).toHaveLength(2);
    await stage.asked(ask.id, "verified");

    const command = await stage.run([runs("later")]);
    const waiting = await stage.becomes(command.id, (task) => task.state === "waiting" && task.parked);
    stage.script["otherwise"] = [{ ...runs("later"), id: "call_again" }];
    expect((await stage.parley("answer", waiting.asks[0] ?? "", "1")).code).toBe(0);
    const done = await stage.becomes(command.id, ({ state }) => state === "done");
    expect(done).toMatchObject({ run: 2 });
  });

  rest("[CQ6] a worktree, a check and its findings; what codex cannot be held to is refused", async () => {
    const stage = await open();
    const { id } = await stage.run(
      [{ text: "Done." }],
      "--worktree",
      "--gate",
      "test -e fixed || { touch fixed; exit 3; }",
    );
    const gate = await stage.waits(id, "gate");
    expect((await stage.parley("answer", gate.id, "1")).code).toBe(0);
    const done = await stage.becomes(id, ({ state }) => state === "done");
    expect(done).toMatchObject({ run: 2, workdir: { branch: expect.any(String) } });
    expect(stage.told()).toContain("failed with exit code 3");
    const refused = async (...args: string[]) => (await stage.parley("run", "x", "--agent", "codex", ...args)).err;
    expect(await refused("--budget", "5")).toContain("codex does not say what it costs");
    expect(await refused("--sandbox")).toContain("codex cannot be run in Parley's sandbox");
    expect(await refused("--permission-mode", "acceptEdits")).toContain("no permission mode of codex: plan, read-only");
  });
});
