import { afterAll, expect } from "bun:test";
import { waitForInput, waitForQuestion } from "../../src/agents/pi/lab/screen.ts";
import type { Say } from "../../src/lab/model.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import { eventually } from "../patience.ts";
import { eachPi, openPiStage, type PiStage } from "./pi-stage.ts";

const SELECTS = ["one", "esc", "decline", "stop", "away", "note", "killed"];
const OPTIONS = ["PostgreSQL", "SQLite, embedded", "DuckDB"];
const titleOf = (name: string) => `Which database for ${name}?`;
const call = (name: string, tool: string, input: Record<string, unknown>): Say[] => [
  { text: "Let me ask." },
  { tool, id: `call_${name}`, input },
];
const script: Record<string, Say[]> = {
  ...Object.fromEntries(
    SELECTS.map((name) => [name, call(name, "ask_select", { title: titleOf(name), options: OPTIONS })]),
  ),
  confirm: call("confirm", "ask_confirm", { title: "Deploy?", message: "Should we deploy now?" }),
  input: call("input", "ask_input", { title: "Project name?", placeholder: "my-project" }),
  secret: call("secret", "ask_input", { title: "API key for the service?", placeholder: "" }),
  twice: call("twice", "ask_twice", { title: "Letter" }),
  gate: call("gate", "bash", { command: "rm -rf ./nothing-there && echo done-it" }),
};

