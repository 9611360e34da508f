import { afterAll, expect } from "bun:test";
import { waitForApproval, waitForInput, waitForQuestion } from "../../src/agents/codex/lab/screen.ts";
import type { Say } from "../../src/lab/model.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { type CodexStage, eachCodex, openCodexStage } from "./codex-stage.ts";

const QUESTIONS = ["one", "two", "esc", "own", "stop", "instant", "again", "closed", "dead"];
const textOf = (name: string) => `Which database for ${name}?`;
const asks = (name: string): Say => {
  const options = ["PostgreSQL", "SQLite, embedded"].map((label) => ({ label, description: `What ${label} means` }));
  const input = { questions: [{ id: "database", header: "Database", question: textOf(name), options }] };
  return { tool: "request_user_input", id: `call_${name}`, input };
};
/** Outside of what codex may do by itself. */
const runs = (name: string): Say => {
  const input = {
    cmd: `touch /dev/null/parley-${name}`,
    sandbox_permissions: "require_escalated",
    justification: "to try it",
  };
  return { tool: "exec_command", id: `call_${name}`, input };
};
const patch = "*** Begin Patch\n*** Add File: /parley-patched.txt\n+one\n+two\n*** End Patch";
const script: Record<string, Say[]> = {
  ...Object.fromEntries(QUESTIONS.map((name) => [name, [{ text: "Let me ask." }, asks(name)]])),
  once: [runs("once")],
  denied: [runs("denied")],
  worded: [runs("worded")],
  cancelled: [runs("cancelled")],
  edit: [{ tool: "exec_command", id: "call_edit", input: { cmd: `apply_patch <<'EOF'\n${patch}\nEOF\n` } }],
};

