import { afterAll, expect } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment } from "../../src/agents/gemini-kin/kin-lab.ts";
import { SETTINGS } from "../../src/agents/qwen/lab/qwen-lab.ts";
import { createGitProject } from "../../src/lab/git-project.ts";
import { createScriptedModel, type Say } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import type { TaskView } from "../../src/protocol/task.ts";
import { cancelTasks } from "../e2e/cancel-tasks.ts";
import { createProgram, holds } from "../e2e/program.ts";
import { processes } from "../fault/processes.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { eachQwen, QWEN_PATH, qwenProgram } from "./qwen-stage.ts";

const asks = (id: string, text: string): Say => ({
  tool: "ask_user_question",
  id,
  input: {
    questions: [
      {
        question: text,
        header: "Database",
        multiSelect: false,
        options: ["PostgreSQL", "SQLite"].map((label) => ({ label, description: `Use ${label}` })),
      },
    ],
  },
});
const runs = (id: string, command: string): Say => ({
  tool: "run_shell_command",
  id,
  input: { command, description: "A file", is_background: false },
});

/** The real Qwen Code without a terminal, run by a Parley of its own, talking to a scripted model. */
async function openStage(version: string) {
  const script: Record<string, Say[]> = {
    asked: [asks("call_asked", "Which database?")],
    again: [asks("call_again", "Which one now?")],
    dead: [asks("call_dead", "Which one before the end?")],
    killed: [asks("call_killed", "Which one until it is killed?")],
    shell: [runs("call_shell", "touch made.txt")],
    more: [{ text: "More is done." }],
  };
  const model = createScriptedModel({ script });
  const program = createProgram();
  const home = join(program.root, "person");
  const [project, bin] = [join(home, "project"), join(home, "bin")];
  for (const folder of [bin, join(home, ".qwen")]) mkdirSync(folder, { recursive: true });
  await createGitProject(project);
  writeFileSync(join(home, ".qwen/settings.json"), JSON.stringify(SETTINGS));
  symlinkSync(qwenProgram(version), join(bin, "qwen"));
  const env = {
    ...environment(home),
    PATH: `${bin}:${QWEN_PATH}`,
    OPENAI_API_KEY: "dummy-local",
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_MODEL: "scripted",
    ...UNTIL_RECEIVED,
  };
  await program.start(env);
  const client = program.client("human");
  const parley = (...args: string[]) => program.parley(args, { env, cwd: project });
  const task = (id: string) => client.call("getTask", { id });
  const becomes = (id: string, ready: (task: TaskView) => boolean) =>
    poll(async () => [await task(id)].find(ready), {
      failure: async () => `${JSON.stringify(await task(id), null, 1)}\n${await Bun.file(program.paths.log).text()}`,
    });
  const running = (id: string) => processes().filter(({ env: its }) => its.includes(`PARLEY_TASK=${id}`));
  return {
    model,
    project,
    program,
    env,
    parley,
    task,
    becomes,
    running,
    async run(name: string, ...args: string[]) {
      const { code, out, err } = await parley("run", "--agent", "qwen", `SCENARIO:${name}`, "--json", ...args);
      if (code !== 0) throw new Error(err);
      return JSON.parse(out) as TaskView;
    },
    async ask(id: string) {
      const { asks: open } = await becomes(id, (found) => found.state === "waiting" && found.asks.length === 1);
      return client.call("getAsk", { id: open[0] ?? "" });
    },
    reachable: (id: string) =>
      poll(async () => [await client.call("getAsk", { id })].find((ask) => ask.reachable), {
        failure: () => `${id} cannot be answered`,
      }),
    async close() {
      const cancelled = await cancelTasks(client);
      await holds(() => cancelled.every((id) => running(id).length === 0));
      await model.close();
      await program.dispose();
    },
  };
}

