import { afterAll, expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { waitForApproval, waitForInput, waitForQuestion } from "../../src/agents/copilot/lab/screen.ts";
import type { Say } from "../../src/lab/model.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { type CopilotStage, eachCopilot, openCopilotStage } from "./copilot-stage.ts";

const textOf = (name: string) => `Which database for ${name}?`;
const form = (message: string, properties: object) => ({ message, requestedSchema: { properties } });
const single = (name: string) => ({
  type: "string",
  title: "Database",
  description: textOf(name),
  enum: ["PostgreSQL", "SQLite, embedded"],
});
const asks = (name: string): Say => ({
  tool: "ask_user",
  id: `call_${name}`,
  input: form(textOf(name), { database: single(name) }),
});
const runs = (name: string, command = `touch ${name}.txt`): Say => ({
  tool: "bash",
  id: `call_${name}`,
  input: { command, description: `Make ${name}`, mode: "sync", initial_wait: 5 },
});
const ANSWERED = ["one", "own", "chat", "term", "esc", "late", "dead"];
const script: Record<string, Say[]> = {
  ...Object.fromEntries(ANSWERED.map((name) => [name, [{ text: "Let me ask." }, asks(name)]])),
  several: [
    {
      tool: "ask_user",
      id: "call_several",
      input: form("Before I begin", {
        database: single("several"),
        parts: {
          type: "array",
          title: "Parts",
          description: "Which parts?",
          items: { anyOf: ["Alpha", "Beta, too", "Gamma"].map((title, i) => ({ const: `p${i}`, title })) },
        },
        go: { type: "boolean", title: "Go", description: "Go on?" },
        name: { type: "string", title: "Name", description: "What name?" },
        count: { type: "number", title: "Count" },
      }),
    },
  ],
  allowed: [runs("allowed")],
  denied: [runs("denied")],
  stopped: [runs("stopped")],
  first: [runs("first", "touch granted.txt")],
  granted: [runs("granted", "touch granted.txt")],
  harmless: [runs("harmless", "ls")],
  edit: [{ tool: "create", id: "call_edit", input: { path: "edit.txt", file_text: "one\ntwo\n" } }],
  outside: [{ tool: "view", id: "call_outside", input: { path: "/etc/hostname" } }],
};

/** One Copilot for all of a version: it goes on after each. What kills it comes last. */
eachCopilot("Copilot CLI", ({ version, main, rest }) => {
  let opened: Promise<CopilotStage> | undefined;
  const open = () => (opened ??= openCopilotStage(version, script));
  afterAll(async () => (await opened)?.[Symbol.asyncDispose]());
  const isNamed = (name: string) => (ask: AskView) => ask.deliveries.some(({ key }) => key === `call_${name}`);
  const becomes = (stage: CopilotStage, name: string, state: string) =>
    stage.find((ask) => isNamed(name)(ask) && ask.state === state);

  const asking = async (name: string, shown: (stage: CopilotStage) => Promise<unknown>) => {
    const stage = await open();
    await stage.lab.prompt(`SCENARIO:${name} please`);
    await shown(stage);
    return { stage, ask: await stage.find(isNamed(name)) };
  };
  const question = (name: string) => asking(name, ({ lab }) => waitForQuestion(lab.tmux, textOf(name)));
  const approval = (name: string) => asking(name, ({ lab }) => waitForApproval(lab.tmux));
  const told = async (stage: CopilotStage, name: string) => (await stage.model.waitForToolResult(`call_${name}`)).text;

  main("[CP1] a question is answered from a shell: typed into its dialog, and proven by its record", async () => {
    const { stage, ask } = await question("one");
    expect(ask).toMatchObject({
      kind: "question",
      reachable: true,
      origin: { agent: "copilot" },
      deliveries: [{ key: "call_one", channel: "keys" }],
    });
    // What was said before it comes a moment later.
    await stage.find(({ id, origin }) => id === ask.id && origin.lastText === "Let me ask.");
    const said = await stage.parley("answer", ask.id, "2");
    expect([said.code, said.out + said.err]).toEqual([0, expect.stringContaining("“SQLite, embedded”".slice(1, -1))]);
    expect(await told(stage, "one")).toBe("User responded: SQLite, embedded");
    expect(await becomes(stage, "one", "verified")).toMatchObject({
      outcome: { type: "answered", actor: { type: "person", surface: "cli" } },
    });
  });

  rest("[CP2] a command is allowed, and another denied with words; what runs is what was shown", async () => {
    const { stage, ask } = await approval("allowed");
    expect(ask).toMatchObject({ kind: "approval", questions: [{ title: "$ touch allowed.txt" }] });
    await stage.parley("answer", ask.id, "1");
    expect(await told(stage, "allowed")).toContain("exit code 0");
    await becomes(stage, "allowed", "verified");
    expect(existsSync(join(stage.lab.project, "allowed.txt"))).toBe(true);
    const denied = await approval("denied");
    await stage.parley("answer", denied.ask.id, "2", "-m", "use mktemp; please");
    expect(await told(stage, "denied")).toContain("User feedback: The user does not allow this: use mktemp; please");
    await becomes(stage, "denied", "verified");
    expect(existsSync(join(stage.lab.project, "denied.txt"))).toBe(false);
  });

  rest("[CP3] a form of several fields: one, several, yes or no, words, a number", async () => {
    const { stage, ask } = await asking("several", ({ lab }) => waitForQuestion(lab.tmux, textOf("several")));
    const body = {
      action: "answer" as const,
      answers: [
        { picks: [0] },
        { picks: [0, 1], text: "and Delta" },
        { picks: [1] },
        { picks: [], text: "Ada @home /x" },
        { picks: [], text: "42" },
      ],
    };
    await stage.program.client("human").call("settleAsk", { id: ask.id, body });
    expect(await told(stage, "several")).toBe(
      "User responded: database=PostgreSQL, parts=p0, p1, and Delta, go=false, name=Ada @home /x, count=42",
    );
    await becomes(stage, "several", "verified");
  });

  rest("[CP4] own words, and words in place of an answer, reach the model as they are", async () => {
    const { stage, ask } = await question("own");
    const words =
      "neither; rather /tmp/x with @files, #1 and a sentence that is long enough to be wrapped in this terminal";
    await stage.parley("answer", ask.id, "-m", words);
    expect(await told(stage, "own")).toBe(`User responded: ${words}`);
    await becomes(stage, "own", "verified");
    const { ask: other } = await question("chat");
    await stage.parley("answer", other.id, "--chat", "why do you ask?");
    expect(await told(stage, "chat")).toContain("why do you ask?");
    await becomes(stage, "chat", "verified");
  });

  rest("[CP5] answered in its terminal, or Esc there: the inbox says so, and nothing is typed", async () => {
    const { stage } = await question("term");
    for (const key of ["Down", "Enter"]) await stage.lab.tmux.keys(key);
    expect(await becomes(stage, "term", "closed")).toMatchObject({
      outcome: { type: "answered-elsewhere", answers: [{ picks: [1] }] },
    });
    await question("esc");
    await stage.lab.tmux.keys("Escape");
    expect((await becomes(stage, "esc", "closed")).outcome?.type).toBe("declined");
    await approval("stopped");
    await stage.lab.tmux.keys("Escape");
    expect((await becomes(stage, "stopped", "closed")).outcome?.type).toBe("declined");
  });

  rest("[CP6] where somebody has begun to answer in the terminal no key is sent", async () => {
    const { stage, ask } = await question("late");
    await stage.lab.tmux.keys("Down", "Down");
    await stage.lab.tmux.waitFor(/Type your answer\.\.\./);
    await stage.lab.tmux.type("mine");
    await stage.lab.tmux.waitFor(/^❯ mine$/m);
    await stage.program.parley(["answer", ask.id, "1"]);
    await stage.find(
      (each) => isNamed("late")(each) && each.deliveries[0]?.released?.includes("somebody typed") === true,
    );
    await stage.lab.tmux.keys("Enter");
    expect(await told(stage, "late")).toBe("User responded: mine");
    expect((await becomes(stage, "late", "closed")).outcome).toMatchObject({ type: "overtaken" });
  });

  rest(
    "[CP7] an edit is allowed where all of it is on the screen; what its keys cannot answer is only seen",
    async () => {
      const { stage, ask } = await approval("edit");
      await stage.parley("answer", ask.id, "1");
      expect(await told(stage, "edit")).toContain("Created file");
      await becomes(stage, "edit", "verified");
      const outside = await approval("outside");
      expect(outside.ask.deliveries).toMatchObject([{ channel: "none" }]);
      expect((await stage.parley("answer", outside.ask.id, "1")).code).not.toBe(0);
      await stage.lab.tmux.keys("Enter");
      expect((await becomes(stage, "outside", "closed")).outcome?.type).toBe("answered-elsewhere");
    },
  );

  rest(
    "[CP8] a grant of a person's allows at once, without a dialog; a call that needs no leave is no question",
    async () => {
      const { stage, ask } = await approval("first");
      const given = await stage.parley("answer", ask.id, "--grant", "10m", "--yes");
      expect([given.code, given.err]).toEqual([0, ""]);
      await told(stage, "first");
      await stage.lab.prompt("SCENARIO:granted please");
      expect(await told(stage, "granted")).toContain("exit code 0");
      const allowed = await stage.find(({ outcome }) => outcome?.actor.surface === "grant");
      expect(allowed).toMatchObject({ outcome: { type: "answered" }, questions: [{ title: "$ touch granted.txt" }] });
      await stage.find(({ id, state }) => id === allowed.id && state === "verified");
      await stage.lab.prompt("SCENARIO:harmless please");
      await told(stage, "harmless");
      await waitForInput(stage.lab.tmux);
      expect((await stage.all()).filter(({ questions }) => questions[0]?.title === "$ ls")).toEqual([]);
    },
  );

  rest("[CP9] Copilot killed: the question is withdrawn", async () => {
    const { stage, ask } = await question("dead");
    await stage.lab.tmux.closeWindow();
    const gone = await stage.find(({ id, state }) => id === ask.id && state === "closed");
    expect(gone.outcome).toMatchObject({ type: "withdrawn" });
  });
});

eachCopilot("Copilot CLI in hold mode", ({ version, rest }) => {
  rest("[CP10] the answer comes as a denial that says it is none; no dialog opens", async () => {
    const holding = { setup: ["copilot", "--project", "--hold"] };
    await using stage = await openCopilotStage(version, { one: [asks("one")], no: [asks("no")] }, holding);
    await stage.lab.prompt("SCENARIO:one please");
    const ask = await stage.find(({ reachable }) => reachable);
    await stage.parley("answer", ask.id, "2", "-m", "the small one");
    const { text } = await stage.model.waitForToolResult("call_one");
    expect(text).toBe(
      "Denied by preToolUse hook: This is no refusal: the user has answered this question outside of the terminal.\n" +
        "database: SQLite, embedded — note: the small one",
    );
    await stage.find(({ id, state }) => id === ask.id && state === "verified");
    await stage.lab.prompt("SCENARIO:no please");
    const other = await stage.find(({ id, reachable }) => reachable && id !== ask.id);
    await stage.parley("answer", other.id, "--decline");
    expect((await stage.model.waitForToolResult("call_no")).text).toContain(
      "The user declined to answer this question.",
    );
    await stage.find(({ id, state }) => id === other.id && state === "verified");
  });
});

eachCopilot("Copilot CLI in a repository with hooks of Claude Code's", ({ version, once }) => {
  once("[CP11] runs them and goes on as if they were not there: nothing held, nobody listed", async () => {
    const script = { ask: [asks("ask")], ls: [runs("ls", "ls")] };
    await using stage = await openCopilotStage(version, script, { setup: ["claude-code", "--project", "--hold"] });
    await stage.lab.prompt("SCENARIO:ask please");
    await waitForQuestion(stage.lab.tmux, textOf("ask"));
    await stage.lab.tmux.keys("Enter");
    expect((await stage.model.waitForToolResult("call_ask")).text).toBe("User responded: PostgreSQL");
    await stage.lab.prompt("SCENARIO:ls please");
    expect((await stage.model.waitForToolResult("call_ls")).text).toContain("README.md");
    await waitForInput(stage.lab.tmux);
    expect(existsSync(join(stage.lab.project, ".claude/settings.json"))).toBe(true);
    expect(await stage.all()).toEqual([]);
    expect((await stage.program.client("human").call("listSessions", { query: {} })).sessions).toEqual([]);
  });
});
