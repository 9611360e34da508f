import { expect } from "bun:test";
import { pickOption, waitForDialog } from "../../src/agents/claude-code/lab/dialog.ts";
import { eventually } from "../patience.ts";
import { eachVersion, openStage, question } from "./stage.ts";

const approach = question("Which approach should we use?", ["Option A", "Option B", "Option C"]);

eachVersion("when things die", ({ version, it, rest }) => {
  it("[R13] the daemon is killed while a question is held; an answer given afterwards arrives and is verified", async () => {
    await using stage = await openStage({ version });
    const ask = await stage.asks([approach]);
    await stage.program.kill9();
    // The shell's own command starts the next daemon; the hook finds it.
    expect((await stage.program.parley(["ls"])).out).toContain(approach.question);
    await stage.becomes(ask.id, (found) => found.reachable);
    expect((await stage.answer(ask.id, "2")).out).toStartWith('✓ Claude Code received "Option B"');
    expect((await stage.received()).text).toContain('="Option B"');
    const { out } = await stage.program.parley(["log", ask.id, "--json"]);
    expect(out.split("\n").filter((line) => line.includes('"type":"ask.sent"'))).toHaveLength(1);
  });

  it("[R14] a killed agent's question is withdrawn, and so is that of a closed terminal", async () => {
    await using stage = await openStage({ version });
    const ask = await stage.asks([approach], "killed");
    await stage.claude.kill("SIGKILL");
    expect((await stage.becomes(ask.id, (found) => found.state === "closed")).outcome).toMatchObject({
      type: "withdrawn",
      reason: "agent-exited",
    });

    await using other = await openStage({ version });
    const shut = await other.asks([approach], "shut");
    await other.claude.closeTerminal();
    const { outcome } = await other.becomes(shut.id, (found) => found.state === "closed");
    expect(outcome?.type).toBe("withdrawn");
    expect(["agent-exited", "session-ended"]).toContain(outcome?.reason ?? "");
  });

  rest("[R15] the hook's own deadline leaves the Ask open and the dialog usable", async () => {
    const script = { ask: [{ tool: "AskUserQuestion", id: "toolu_ask", input: { questions: [approach] } }] };
    await using stage = await openStage({ version, script, env: { PARLEY_HOLD_MS: "5000" } });
    await stage.claude.prompt("SCENARIO:ask");
    await waitForDialog(stage.claude.tmux, approach.question);
    const ask = await stage.ask(
      approach.question,
      (found) => !found.reachable && found.deliveries[0]?.released === "deadline",
    );
    expect(ask.state).toBe("open");
    expect((await stage.program.parley(["show", ask.id])).out).toContain("answer in the terminal");
    await pickOption(stage.claude.tmux, 3);
    expect((await stage.becomes(ask.id, (found) => found.state === "closed")).outcome?.answers).toEqual([
      { picks: [2] },
    ]);
  });

  it("[R16] with Parley stopped the native dialog works as if it were not installed", async () => {
    await using stage = await openStage({
      version,
      script: { alone: [{ tool: "AskUserQuestion", id: "toolu_alone", input: { questions: [approach] } }] },
    });
    expect((await stage.program.parley(["down"])).code).toBe(0);
    await stage.claude.prompt("SCENARIO:alone");
    await waitForDialog(stage.claude.tmux, approach.question);
    await pickOption(stage.claude.tmux, 2);
    expect((await stage.received("alone")).text).toContain('="Option B"');
    expect((await stage.program.parley(["status"])).out).toContain("stopped on purpose");
  });

  it("[R17] set-up under a running session works from its next question on", async () => {
    const before = question("Which way, before the set-up?", ["This", "That"]);
    await using stage = await openStage({
      version,
      setup: false,
      settings: {},
      script: { before: [{ tool: "AskUserQuestion", id: "toolu_before", input: { questions: [before] } }] },
    });
    await stage.claude.prompt("SCENARIO:before");
    await waitForDialog(stage.claude.tmux, before.question);
    await pickOption(stage.claude.tmux, 1);
    await stage.received("before");
    const set = await stage.program.parley(["setup", "claude-code", "--yes"], { env: { HOME: stage.claude.home } });
    expect(set.code).toBe(0);
    await stage.takesUp();
    const ask = await stage.asks([approach]);
    expect((await stage.answer(ask.id, "1")).out).toStartWith('✓ Claude Code received "Option A"');
  });

  it("[R18] an answer kept for a killed session is handed over when it is resumed, and marked so", async () => {
    await using stage = await openStage({ version });
    const ask = await stage.asks([approach]);
    stage.signalHooks("SIGSTOP");
    const kept = await stage.program.parley(["answer", ask.id, "2"]);
    expect(kept.out).toContain('saved: "Option B"');
    await stage.claude.kill("SIGKILL");
    stage.signalHooks("SIGKILL");
    await stage.claude.resume();
    await stage.claude.prompt("go on");
    const proved = await stage.becomes(ask.id, (found) => found.state === "verified");
    expect(proved.deliveries[0]).toMatchObject({ channel: "resume", state: "verified" });
    // Its record has it before its model is asked.
    const heard = () => stage.model.requests.map((request) => JSON.stringify(request));
    const told = () => heard().find((text) => text.includes(`[parley ${ask.id}]`));
    await eventually(() => expect(told()).toContain("answered: Option B"));
  });
});