/** One codex for all of a version: it goes on after each. What kills its daemon comes last. */
eachCodex("codex", ({ version, rest, main }) => {
  let opened: Promise<CodexStage> | undefined;
  const open = () => (opened ??= openCodexStage(version, script));
  afterAll(async () => (await opened)?.[Symbol.asyncDispose]());
  const isNamed = (name: string) => (ask: AskView) => ask.deliveries.some(({ key }) => key === `call_${name}`);
  const reachable = (name: string) => (ask: AskView) => isNamed(name)(ask) && ask.reachable;

  const asking = async (name: string) => {
    const stage = await open();
    await stage.lab.prompt(`SCENARIO:${name} please`);
    await (QUESTIONS.includes(name) ? waitForQuestion(stage.lab.tmux, textOf(name)) : waitForApproval(stage.lab.tmux));
    return { stage, ask: await stage.find(reachable(name)) };
  };
  const becomes = (stage: CodexStage, name: string, state: string) =>
    stage.find((ask) => isNamed(name)(ask) && ask.state === state);

  main("[CX1] a question is answered from a shell while its dialog is open; the rollout proves it", async () => {
    const { stage, ask } = await asking("one");
    expect(ask).toMatchObject({ state: "open", kind: "question", origin: { agent: "codex" } });
    expect(ask.origin.pane).toBeUndefined();
    const said = await stage.parley("answer", ask.id, "2");
    expect([said.code, said.out + said.err]).toEqual([0, expect.stringContaining("✓ codex received")]);
    expect((await stage.model.waitForToolResult("call_one")).text).toBe(
      '{"answers":{"database":{"answers":["SQLite, embedded"]}}}',
    );
    expect(await becomes(stage, "one", "verified")).toMatchObject({
      outcome: { type: "answered", actor: { type: "person", surface: "cli" } },
      deliveries: [{ channel: "remote", state: "verified" }],
    });
    await waitForInput(stage.lab.tmux);
  });

  rest("[CX2] a command is allowed once, from outside; what codex offers for good is there too", async () => {
    const { stage, ask } = await asking("once");
    expect(ask.questions[0]).toMatchObject({ title: "$ touch /dev/null/parley-once", text: "Allow this command?" });
    expect(ask.questions[0]?.options.map(({ label, effect }) => [label, effect])).toEqual([
      ["Approve", "allow"],
      ["Always allow touch /dev/null/parley-once …", "allow"],
      ["Deny", "deny"],
      ["Cancel", "cancel"],
    ]);
    expect((await stage.parley("answer", ask.id, "1")).out).toContain("✓ codex received");
    expect((await stage.model.waitForToolResult("call_once")).text).toContain("exited with code");
    await becomes(stage, "once", "verified");
  });

  rest("[CX3] a command is denied, and with words the agent reads them in the same turn", async () => {
    const { stage, ask } = await asking("denied");
    expect((await stage.parley("answer", ask.id, "3")).out).toContain("✓ denied; codex received it");
    expect((await stage.model.waitForToolResult("call_denied")).text).toContain("rejected by user");
    await becomes(stage, "denied", "verified");

    const worded = await asking("worded");
    await stage.parley("answer", worded.ask.id, "3", "-m", "use mktemp");
    await stage.model.waitForToolResult("call_worded");
    await stage.lab.tmux.waitFor(/The user does not allow this: use mktemp/);
    await becomes(stage, "worded", "verified");
  });

  rest("[CX4] a cancelled command stops the turn, as Esc does", async () => {
    const { stage, ask } = await asking("cancelled");
    expect((await stage.parley("answer", ask.id, "4")).out).toContain("✓ denied and stopped; codex received it");
    await becomes(stage, "cancelled", "verified");
    await stage.lab.tmux.waitFor(/Conversation interrupted/);
  });

  rest("[CX5] an edit is shown as the patch that codex wrote down, and denied", async () => {
    const { stage, ask } = await asking("edit");
    expect(ask.questions[0]).toMatchObject({ text: "Allow this edit of /parley-patched.txt?" });
    expect(ask.questions[0]?.body).toContain("+one\n+two\n");
    await stage.parley("answer", ask.id, "Deny");
    await becomes(stage, "edit", "verified");
  });

  rest("[CX6] a question answered in the terminal first is closed, and who comes later is told", async () => {
    const { stage, ask } = await asking("two");
    await stage.lab.tmux.keys("2");
    expect(await becomes(stage, "two", "closed")).toMatchObject({
      outcome: { type: "answered-elsewhere", answers: [{ picks: [1] }] },
    });
    const late = await stage.parley("answer", ask.id, "1");
    expect([late.code, late.out + late.err]).toEqual([4, expect.stringContaining("SQLite, embedded")]);
  });

  rest("[CX7] Esc in the terminal ends a question declined; one cancelled outside stops the turn", async () => {
    const { stage } = await asking("esc");
    await stage.lab.tmux.keys("Escape");
    expect(await becomes(stage, "esc", "closed")).toMatchObject({ outcome: { type: "declined" } });

    const stopped = await asking("stop");
    expect((await stage.parley("answer", stopped.ask.id, "--cancel")).code).toBe(0);
    expect(await becomes(stage, "stop", "verified")).toMatchObject({ outcome: { type: "cancelled" } });
    await waitForInput(stage.lab.tmux);
  });

  rest("[CX8] words of one's own arrive as the dialog would have sent them", async () => {
    const { stage, ask } = await asking("own");
    expect((await stage.parley("answer", ask.id, "--text", 'DuckDB, "quoted"')).out).toContain("✓ codex received");
    expect(JSON.parse((await stage.model.waitForToolResult("call_own")).text)).toEqual({
      answers: { database: { answers: ["None of the above", 'user_note: DuckDB, "quoted"'] } },
    });
    await becomes(stage, "own", "verified");
  });

  rest(
    "[CX9] a question waits through the death of Parley's daemon, and takes the answer given to the next one",
    async () => {
      const { stage, ask } = await asking("again");
      await stage.program.kill9();
      await stage.program.start();
      await stage.find(reachable("again"));
      expect((await stage.parley("answer", ask.id, "1")).out).toContain("✓ codex received");
      expect((await stage.model.waitForToolResult("call_again")).text).toContain('["PostgreSQL"]');
    },
  );

  rest("[CX11] answered here and in the terminal in the same instant: one of them, and Parley says which", async () => {
    const { stage, ask } = await asking("instant");
    await Promise.all([stage.parley("answer", ask.id, "1"), stage.lab.tmux.keys("2")]);
    const { text } = await stage.model.waitForToolResult("call_instant");
    const { state, outcome } = await stage.find(
      (each) => isNamed("instant")(each) && !["open", "settled", "delivered"].includes(each.state),
    );
    expect([state, outcome?.type, outcome?.answers?.[0]?.picks]).toEqual(
      text.includes("PostgreSQL")
        ? ["verified", "answered", [0]]
        : ["closed", expect.stringMatching(/^(overtaken|answered-elsewhere)$/), [1]],
    );
    expect(stage.model.toolResults().filter(({ toolUseId }) => toolUseId === "call_instant")).toHaveLength(1);
  });

  rest("[CX12] a question outlives its terminal, and is answered without it", async () => {
    const { stage, ask } = await asking("closed");
    await stage.lab.tmux.closeWindow();
    expect((await stage.parley("answer", ask.id, "2")).out).toContain("✓ codex received");
    expect((await stage.model.waitForToolResult("call_closed")).text).toContain("SQLite, embedded");
    await stage.lab.start();
  });

  rest("[CX10] a question dies with codex's daemon: it is withdrawn", async () => {
    const { stage } = await asking("dead");
    await stage.lab.killDaemon();
    expect(await becomes(stage, "dead", "closed")).toMatchObject({
      outcome: { type: "withdrawn", reason: "agent-exited" },
    });
  });
});
