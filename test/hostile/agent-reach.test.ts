import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isUp } from "../../src/client/wire.ts";
import type { TaskView } from "../../src/protocol/task.ts";
import { type StandIn, startAgent } from "../e2e/agent-stage.ts";
import { createProgram, holds, type Program } from "../e2e/program.ts";
import { createTaskStage, isDone } from "../e2e/tasks-stage.ts";

const ONLY = "; this comes from inside an agent's session";

async function withAgent(work: (program: Program, agent: StandIn) => Promise<void>): Promise<void> {
  const program = createProgram();
  await program.start();
  const agent = startAgent(program, "session-a");
  // It is known when its first command comes back.
  await agent.does({ run: ["status"] });
  try {
    await work(program, agent);
  } finally {
    await agent.ends();
    await program.dispose();
  }
}

test("[OX13] a daemon that an agent starts has the settings a person gave the agent, whatever the command says", async () => {
  await withAgent(async (program, agent) => {
    const evil = join(program.root, "evil.toml");
    writeFileSync(evil, '[autopilot]\nmode = "on"\n');
    for (const run of [["up"], ["ls"], ["serve", "--detached"], ["hook", "SessionStart"]]) {
      await program.kill9();
      const payload = { session_id: "s", hook_event_name: "SessionStart", source: "startup", cwd: "/" };
      const order = {
        run,
        env: { PARLEY_CONFIG: evil, XDG_CONFIG_HOME: program.root },
        stdin: JSON.stringify(payload),
      };
      const isServing = run[0] === "serve";
      const started = agent.does(order);
      if (!isServing) await started;
      expect(await holds(() => isUp(program.paths))).toBe(true);
      const { user } = await program.client().call("config");
      expect([run, user]).toEqual([run, join(program.user, ".config/parley/config.toml")]);
      if (isServing) await program.kill9().then(() => started);
    }
  });
});

test("[OX14] what a person stopped only a person starts again", async () => {
  await withAgent(async (program, agent) => {
    await program.parley(["down"]);
    for (const order of [{ run: ["up"] }, { nested: { run: ["up"] } }]) {
      const why = `✗ Only a person may start Parley again after parley down${ONLY}\n`;
      expect(await agent.does(order)).toEqual({ code: 77, out: "", err: why });
    }
    expect((await agent.does({ run: ["serve"] })).err).toBe(`✗ Only a person may run Parley in a terminal${ONLY}\n`);
    expect((await agent.does({ run: ["serve", "--detached", "--by-hand"] })).code).toBe(77);
    expect((await program.parley(["status"])).code).toBe(3);
    expect((await program.parley(["up"])).code).toBe(0);
  });
});

test("[OX15] an agent gives work to another one, recorded as its own, and never more than it has itself", async () => {
  const stage = await createTaskStage();
  const agent = startAgent(stage, "session-a", { PATH: `${join(stage.root, "bin")}:${process.env["PATH"]}` });
  const run = (...more: string[]) => ({ run: ["run", JSON.stringify([{ say: "Hello" }]), "--json", ...more] });
  try {
    for (const mode of ["bypassPermissions", "acceptEdits", "dontAsk"]) {
      const { code, err } = await agent.does(run("--permission-mode", mode));
      expect([code, JSON.parse(err)]).toMatchObject([
        77,
        { error: { code: "forbidden", message: `Only a person may give a task the permission mode ${mode}${ONLY}` } },
      ]);
    }
    const gated = await agent.does({ nested: run("--gate", "true") });
    expect([gated.code, gated.err.includes(`Only a person may give a task a gate${ONLY}`)]).toEqual([77, true]);
    expect((await stage.client().call("listTasks")).tasks).toEqual([]);
    // A `claude` of its own, and settings of its own, are not handed on.
    const env = { PATH: `${join(stage.root, "nowhere")}:${process.env["PATH"]}`, CLAUDE_CONFIG_DIR: stage.root };
    const { out } = await agent.does({ ...run("--permission-mode", "plan"), env });
    const task = JSON.parse(out) as TaskView;
    expect(task.by).toEqual({ type: "agent", surface: "api", session: "session-a" });
    expect(await stage.becomes(task.id, isDone)).toMatchObject({ by: { session: "session-a" } });
    expect((await stage.type(["task", "show", task.id])).out).toMatch(/^  By +an agent \(session session-\)$/m);
    const mine = await stage.run([{ say: "Hello" }], "--permission-mode", "bypassPermissions", "--gate", "true");
    expect((await stage.becomes(mine.id, isDone)).by).toBeUndefined();
  } finally {
    await agent.ends();
    await stage.dispose();
  }
});