/** One pi for all: it goes on after each. Who is first, and what dies: test/agents/proof. */
eachPi("pi", ({ version, rest, main }) => {
  let opened: Promise<PiStage> | undefined;
  const open = () => (opened ??= openPiStage(version, script));
  afterAll(async () => (await opened)?.[Symbol.asyncDispose]());
  const isNamed = (name: string) => (ask: AskView) => ask.deliveries.some(({ key }) => key === `call_${name}`);
  const becomes = (stage: PiStage, name: string, state: string) =>
    stage.find((ask) => isNamed(name)(ask) && ask.state === state);
  const asking = async (name: string, shows = titleOf(name)) => {
    const stage = await open();
    await stage.lab.prompt(`SCENARIO:${name} please`);
    await waitForQuestion(stage.lab.tmux, shows);
    return { stage, ask: await stage.find((each) => isNamed(name)(each) && each.reachable) };
  };
  const told = async (stage: PiStage, name: string) => (await stage.model.waitForToolResult(`call_${name}`)).text;

  main("[PK1] a dialog of any extension is answered from a shell while it is open; the session proves it", async () => {
    const { stage, ask } = await asking("one");
    expect(ask).toMatchObject({ state: "open", kind: "question", origin: { agent: "pi" } });
    expect(ask.origin.pane).toBeDefined();
    const said = await stage.parley("answer", ask.id, "2");
    expect([said.code, said.out + said.err]).toEqual([0, expect.stringContaining("✓ pi received")]);
    expect(await told(stage, "one")).toBe("The user said: SQLite, embedded");
    expect(await becomes(stage, "one", "verified")).toMatchObject({
      outcome: { type: "answered", actor: { type: "person", surface: "cli" } },
      deliveries: [{ channel: "remote", state: "verified" }],
    });
    await waitForInput(stage.lab.tmux);
  });

  rest("[PK2] a confirmation and a text are answered too, each as its dialog would have", async () => {
    const confirm = await asking("confirm", "Should we deploy now?");
    expect(confirm.ask.questions[0]).toMatchObject({
      text: "Deploy?",
      body: "Should we deploy now?",
      options: [{ label: "Yes" }, { label: "No" }],
    });
    const { stage } = confirm;
    expect((await stage.parley("answer", confirm.ask.id, "1")).out).toContain("✓ pi received");
    expect(await told(stage, "confirm")).toBe("The user said: true");

    const input = await asking("input", "Project name?");
    expect((await stage.parley("answer", input.ask.id, "--text", 'acme, "quoted" ✓')).out).toContain("✓ pi received");
    expect(await told(stage, "input")).toBe('The user said: acme, "quoted" ✓');
    await becomes(stage, "input", "verified");
  });

  rest("[PK4] Esc ends it declined; declined from outside the agent reads the words in the same turn", async () => {
    const { stage } = await asking("esc");
    await stage.lab.tmux.keys("Escape");
    expect(await becomes(stage, "esc", "closed")).toMatchObject({ outcome: { type: "declined" } });

    const { ask } = await asking("decline");
    await stage.parley("answer", ask.id, "--decline", "-m", "look at docs/db.md first");
    expect(await told(stage, "decline")).toBe("The user said: undefined");
    await becomes(stage, "decline", "verified");
    await stage.lab.tmux.waitFor(/look at docs\/db\.md first/);
    await waitForInput(stage.lab.tmux);
    const words = "The user declined to answer this question: look at docs/db.md first";
    expect(JSON.stringify(stage.model.requests.at(-1)?.messages)).toContain(words);
  });

  rest("[PK5] a note goes along as a message of its own; a cancelled question stops the turn", async () => {
    const { stage, ask } = await asking("note");
    await stage.parley("answer", ask.id, "3", "-m", "only for the tests");
    expect(await told(stage, "note")).toBe("The user said: DuckDB");
    expect(await becomes(stage, "note", "verified")).toMatchObject({ outcome: { type: "answered" } });
    await waitForInput(stage.lab.tmux);
    expect(JSON.stringify(stage.model.requests.at(-1)?.messages)).toContain("only for the tests");

    const stopped = await asking("stop");
    expect((await stage.parley("answer", stopped.ask.id, "--cancel")).code).toBe(0);
    expect(await becomes(stage, "stop", "verified")).toMatchObject({ outcome: { type: "cancelled" } });
    await stage.lab.tmux.waitFor(/aborted/i);
  });

  rest("[PK6] a gate before a command of pi's own is one of them: allowed here, it runs", async () => {
    const { stage, ask } = await asking("gate", "Dangerous command:");
    expect(ask.questions[0]?.text).toContain("rm -rf ./nothing-there");
    expect((await stage.parley("answer", ask.id, "Yes")).out).toContain("✓ pi received");
    expect(await told(stage, "gate")).toContain("done-it");
    await becomes(stage, "gate", "verified");
  });

  rest("[PK7] one call may ask twice, and each is a question of its own", async () => {
    const { stage, ask } = await asking("twice", "Letter 1");
    // Its call is written down when it has asked all.
    await stage.program.parley(["answer", ask.id, "b"]);
    await waitForQuestion(stage.lab.tmux, "Letter 2");
    const second = await stage.find(
      (each) => each.deliveries.some(({ key }) => key === "call_twice#2") && each.reachable,
    );
    await stage.parley("answer", second.id, "c");
    expect(await told(stage, "twice")).toBe("The user said: b c");
    await becomes(stage, "twice", "verified");
  });

  rest("[PK8] what asks for a secret stays in pi's terminal", async () => {
    const stage = await open();
    await stage.lab.prompt("SCENARIO:secret please");
    await waitForQuestion(stage.lab.tmux, "API key for the service?");
    await stage.lab.tmux.type("hunter2");
    await stage.lab.tmux.keys("Enter");
    expect(await told(stage, "secret")).toBe("The user said: hunter2");
    await waitForInput(stage.lab.tmux);
    // A command asks outside of any turn; what came before it would be here by now.
    await stage.lab.prompt("/colour");
    const ask = await stage.find(({ questions, reachable }) => reachable && questions[0]?.text === "Which colour?");
    await stage.parley("answer", ask.id, "green");
    await stage.lab.tmux.waitFor(/Colour: green/);
    const { asks } = await stage.program.client("human").call("listAsks", { query: { state: "all", limit: 500 } });
    expect(asks.filter(({ questions }) => /API key/.test(questions[0]?.text ?? ""))).toEqual([]);
    await stage.find(({ id, state }) => id === ask.id && state === "verified");
  });

  rest(
    "[LO6] the daemon is killed while it asks: the next one is started from here, and its answer is taken",
    async () => {
      const { stage, ask } = await asking("killed");
      await stage.program.kill9();
      // Nobody starts it but the extension.
      await eventually(() => expect(isAlive(stage.program.registration().process)).toBe(true));
      await stage.find(({ id, reachable }) => id === ask.id && reachable);
      expect((await stage.parley("answer", ask.id, "2")).out).toContain("✓ pi received");
      expect(await told(stage, "killed")).toBe("The user said: SQLite, embedded");
      await waitForInput(stage.lab.tmux);
    },
  );

  rest("[PK10] answered in the terminal while the daemon was away: the session says how", async () => {
    const { stage } = await asking("away");
    await stage.program.kill9();
    await stage.lab.tmux.keys("Enter");
    expect(await told(stage, "away")).toBe("The user said: PostgreSQL");
    await stage.program.start();
    expect(await becomes(stage, "away", "closed")).toMatchObject({
      outcome: { type: "answered-elsewhere", answers: [{ picks: [0] }] },
    });
  });
});
