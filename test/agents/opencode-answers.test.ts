import { afterAll, expect } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitForQuestion } from "../../src/agents/opencode/lab/screen.ts";
import { openOpencodeStage, type OpencodeStage, sharedStage } from "./opencode-parley.ts";
import { eachOpencode, question } from "./opencode-stage.ts";

const FIRST = "Which database should I use?";
const SECOND = "Which features, and which not?";
const form = [
  question(FIRST, ["PostgreSQL", "SQLite, embedded"]),
  question(SECOND, ["Auth", "Billing, monthly", "Search"], { multiple: true }),
];
const asks = (name: string, questions: unknown[]) => ({
  [name]: [{ text: "Let me ask." }, { tool: "question", id: `call_${name}`, input: { questions } }],
});
const calls = (name: string, command: string) => ({
  [name]: [{ text: "I will." }, { tool: "bash", id: `call_${name}`, input: { command, description: "Makes a file" } }],
});

const TALK = "Which database shall we talk about?";
const script = {
  ...asks("form", form),
  ...asks("talk", [question(TALK, ["PostgreSQL", "SQLite"])]),
  ...calls("once", "touch made.txt"),
  ...calls("deny", "touch never.txt"),
  ...calls("there", "touch there.txt"),
  ...calls("given", "touch given.txt"),
  ...calls("granted", "touch granted.txt"),
  ...calls("facts", "rm README.md notes.txt"),
  ...calls("silent", "touch silent.txt"),
};

