import { expect } from "bun:test";
import { eachVersion, openStage, question, type Stage } from "../agents/stage.ts";
import { COMMAND } from "../e2e/program.ts";

const NAME = "mcp__parley__ask_user_question";
const input = { questions: [question("Which approach should we use?", ["Option A", "Option B"])] };

/** The real Claude Code with `parley mcp` as its server; the model asks when it is told to. */
async function open(version: string, env: Record<string, string> = {}): Promise<Stage> {
  const [command, ...args] = [...COMMAND, "mcp"];
  const config = JSON.stringify({ mcpServers: { parley: { command, args } } });
  const stage = await openStage({
    version,
    setup: false,
    env,
    args: ["--mcp-config", config, "--allowedTools", NAME],
    script: {
      ask: [{ text: "I have a question." }, { tool: NAME, id: "toolu_ask", input }],
      ...Object.fromEntries(TRIES.map((name) => [name, [{ tool: NAME, id: `toolu_${name}`, input: {} }]])),
    },
  });
  await stage.program.start();
  await connected(stage);
  await stage.claude.prompt("SCENARIO:ask");
  return stage;
}

const TRIES = Array.from({ length: 20 }, (_, i) => `try-${i}`);

/** 2.1.197 refuses a call while the server is still connecting; 2.1.325 waits. A call without questions tells. */
async function connected(stage: Stage): Promise<void> {
  for (const name of TRIES) {
    await stage.claude.prompt(`SCENARIO:${name}`);
    const { text } = await stage.received(name);
    if (!text.includes("is still connecting")) return;
  }
  throw new Error("Claude Code does not connect to parley mcp");
}

eachVersion("through MCP", ({ version, it }) => {
  it("[MC10] Claude Code asks, waits, and its model reads the answer", async () => {
    await using stage = await open(version);
    const ask = await stage.ask("Which approach should we use?", ({ reachable }) => reachable);
    expect([ask.agentTitle, ask.origin.cwd]).toEqual(["Claude Code", stage.claude.project]);
    expect(ask.origin.pane?.id).toMatch(/^%\d+$/);
    await stage.claude.tmux.waitFor(/Waiting for the user to answer/);
    const told = await stage.answer(ask.id, "2", "-m", "but keep it small");
    expect(told.out).toStartWith('✓ Claude Code received "Option B (note: but keep it small)"');
    const { text, isError } = await stage.received();
    expect(isError).toBe(false);
    expect(JSON.parse(text)).toMatchObject({
      text: expect.stringMatching(
        /^Collected answers:\n- Choice: Option B\n\nJSON:\n.*Notes:\n- Choice: but keep it small$/s,
      ),
      outcome: "answered",
      answers: { Choice: "Option B" },
      lossless: [{ picks: [1], labels: ["Option B"], note: "but keep it small" }],
    });
  });

  it("[MC11] declined, its model reads that as an error in words", async () => {
    await using stage = await open(version);
    const { id } = await stage.ask("Which approach should we use?");
    await stage.answer(id, "--decline", "-m", "ask me tomorrow");
    const { text, isError } = await stage.received();
    expect(isError).toBe(true);
    expect(text).toContain("The user declined to answer this question: ask me tomorrow");
  });

  it("[MC12] Esc takes the question back", async () => {
    await using stage = await open(version);
    const { id } = await stage.ask("Which approach should we use?", ({ reachable }) => reachable);
    await stage.claude.tmux.waitFor(/Waiting for the user to answer/);
    await stage.claude.tmux.keys("Escape");
    const ask = await stage.becomes(id, ({ state }) => state === "closed");
    expect(ask.sentence).toBe("✗ withdrawn: Claude Code took the question back");
  });

  // 2.1.197 bears any silence of a server on standard input and output.
  if (version === "2.1.197") return;
  it("[MC13] a wait longer than Claude Code bears silence is kept alive by progress", async () => {
    // It looks every 30 seconds whether it heard anything within this time.
    await using stage = await open(version, { CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT: "15000" });
    const { id } = await stage.ask("Which approach should we use?");
    await stage.claude.tmux.waitFor(/Waiting for the user to answer \((?:4\d|5\d) s\)/);
    expect((await stage.answer(id, "1")).code).toBe(0);
    expect((await stage.received()).text).toContain('"Choice":"Option A"');
  });
});
