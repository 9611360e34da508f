import { expect } from "bun:test";
import { waitForQuestion } from "../../src/agents/opencode/lab/screen.ts";
import { openOpencodeStage } from "./opencode-parley.ts";
import { eachOpencode, question } from "./opencode-stage.ts";

const TEXT = "Which database should I use?";
const ask = (name: string, questions: unknown[]) => ({
  [name]: [{ text: "Let me ask." }, { tool: "question", id: `call_${name}`, input: { questions } }],
});
const LABELS = ["PostgreSQL", "SQLite, embedded"];

eachOpencode("a question", (version, it) => {
  it("[OR1] is answered from a shell while its dialog is open: the model receives it, and the record proves it", async () => {
    await using stage = await openOpencodeStage(version, ask("one", [question(TEXT, LABELS)]));
    await stage.lab.prompt("SCENARIO:one please");
    await waitForQuestion(stage.lab.tmux, TEXT);
    const open = await stage.ask(TEXT, ({ reachable }) => reachable);
    expect(open).toMatchObject({ state: "open", kind: "question", origin: { agent: "opencode" } });
    const said = await stage.parley("answer", open.id, "2");
    expect(said.out + said.err).toContain("✓ opencode received");
    expect(said.code).toBe(0);
    expect((await stage.model.waitForToolResult("call_one")).text).toContain(`"${TEXT}"="SQLite, embedded"`);
    expect(await stage.ask(TEXT, ({ state }) => state === "verified")).toMatchObject({
      outcome: { type: "answered", actor: { type: "person", surface: "cli" } },
      deliveries: [{ channel: "remote", state: "verified" }],
    });
  });

  it("[OR2] is answered in the terminal first: Parley says so, and who comes later is told", async () => {
    await using stage = await openOpencodeStage(version, ask("two", [question(TEXT, LABELS)]));
    await stage.lab.prompt("SCENARIO:two please");
    await waitForQuestion(stage.lab.tmux, TEXT);
    const open = await stage.ask(TEXT, ({ reachable }) => reachable);
    await stage.lab.tmux.keys("Down");
    await stage.lab.tmux.keys("Enter");
    expect(await stage.ask(TEXT, ({ state }) => state === "closed")).toMatchObject({
      outcome: { type: "answered-elsewhere", answers: [{ picks: [1] }] },
    });
    const late = await stage.parley("answer", open.id, "1");
    expect([late.code, late.out + late.err]).toEqual([4, expect.stringContaining("SQLite, embedded")]);
  });

  it("[OR3] is dismissed with Esc in the terminal: it ends declined", async () => {
    await using stage = await openOpencodeStage(version, ask("esc", [question(TEXT, LABELS)]));
    await stage.lab.prompt("SCENARIO:esc please");
    await waitForQuestion(stage.lab.tmux, TEXT);
    await stage.ask(TEXT, ({ reachable }) => reachable);
    await stage.lab.tmux.keys("Escape");
    expect(await stage.ask(TEXT, ({ state }) => state === "closed")).toMatchObject({ outcome: { type: "declined" } });
  });

  it("[OR4] dies with its agent: it is withdrawn", async () => {
    await using stage = await openOpencodeStage(version, ask("dead", [question(TEXT, LABELS)]));
    await stage.lab.prompt("SCENARIO:dead please");
    await waitForQuestion(stage.lab.tmux, TEXT);
    await stage.ask(TEXT, ({ reachable }) => reachable);
    await stage.lab.kill();
    expect(await stage.ask(TEXT, ({ state }) => state === "closed")).toMatchObject({
      outcome: { type: "withdrawn", reason: "agent-exited" },
    });
  });

  it("[OR5] waits through the death of the daemon, and takes the answer given to the next one", async () => {
    await using stage = await openOpencodeStage(version, ask("again", [question(TEXT, LABELS)]));
    await stage.lab.prompt("SCENARIO:again please");
    await waitForQuestion(stage.lab.tmux, TEXT);
    const { id } = await stage.ask(TEXT, ({ reachable }) => reachable);
    await stage.program.kill9();
    await stage.program.start();
    await stage.ask(TEXT, ({ reachable }) => reachable);
    expect((await stage.parley("answer", id, "1")).out).toContain("✓ opencode received");
    expect((await stage.model.waitForToolResult("call_again")).text).toContain(`"${TEXT}"="PostgreSQL"`);
  });
});
