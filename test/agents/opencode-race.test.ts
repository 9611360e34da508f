import { afterAll, expect } from "bun:test";
import { waitForQuestion } from "../../src/agents/opencode/lab/screen.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import { eventually } from "../patience.ts";
import { sharedStage } from "./opencode-parley.ts";
import { eachOpencode, question } from "./opencode-stage.ts";

const NAMES = ["one", "two", "esc", "again", "dead"];
const textOf = (name: string) => `Which database should I use for ${name}?`;
const LABELS = ["PostgreSQL", "SQLite, embedded"];
const script = Object.fromEntries(
  NAMES.map((name) => {
    const input = { questions: [question(textOf(name), LABELS)] };
    return [name, [{ text: "Let me ask." }, { tool: "question", id: `call_${name}`, input }]];
  }),
);

/** One opencode for all of a version: it goes on after each. What kills it comes last. */
eachOpencode("a question", ({ version, it, rest }) => {
  const shared = sharedStage(version, script);
  const hasRecord = version !== "1.1.11";
  afterAll(shared.close);
  const asking = async (name: string) => {
    const stage = await shared.open();
    await stage.lab.prompt(`SCENARIO:${name} please`);
    await waitForQuestion(stage.lab.tmux, textOf(name));
    return { stage, text: textOf(name), ask: await stage.ask(textOf(name), ({ reachable }) => reachable) };
  };

  it("[OR1] is answered from a shell while its dialog is open: the model receives it, and the record proves it", async () => {
    const { stage, text, ask } = await asking("one");
    expect(ask).toMatchObject({ state: "open", kind: "question", origin: { agent: "opencode" } });
    const said = await stage.parley("answer", ask.id, "2");
    expect([said.code, said.out + said.err]).toEqual([0, expect.stringContaining("✓ opencode received")]);
    expect((await stage.model.waitForToolResult("call_one")).text).toContain(`"${text}"="SQLite, embedded"`);
    expect(await stage.ask(text, ({ state }) => state === "verified")).toMatchObject({
      outcome: { type: "answered", actor: { type: "person", surface: "cli" } },
      deliveries: [{ channel: "remote", state: "verified" }],
    });
    // Its turn is over: the session says what it is called and what was said last, before 1.3 without its record.
    const sessions = async () => JSON.parse((await stage.parley("sessions", "--json")).out) as { sessions: object[] };
    await eventually(async () =>
      expect((await sessions()).sessions).toContainEqual(
        expect.objectContaining({
          id: ask.origin.session,
          state: "finished",
          title: expect.any(String),
          ...(hasRecord && { idle: expect.objectContaining({ said: expect.stringMatching(/./) }) }),
        }),
      ),
    );
  });

  rest("[OR2] is answered in the terminal first: Parley says so, and who comes later is told", async () => {
    const { stage, text, ask } = await asking("two");
    await stage.lab.tmux.keys("Down");
    await stage.lab.tmux.keys("Enter");
    expect(await stage.ask(text, ({ state }) => state === "closed")).toMatchObject({
      outcome: { type: "answered-elsewhere", answers: [{ picks: [1] }] },
    });
    const late = await stage.parley("answer", ask.id, "1");
    expect([late.code, late.out + late.err]).toEqual([4, expect.stringContaining("SQLite, embedded")]);
  });

  rest("[OR3] is dismissed with Esc in the terminal: it ends declined", async () => {
    const { stage, text } = await asking("esc");
    await stage.lab.tmux.keys("Escape");
    expect(await stage.ask(text, ({ state }) => state === "closed")).toMatchObject({ outcome: { type: "declined" } });
  });

  it("[OR5] waits through the death of the daemon, starts the next one, and takes the answer given to the next one", async () => {
    const { stage, text, ask } = await asking("again");
    await stage.program.kill9();
    // Nobody starts it but the plugin.
    await eventually(() => expect(isAlive(stage.program.registration().process)).toBe(true));
    await stage.ask(text, ({ reachable }) => reachable);
    expect((await stage.parley("answer", ask.id, "1")).out).toContain("✓ opencode received");
    expect((await stage.model.waitForToolResult("call_again")).text).toContain(`"${text}"="PostgreSQL"`);
  });

  rest("[OR4] dies with its agent: it is withdrawn", async () => {
    const { stage, text } = await asking("dead");
    await stage.lab.kill();
    expect(await stage.ask(text, ({ state }) => state === "closed")).toMatchObject({
      outcome: { type: "withdrawn", reason: "agent-exited" },
    });
  });
});
