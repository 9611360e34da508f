import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { claudeEnvironment, createClaudeHome } from "../../src/agents/claude-code/lab/home.ts";
import { createScriptedModel } from "../../src/lab/model.ts";
import { createTmux } from "../../src/lab/tmux.ts";
import { programOf } from "../agents/stage.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { eventually, guardOver, TEST_MS } from "../patience.ts";
import { args, askOf, ONE } from "./asking.ts";
import { createScratchProject, missingHosts, type Scratch } from "./scratch.ts";

if (missingHosts !== undefined && process.env["CI"] === "true") throw new Error(missingHosts);
setDefaultTimeout(TEST_MS);
const node = Bun.which("node") ?? "node";
/** The terminal goes on after the program: tmux may never draw what one that ends with it prints last. */
const staying = (...command: string[]) => ["sh", "-c", '"$@"; exec cat', "sh", ...command];
const suite = describe.skipIf(missingHosts !== undefined);

let scratch: Scratch;
beforeAll(() => void (scratch = createScratchProject()));
afterAll(() => scratch[Symbol.dispose]());

suite(`in a program of somebody else's${missingHosts === undefined ? "" : ` (skipped: ${missingHosts})`}`, () => {
  test("[TL40] the package works from its tarball on plain Node: through the daemon, and not at all without", async () => {
    await using place = await aHome();
    const without = place.run([node, "node-host.mjs", JSON.stringify(ONE)]);
    expect(await without.stdout.text()).toBe("START\nNO TOOL\n");
    await place.program.start();
    const host = place.run([node, "node-host.mjs", JSON.stringify(args()), "twice"]);
    const first = await askOf(place.program, undefined, ({ reachable }) => reachable);
    expect([first.agentTitle, first.origin.process?.pid]).toEqual(["node-host", host.pid]);
    const asks = await eventually(async () => {
      const { asks: both } = await place.program.client().call("listAsks");
      expect(both).toHaveLength(2);
      return both;
    });
    for (const { id } of asks) await place.program.parley(["answer", id, "q1=1", "q2=2"]);
    const out = await host.stdout.text();
    expect(out).toContain("first: Collected answers:\n- Database: SQLite\n- Features: A, B\n");
    expect(out).toContain("second: Collected answers:\n- Database: SQLite\n- Features: A, B\n");
  });

  test("[TL41] a host that is killed leaves no question behind", async () => {
    await using place = await aHome();
    await place.program.start();
    const host = place.run([node, "node-host.mjs", JSON.stringify(ONE)]);
    await askOf(place.program, undefined, ({ reachable }) => reachable);
    host.kill("SIGKILL");
    const ask = await askOf(place.program, undefined, ({ state }) => state === "closed");
    expect(ask.sentence).toBe("✗ withdrawn: node-host is gone");
  });

  test("[TL42] on a terminal it draws the dialog; a second call meanwhile is rejected at once", async () => {
    await using place = await aHome();
    await using tmux = await createTmux();
    const command = staying(node, "node-host.mjs", JSON.stringify(ONE), "twice");
    await tmux.open({
      command,
      env: { ...place.env, TERM: "xterm-256color" },
      cwd: scratch.dir,
      width: 90,
      height: 30,
    });
    await tmux.waitFor(/Which database\?[^]*\( \) 1\. SQLite[^]*Provide your own answer/);
    await guardOver();
    await tmux.keys("Down");
    await tmux.waitFor(/❯ \( \) 2\. Postgres/);
    await tmux.keys("Enter");
    const after = await tmux.waitFor(/^END/m);
    expect(after).toContain("first: Collected answers:\n- Database: Postgres");
    expect(after).toContain("second: true invalid ask_user_question dialog already open");
  });

  test("[TL43] on a terminal with the daemon the first answer wins, and the other side reads who it was", async () => {
    await using place = await aHome();
    await place.program.start();
    await using tmux = await createTmux();
    const command = staying(node, "node-host.mjs", JSON.stringify(ONE));
    await tmux.open({
      command,
      env: { ...place.env, TERM: "xterm-256color" },
      cwd: scratch.dir,
      width: 90,
      height: 30,
    });
    await tmux.waitFor(/Provide your own answer/);
    const ask = await askOf(place.program, undefined, ({ reachable }) => reachable);
    expect(ask.origin.pane?.server).toBe(tmux.socket);
    await place.program.parley(["answer", ask.id, "1"]);
    const after = await tmux.waitFor((screen) => /^END/m.test(screen) && screen.includes("TOLD "));
    expect(after).toContain('TOLD ✓ node-host received "SQLite"');
    expect(after).toContain("first: Collected answers:\n- Database: SQLite");
    expect(after).not.toContain("Provide your own answer");
  });

  test("[TL46] on a terminal with the daemon, answered in the dialog, the inbox knows who and where", async () => {
    await using place = await aHome();
    await place.program.start();
    await using tmux = await createTmux();
    const command = staying(node, "node-host.mjs", JSON.stringify(ONE));
    await tmux.open({
      command,
      env: { ...place.env, TERM: "xterm-256color" },
      cwd: scratch.dir,
      width: 90,
      height: 30,
    });
    await tmux.waitFor(/Provide your own answer/);
    await askOf(place.program, undefined, ({ reachable }) => reachable);
    await guardOver();
    await tmux.keys("Enter");
    expect(await tmux.waitFor(/^END/m)).toContain("first: Collected answers:\n- Database: SQLite");
    const { sentence, outcome } = await askOf(place.program, undefined, ({ state }) => state === "verified");
    expect(sentence).toStartWith('✓ node-host received "SQLite"');
    expect(outcome?.actor).toEqual({ type: "person", surface: "terminal" });
  });

  test("[TL44] its types are there, and fit those of the hosts", async () => {
    writeFileSync(join(scratch.dir, "types.ts"), TYPES);
    const flags = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "es2023",
      "--types",
      "",
    ];
    const tsc = Bun.spawn([join(scratch.dir, "node_modules/typescript/bin/tsc"), ...flags, "types.ts"], {
      cwd: scratch.dir,
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(await tsc.stdout.text()).toBe("");
  });

  test("[TL45] a home whose path is too long for a socket is found from Node too", async () => {
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = join(scratch.dir, "a".repeat(100));
    mkdirSync(process.env["TMPDIR"]);
    await using place = await aHome().finally(() => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    });
    expect(place.program.paths.socket).toStartWith("/tmp/parley-");
    await place.program.start();
    const host = place.run([node, "node-host.mjs", JSON.stringify(ONE)]);
    const { id } = await askOf(place.program, undefined, ({ reachable }) => reachable);
    await place.program.parley(["answer", id, "1"]);
    expect(await host.stdout.text()).toContain("- Database: SQLite");
    rmSync(dirname(place.program.paths.socket), { recursive: true });
  });

  test("[PI20] the Vercel AI SDK offers it, its model reads the answer, and a refusal as an error", async () => {
    await using place = await aHome();
    await place.program.start();
    const ended = async (...words: string[]) => {
      // The SDK wants Node 22; Bun runs it too.
      const host = place.run([process.execPath, "ai-sdk-host.mjs", JSON.stringify(ONE)]);
      const { id } = await askOf(place.program, undefined, ({ state }) => state === "open");
      await place.program.parley(["answer", id, ...words]);
      return JSON.parse(await host.stdout.text()) as { received: { type: string; value: string }[]; details: object };
    };
    const answered = await ended("2");
    expect(answered).toMatchObject({
      offered: { name: "ask_user_question", required: ["questions"] },
      received: [{ type: "text", value: expect.stringMatching(/^Collected answers:\n- Database: Postgres\n/) }],
      details: { outcome: "answered", answers: { Database: "Postgres" } },
    });
    expect(await ended("--decline")).toMatchObject({
      received: [{ type: "error-text", value: "The user declined to answer this question." }],
      details: { outcome: "declined" },
    });
    const invalid = place.run([process.execPath, "ai-sdk-host.mjs", '{"questions":[]}']);
    expect(JSON.parse(await invalid.stdout.text())).toMatchObject({
      received: [{ type: "error-text", value: "Ask must have 1-4 questions: 0" }],
    });
  });

  test("[PI21] the Claude Agent SDK with the real Claude Code asks, and its model reads the answer", async () => {
    await using place = await aHome();
    await place.program.start();
    const tool = "mcp__parley__ask_user_question";
    await using model = createScriptedModel({ script: { ask: [{ tool, id: "toolu_ask", input: ONE }] } });
    const { home } = await createClaudeHome(undefined, place.program.root);
    const env = { ...claudeEnvironment(home, model.url), PARLEY_HOME: place.program.home };
    const host = place.run([node, "agent-sdk-host.mjs", programOf("2.1.325")], env);
    const { id, agentTitle } = await askOf(place.program, undefined, ({ reachable }) => reachable);
    expect(agentTitle).toBe("agent-sdk-host");
    await place.program.parley(["answer", id, "2"]);
    const { text, isError } = await model.waitForToolResult("toolu_ask");
    expect([isError, JSON.parse(text)]).toMatchObject([
      false,
      { outcome: "answered", answers: { Database: "Postgres" } },
    ]);
    expect(await host.stdout.text()).toContain('"subtype":"success"');
  });
});