eachQwen("a task of Qwen Code", ({ version, it, main, rest }) => {
  let opened: ReturnType<typeof openStage> | undefined;
  const stage = () => (opened ??= openStage(version));
  afterAll(async () => (await opened)?.close());

  main("[OZ30] asks, is answered, and is done; then it is told more in the same session", async () => {
    const { run, ask, reachable, parley, becomes, model } = await stage();
    const { id } = await run("asked", "--review");
    const asked = await reachable((await ask(id)).id);
    expect(asked).toMatchObject({ kind: "question", questions: [{ text: "Which database?" }], reachable: true });
    expect((await parley("answer", asked.id, "2")).code).toBe(0);
    expect((await model.waitForToolResult("call_asked")).text).toContain("SQLite");
    const first = await becomes(id, ({ waitingFor }) => waitingFor === "review");
    expect(first.said).toContain("SQLite");
    expect((await parley("task", "feedback", id, "SCENARIO:more")).code).toBe(0);
    const second = await becomes(
      id,
      ({ waitingFor, said }) => waitingFor === "review" && said?.includes("More is done.") === true,
    );
    expect([second.session, second.run]).toEqual([first.session, 2]);
    await parley("task", "done", id);
    await becomes(id, ({ state }) => state === "done");
  });

  rest("[OZ31] needs leave for a command: allowed, it runs in the task's folder", async () => {
    const { run, ask, parley, becomes, project } = await stage();
    const { id } = await run("shell");
    const asked = await ask(id);
    expect(asked.kind).toBe("approval");
    await parley("answer", asked.id, "1");
    await becomes(id, ({ state }) => state === "done");
    expect(existsSync(join(project, "made.txt"))).toBe(true);
  });

  rest("[OZ32] the daemon is killed while it asks: the next one takes the answer", async () => {
    const { run, ask, parley, becomes, program, env, reachable, model } = await stage();
    const { id } = await run("again");
    const asked = await ask(id);
    await program.kill9();
    await program.start(env);
    await reachable(asked.id);
    await parley("answer", asked.id, "1");
    expect((await model.waitForToolResult("call_again")).text).toContain("PostgreSQL");
    await becomes(id, ({ state }) => state === "done");
  });

  rest("[OZ33] cancelled while it asks: nothing of it is left, and the question is withdrawn", async () => {
    const { run, ask, parley, becomes, running, program } = await stage();
    const { id } = await run("dead");
    const asked = await ask(id);
    await parley("task", "cancel", id);
    await becomes(id, ({ state }) => state === "cancelled");
    expect(await holds(() => running(id).length === 0)).toBe(true);
    const closed = async () => (await program.client("human").call("getAsk", { id: asked.id })).state === "closed";
    expect(await holds(closed)).toBe(true);
  });

  rest(
    "[OZ35] Qwen Code is killed while it asks: the question is withdrawn, and the same session goes on",
    async () => {
      const { run, ask, parley, becomes, running, program, model } = await stage();
      const { id, session } = await run("killed");
      const asked = await ask(id);
      const agent = running(id).find(({ command }) => command.includes("--acp") && !command.includes("acp-task"));
      process.kill(agent?.pid ?? Number.NaN, "SIGKILL");
      const closed = () => program.client("human").call("getAsk", { id: asked.id });
      expect(await holds(async () => (await closed()).state === "closed")).toBe(true);
      expect((await closed()).outcome).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
      await becomes(id, ({ waitingFor, run: number }) => waitingFor === "dead" || number > 1);
      if ((await becomes(id, () => true)).run === 1) await parley("task", "feedback", id, "SCENARIO:more");
      await becomes(id, ({ state }) => state === "done");
      expect((await becomes(id, () => true)).session).toBe(session ?? (await becomes(id, () => true)).session);
      // The call that was cut off is in its past, so it is the same conversation.
      expect(JSON.stringify(model.requests.at(-1))).toContain("SCENARIO:killed");
    },
  );

  it("[OZ34] what it cannot do is refused at once", async () => {
    const { parley } = await stage();
    const budget = await parley("run", "--agent", "qwen", "x", "--budget", "1");
    expect([budget.code === 0, budget.err]).toEqual([false, expect.stringContaining("does not say what a run costs")]);
    const mode = await parley("run", "--agent", "qwen", "x", "--permission-mode", "acceptEdits");
    expect(mode.err).toContain("is no permission mode of qwen");
  });
});
