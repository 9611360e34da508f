import { afterAll, expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { waitForPermission, waitForQuestion } from "../../src/agents/opencode/lab/screen.ts";
import { eventually } from "../patience.ts";
import { sharedStage } from "./opencode-parley.ts";
import { eachOpencode2, question } from "./opencode-stage.ts";

const textOf = (name: string) => `Which database should I use for ${name}?`;
const LABELS = ["PostgreSQL", "SQLite, embedded"];
const asks = (name: string) => ({
  tool: "question",
  id: `call_${name}`,
  input: { questions: [question(textOf(name), LABELS)] },
});
const runs = (name: string, command: string) => ({ tool: "shell", id: `call_${name}`, input: { command } });
const script = {
  ...Object.fromEntries(
    ["one", "two", "esc", "again", "late", "stop", "words", "tie", "dead", "born"].map((name) => [
      name,
      [{ text: "Let me ask." }, asks(name)],
    ]),
  ),
  many: [
    {
      tool: "question",
      id: "call_many",
      input: {
        questions: [question(textOf("many"), LABELS), question("Which parts?", ["Auth", "Search"], { multiple: true })],
      },
    },
  ],
  once: [runs("once", "touch once.txt")],
  no: [runs("no", "touch no.txt")],
  always: [runs("always", "touch always.txt")],
  same: [runs("same", "touch always.txt")],
};

/** One service and terminal for all of a version: they go on after each. What kills them comes last. */
eachOpencode2("opencode 2", ({ version, it, main, rest }) => {
  const shared = sharedStage(version, script);
  afterAll(shared.close);
  const asking = async (name: string) => {
    const stage = await shared.open();
    await stage.lab.prompt(`SCENARIO:${name} please`);
    await waitForQuestion(stage.lab.tmux, textOf(name));
    return { stage, text: textOf(name), ask: await stage.ask(textOf(name), ({ reachable }) => reachable) };
  };
  const needing = async (name: string) => {
    const stage = await shared.open();
    await stage.lab.prompt(`SCENARIO:${name} please`);
    await waitForPermission(stage.lab.tmux);
    const about = ({ questions: [first] }: { questions: { body?: string | undefined }[] }) =>
      first?.body?.includes(`touch ${name}.txt`) === true;
    return { stage, about, ask: await stage.find((each) => about(each) && each.reachable) };
  };

  main(
    "[OZ1] a question is answered from a shell while its dialog is open: the model receives it, the record proves it",
    async () => {
      const { stage, text, ask } = await asking("one");
      expect(ask).toMatchObject({
        state: "open",
        kind: "question",
        origin: { agent: "opencode", cwd: stage.lab.project },
      });
      const said = await stage.parley("answer", ask.id, "2");
      expect([said.code, said.out + said.err]).toEqual([0, expect.stringContaining("✓ opencode received")]);
      expect((await stage.model.waitForToolResult("call_one")).text).toContain(`"${text}"="SQLite, embedded"`);
      expect(await stage.ask(text, ({ state }) => state === "verified")).toMatchObject({
        outcome: { type: "answered", actor: { type: "person", surface: "cli" } },
        deliveries: [{ channel: "remote", state: "verified" }],
      });
      // Its turn is over: the session says what was said last, from its record.
      const sessions = async () => JSON.parse((await stage.parley("sessions", "--json")).out) as { sessions: object[] };
      await eventually(async () =>
        expect((await sessions()).sessions).toContainEqual(
          expect.objectContaining({
            id: ask.origin.session,
            state: "finished",
            idle: expect.objectContaining({ said: expect.stringMatching(/./) }),
          }),
        ),
      );
    },
  );

  rest("[OZ2] answered in the terminal first: Parley says so, and who comes later is told", async () => {
    const { stage, text, ask } = await asking("two");
    await stage.lab.tmux.keys("Down");
    await stage.lab.tmux.keys("Enter");
    expect(await stage.ask(text, ({ state }) => state === "closed")).toMatchObject({
      outcome: { type: "answered-elsewhere", answers: [{ picks: [1] }] },
    });
    const late = await stage.parley("answer", ask.id, "1");
    expect([late.code, late.out + late.err]).toEqual([4, expect.stringContaining("SQLite, embedded")]);
  });

  rest("[OZ3] dismissed with Esc in the terminal: it ends declined", async () => {
    const { stage, text } = await asking("esc");
    await stage.lab.tmux.keys("Escape");
    expect(await stage.ask(text, ({ state }) => state === "closed")).toMatchObject({ outcome: { type: "declined" } });
  });

  rest("[OZ4] several questions, several picks, own words and a note arrive as they were given", async () => {
    const stage = await shared.open();
    await stage.lab.prompt("SCENARIO:many please");
    const ask = await stage.ask(textOf("many"), ({ reachable }) => reachable);
    const answers = [
      { picks: [0], note: "it is there already" },
      { picks: [0, 1], text: "and billing, later" },
    ];
    await stage.program.client("human").call("settleAsk", { id: ask.id, body: { action: "answer", answers } });
    const { text } = await stage.model.waitForToolResult("call_many");
    expect(text).toContain('"="PostgreSQL [note] it is there already"');
    expect(text).toContain('"Which parts?"="Auth, Search, and billing, later"');
    await stage.ask(textOf("many"), ({ state }) => state === "verified");
  });

  rest(
    "[OZ5] declined with words: its model reads them in the place of the answer; cancelled: its turn stops",
    async () => {
      const words = await asking("words");
      const body = { action: "decline" as const, message: "ask me tomorrow" };
      await words.stage.program.client("human").call("settleAsk", { id: words.ask.id, body });
      expect((await words.stage.model.waitForToolResult("call_words")).text).toContain("ask me tomorrow");
      await words.stage.ask(words.text, ({ state }) => state === "verified");
      const stop = await asking("stop");
      await stop.stage.parley("answer", stop.ask.id, "--cancel");
      expect(await stop.stage.ask(stop.text, ({ state }) => state === "verified")).toMatchObject({
        outcome: { type: "cancelled" },
      });
    },
  );

  it("[OZ6] a command is allowed once from outside, and runs", async () => {
    const { stage, ask, about } = await needing("once");
    expect(ask).toMatchObject({ kind: "approval", call: { type: "command", command: "touch once.txt" } });
    await stage.parley("answer", ask.id, "1");
    await stage.model.waitForToolResult("call_once");
    expect(existsSync(join(stage.lab.project, "once.txt"))).toBe(true);
    await stage.find((each) => about(each) && each.state === "verified");
  });

  rest("[OZ7] a command is denied with words: it does not run, and the words follow as a message", async () => {
    const { stage, ask, about } = await needing("no");
    const deny = ask.questions[0]?.options.findIndex(({ effect }) => effect === "deny") ?? -1;
    const answers = [{ picks: [deny], note: "use mktemp instead" }];
    await stage.program.client("human").call("settleAsk", { id: ask.id, body: { action: "answer", answers } });
    await stage.model.waitForToolResult("call_no");
    expect(existsSync(join(stage.lab.project, "no.txt"))).toBe(false);
    await eventually(() => expect(JSON.stringify(stage.model.requests)).toContain("use mktemp instead"));
    await stage.find((each) => about(each) && each.state === "verified");
  });

  rest("[OZ8] allowed always: it says that this lasts, and the same command is not asked about again", async () => {
    const { stage, ask, about } = await needing("always");
    expect(ask.questions[0]?.options[1]?.description).toContain("touch always.txt from now on");
    await stage.parley("answer", ask.id, "2");
    await stage.model.waitForToolResult("call_always");
    await stage.find((each) => about(each) && each.state === "verified");
    await stage.lab.prompt("SCENARIO:same please");
    expect((await stage.model.waitForToolResult("call_same")).text).toContain("code 0");
  });

  it("[OZ9] waits through the death of the daemon, and takes the answer given to the next one", async () => {
    const { stage, text, ask } = await asking("again");
    await stage.program.kill9();
    await stage.program.start();
    await stage.ask(text, ({ reachable }) => reachable);
    expect((await stage.parley("answer", ask.id, "1")).out).toContain("✓ opencode received");
    expect((await stage.model.waitForToolResult("call_again")).text).toContain(`"${text}"="PostgreSQL"`);
  });

  rest(
    "[OZ23] answered here and there in the same instant: one answer wins, and it is the one its model has",
    async () => {
      const { stage, text, ask } = await asking("tie");
      await stage.lab.tmux.keys("Down");
      const body = { action: "answer" as const, answers: [{ picks: [0] }] };
      await Promise.all([
        stage.program.client("human").call("settleAsk", { id: ask.id, body }),
        stage.lab.tmux.keys("Enter"),
      ]).catch(() => undefined);
      const told = (await stage.model.waitForToolResult("call_tie")).text;
      const done = await stage.ask(text, ({ state }) => state === "verified" || state === "closed");
      const isOurs = told.includes(`"${text}"="PostgreSQL"`);
      expect(isOurs || told.includes(`"${text}"="SQLite, embedded"`)).toBe(true);
      expect(done.state).toBe(isOurs ? "verified" : "closed");
      if (!isOurs) expect(done.outcome?.type).toMatch(/^(overtaken|answered-elsewhere)$/);
    },
  );

  rest("[OZ10] its terminal killed: the service keeps the question, and takes the answer", async () => {
    const { stage, text, ask } = await asking("late");
    await stage.lab.kill();
    expect((await stage.parley("answer", ask.id, "1")).out).toContain("✓ opencode received");
    expect((await stage.model.waitForToolResult("call_late")).text).toContain(`"${text}"="PostgreSQL"`);
    await stage.lab.start();
  });

  rest("[OZ11] its service killed: the question is withdrawn, and the next service is found", async () => {
    const { stage, text } = await asking("dead");
    await stage.lab.killService();
    expect(await stage.ask(text, ({ state }) => state === "closed")).toMatchObject({
      outcome: { type: "withdrawn", reason: "agent-exited" },
    });
    await stage.lab.kill();
    await stage.lab.start();
    const next = await asking("born");
    expect((await stage.parley("answer", next.ask.id, "1")).out).toContain("✓ opencode received");
  });
});
