import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rm } from "node:fs/promises";
import { claudeEnvironment, createClaudeHome } from "../../src/agents/claude-code/lab/home.ts";
import { createScriptedModel, type Say } from "../../src/lab/model.ts";
import { signal } from "../../src/lab/process-tree.ts";
import { createProgram } from "../e2e/program.ts";
import { eventually, UNTIL_RECEIVED } from "../patience.ts";
import { eachVersion, programOf, question } from "./stage.ts";

type Listed = { kind: string; sessionId: string; status: string; waitingFor?: string };

/** Its service and its terminals outlive whoever started them. */
const startedIn = (home: string): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && environmentOf(pid).includes(`\0HOME=${home}\0`));
const environmentOf = (pid: number) => {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "utf8")}`;
  } catch {
    return "";
  }
};

eachVersion("sessions without a terminal of their own", ({ version, rest }) => {
  rest("[BG1] what a background session asks is answered from a shell, and the agent's own list agrees", async () => {
    const TEXT = "Which approach should we use?";
    const input = { questions: [question(TEXT, ["Option A", "Option B"])] };
    const script: Record<string, Say[]> = { bg: [{ tool: "AskUserQuestion", id: "toolu_bg", input }] };
    await using model = createScriptedModel({ script });
    const program = createProgram();
    const { home, project } = await createClaudeHome();
    const env = { ...claudeEnvironment(home, model.url), PARLEY_HOME: program.home, PARLEY_PORT: "0" };
    // Its service keeps what it was started with open: a pipe would never end.
    const claude = async (...args: string[]) => {
      const out = Bun.file(join(home, `${crypto.randomUUID()}.out`));
      const { exited } = Bun.spawn([programOf(version), ...args], { cwd: project, env, stdio: ["ignore", out, out] });
      const [code, said] = [await exited, await out.text()];
      if (code !== 0) throw new Error(`claude ${args.join(" ")} ended with ${code}:\n${said}`);
      return said;
    };
    const background = async () =>
      (JSON.parse((await claude("agents", "--json")).replace(/^[^[]*/, "")) as Listed[]).filter(
        ({ kind }) => kind === "background",
      );
    try {
      await program.start();
      expect(
        (await program.parley(["setup", "claude-code", "--yes"], { env: { HOME: home }, cwd: project })).code,
      ).toBe(0);
      await claude("--bg", "SCENARIO:bg please");
      const ask = await eventually(async () => {
        const { asks } = await program.client().call("listAsks");
        const found = asks.find(({ questions }) => questions[0]?.text === TEXT);
        if (!found?.reachable) throw new Error(`no such ask: ${JSON.stringify(asks)}`);
        return found;
      });
      const [waiting] = await background();
      expect(waiting).toMatchObject({ sessionId: ask.origin.session, status: "waiting" });
      const { sessions } = await program.client().call("listSessions");
      expect(sessions.map(({ id }) => id)).toEqual([waiting?.sessionId ?? ""]);
      const answered = await program.parley(["answer", ask.id, "2"], { env: UNTIL_RECEIVED });
      expect(answered.out).toStartWith('✓ Claude Code received "Option B"');
      expect((await model.waitForToolResult("toolu_bg")).text).toContain("Option B");
      await eventually(async () => expect((await background())[0]).not.toMatchObject({ status: "waiting" }));
    } finally {
      for (const pid of startedIn(home)) signal(pid, "SIGKILL");
      await program.dispose();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