/** One opencode for all of a version. */
eachOpencode("answers", ({ version, it, rest }) => {
  const shared = sharedStage(version, script);
  afterAll(shared.close);

  it("[OR6] several questions, several picks, labels with commas and own words arrive as they were given", async () => {
    const stage = await shared.open();
    await stage.lab.prompt("SCENARIO:form please");
    await waitForQuestion(stage.lab.tmux, FIRST);
    const { id } = await stage.ask(FIRST, ({ reachable }) => reachable);
    const answers = [{ picks: [1] }, { picks: [1, 2], text: "Export, later" }];
    await stage.program.client("human").call("settleAsk", { id, body: { action: "answer", answers } });
    const done = await stage.ask(
      FIRST,
      ({ state }) => state !== "open" && state !== "settled" && state !== "delivered",
    );
    expect([done.state, done.sentence]).toEqual(["verified", expect.stringContaining("received")]);
    const { text } = await stage.model.waitForToolResult("call_form");
    expect(text).toContain(`"${FIRST}"="SQLite, embedded"`);
    expect(text).toContain(`"${SECOND}"="Billing, monthly, Search, Export, later"`);
  });

  rest("[OR7] who declines with words, or wants to talk, is quoted to the model, and that is proven", async () => {
    const stage = await shared.open();
    await stage.lab.prompt("SCENARIO:talk please");
    await waitForQuestion(stage.lab.tmux, TALK);
    const { id } = await stage.ask(TALK, ({ reachable }) => reachable);
    const body = { action: "chat", message: "why a database at all?" } as const;
    await stage.program.client("human").call("settleAsk", { id, body });
    const done = await stage.ask(TALK, ({ state }) => state !== "open" && state !== "settled" && state !== "delivered");
    expect([done.state, done.outcome?.type]).toEqual(["verified", "chat"]);
    expect((await stage.model.waitForToolResult("call_talk")).text).toContain("why a database at all?");
  });

  it("[OR8] a permission is given once from a shell: the command runs, and its result is the proof", async () => {
    const stage = await shared.open();
    await stage.lab.prompt("SCENARIO:once please");
    const { id, questions } = await approval(stage, "once", ({ reachable }) => reachable);
    expect(questions[0]?.options.map(({ effect }) => effect)).toEqual(["allow", "allow", "deny", "cancel"]);
    const said = await stage.parley("answer", id, "1");
    expect([said.code, said.out + said.err]).toEqual([0, expect.stringContaining("opencode received")]);
    await stage.model.waitForToolResult("call_once");
    expect(existsSync(join(stage.lab.project, "made.txt"))).toBe(true);
  });

  rest("[OR9] a permission is denied with words: the command does not run, and the model reads them", async () => {
    const stage = await shared.open();
    await stage.lab.prompt("SCENARIO:deny please");
    const { id } = await approval(stage, "deny", ({ reachable }) => reachable);
    const answers = [{ picks: [2], note: "use mktemp instead" }];
    await stage.program.client("human").call("settleAsk", { id, body: { action: "answer", answers } });
    expect((await stage.model.waitForToolResult("call_deny")).text).toContain("use mktemp instead");
    const done = await approval(
      stage,
      "deny",
      ({ state }) => state === "verified" || state === "mismatched" || state === "closed",
    );
    expect(done.state).toBe("verified");
    expect(existsSync(join(stage.lab.project, "never.txt"))).toBe(false);
  });

  rest("[GP13] a granted command runs without being asked about, is counted, and its result is the proof", async () => {
    const stage = await shared.open();
    await stage.lab.prompt("SCENARIO:given please");
    const { id } = await approval(stage, "given", ({ reachable }) => reachable);
    const given = await stage.parley("answer", id, "--grant", "2x", "--pattern", "touch *", "--yes");
    expect([given.code, given.out + given.err]).toEqual([0, expect.stringContaining("counts from now on")]);
    await stage.model.waitForToolResult("call_given");
    await stage.lab.prompt("SCENARIO:granted please");
    await stage.model.waitForToolResult("call_granted");
    expect(existsSync(join(stage.lab.project, "granted.txt"))).toBe(true);
    const done = await approval(stage, "granted", ({ state }) => state === "verified");
    const [grant] = (await stage.program.client("human").call("listGrants", {})).grants;
    expect([done.outcome?.actor.type, grant?.used, grant?.lastAsk]).toEqual(["rule", 1, done.id]);
    await stage.program.client("human").call("revokeGrant", { id: grant?.id ?? "", body: {} });
  });

  rest("[RC28] what Parley found out about the command stands beside opencode's question, on its own", async () => {
    const stage = await shared.open();
    writeFileSync(join(stage.lab.project, "notes.txt"), "not committed\n");
    await stage.lab.prompt("SCENARIO:facts please");
    const { id, facts = [] } = await approval(stage, "facts", (ask) => ask.reachable && ask.facts !== undefined);
    expect(facts.map(({ text }) => text).join("\n")).toMatch(
      /deletes README\.md: .*in git[^]*deletes notes\.txt: .*not in git/,
    );
    expect((await stage.parley("show", id)).out).toContain("Found by Parley, without running it:");
    await stage.parley("answer", id, "--decline");
    await stage.model.waitForToolResult("call_facts");
    expect(existsSync(join(stage.lab.project, "notes.txt"))).toBe(true);
  });

  rest("[RC29] nobody decides: after the time that was set opencode's command is denied with a sentence", async () => {
    await using stage = await openOpencodeStage(version, script, { config: "approvals.deny_after_seconds = 1\n" });
    await stage.lab.prompt("SCENARIO:silent please");
    expect((await stage.model.waitForToolResult("call_silent")).text).toContain(
      "Nobody decided within 1 s, so this is denied",
    );
    const done = await approval(stage, "silent", ({ state }) => state === "verified" || state === "closed");
    expect([done.outcome?.type, done.outcome?.actor.surface]).toEqual(["declined", "timeout"]);
    expect(existsSync(join(stage.lab.project, "silent.txt"))).toBe(false);
  });

  rest("[OR10] a permission is given in the terminal first: Parley says so", async () => {
    const stage = await shared.open();
    await stage.lab.prompt("SCENARIO:there please");
    await approval(stage, "there", ({ reachable }) => reachable);
    await stage.lab.tmux.waitFor(/Allow once/);
    await stage.lab.tmux.keys("Enter");
    const done = await approval(stage, "there", ({ state }) => state === "closed");
    expect(done.outcome).toMatchObject({ type: "answered-elsewhere" });
    expect(existsSync(join(stage.lab.project, "there.txt"))).toBe(true);
  });
});

/** The permission for that call. */
const approval = (stage: OpencodeStage, name: string, ready: Parameters<OpencodeStage["find"]>[0]) =>
  stage.find(
    (ask) => ask.kind === "approval" && ask.deliveries.some(({ key }) => key.endsWith(`call_${name}`)) && ready(ask),
  );