const TYPES = `
import { tool as _unused, type ToolSet } from "ai";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { AskUserQuestionError, createAskUserQuestionTool, createDaemonRef, createDialogRef } from "parley-inbox";
import { askUserQuestion } from "parley-inbox/ai-sdk";
import { askUserQuestionServer } from "parley-inbox/claude-agent-sdk";

const ref = createDaemonRef({ agent: "mine" });
export const tools: ToolSet = { ask_user_question: askUserQuestion(ref) };
export const options: Options = { mcpServers: { parley: askUserQuestionServer(ref) } };
export async function ask(): Promise<string> {
  try {
    const { details } = await createAskUserQuestionTool(createDialogRef()).execute("1", {});
    const answers: Record<string, string> = details.answers;
    return Object.keys(answers).join();
  } catch (error) {
    if (!(error instanceof AskUserQuestionError)) throw error;
    const outcome: "cancelled" | "declined" | "aborted" | "expired" | "invalid" = error.outcome;
    return outcome;
  }
}
`;

/** A Parley of its own, and the way to run something that finds it. */
async function aHome(): Promise<{
  program: Program;
  env: Record<string, string>;
  run: (command: string[], env?: Record<string, string>) => Bun.Subprocess<"ignore", "pipe", "inherit">;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const program = createProgram();
  const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, LANG: "C.UTF-8", PARLEY_HOME: program.home };
  return {
    program,
    env,
    run: (command, more = env) =>
      Bun.spawn(command, { cwd: scratch.dir, env: more, stdio: ["ignore", "pipe", "inherit"] }),
    [Symbol.asyncDispose]: () => program.dispose(),
  };
}
