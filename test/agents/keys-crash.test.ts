import { expect } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { claudeEnvironment } from "../../src/agents/claude-code/lab/home.ts";
import { waitForDialog } from "../../src/agents/claude-code/lab/dialog.ts";
import { sendPrompt, waitForInputBox } from "../../src/agents/claude-code/lab/prompt.ts";
import { type Tmux } from "../../src/lab/tmux.ts";
import { eachVersion, openStage, programOf, question, type Stage } from "./stage.ts";

const DATABASE = question("Which database?", ["SQLite", "PostgreSQL"]);
const call = (id: string) => ({ tool: "AskUserQuestion", id, input: { questions: [DATABASE] } });
const script = { first: [call("toolu_first")], second: [call("toolu_second")] };

/** An agent without hooks in the folder of the first one, in a pane of its own. */
async function another(stage: Stage, version: string, around: (command: string[]) => string[] = (it) => it, env = {}) {
  const { tmux, home, project } = stage.claude;
  const command = around([programOf(version), "--session-id", crypto.randomUUID(), "--permission-mode", "default"]);
  await tmux.open({ command, env: { ...claudeEnvironment(home, stage.model.url), ...env }, cwd: project });
  await waitForInputBox(tmux);
}
/** A script that starts the agent again whenever it has ended; its own process lives on. */
async function overAndOver({ claude, model }: Stage, version: string): Promise<void> {
  const again = `while :; do ${programOf(version)} --permission-mode default; stty sane; clear; done`;
  const env = claudeEnvironment(claude.home, model.url);
  await claude.tmux.open({ command: ["sh", "-c", again], env, cwd: claude.project });
  await waitForInputBox(claude.tmux);
}
/** The agent of that script, while it asks; resolves when the next one is there. */
async function killed({ claude: { tmux } }: Stage): Promise<void> {
  const agent = tmux.processes().find(({ parent }) => parent === tmux.panePid());
  if (!agent) throw new Error("the script has started no agent");
  process.kill(agent.pid, "SIGKILL");
  await tmux.waitFor((screen) => !screen.includes(DATABASE.question));
  await waitForInputBox(tmux);
}
async function asks({ claude: { tmux } }: Stage, name: "first" | "second"): Promise<void> {
  await sendPrompt(tmux, `SCENARIO:${name}`);
  await waitForDialog(tmux, DATABASE.question);
}
const pick = ({ program }: Stage, { server, id }: ReturnType<Tmux["address"]>, optionIndex: number) =>
  program.parley(["keys", "answer", id, JSON.stringify([{ action: "select", optionIndex }]), "--server", server]);

eachVersion("Agents without hooks after a crash", ({ version, it, once, rest }) => {
  it("[MX4] an agent killed while it asks and started anew with the same question is answered by keys", async () => {
    await using stage = await openStage({ version, setup: false, script });
    await asks(stage, "first");
    await stage.claude.kill();
    await another(stage, version);
    await asks(stage, "second");
    const said = await pick(stage, stage.claude.tmux.address(), 1);
    expect([said.code, said.err]).toEqual([0, ""]);
    expect((await stage.received("second")).text).toContain('"Which database?"="PostgreSQL"');
  });

  rest("[MX5] so is one whose version does not write down which session is its own", async () => {
    await using stage = await openStage({ version, setup: false, script });
    await asks(stage, "first");
    await stage.claude.kill();
    await another(stage, version);
    await asks(stage, "second");
    rmSync(join(stage.claude.home, ".claude/sessions"), { recursive: true });
    expect(await pick(stage, stage.claude.tmux.address(), 1)).toMatchObject({ code: 0, err: "" });
    expect((await stage.received("second")).text).toContain('"Which database?"="PostgreSQL"');
  });

  once("[MX6] a watched pane gives up what its killed agent asked when the next one asks the same there", async () => {
    await using stage = await openStage({ version, setup: false, script });
    const { tmux } = stage.claude;
    const { server } = tmux.address();
    await overAndOver(stage, version);
    await asks(stage, "first");
    expect((await stage.program.parley(["watch", tmux.address().id, "--server", server])).code).toBe(0);
    const first = await stage.find(({ deliveries }) => deliveries[0]?.key === "toolu_first");
    await killed(stage);
    await asks(stage, "second");
    const second = await stage.find(({ deliveries }) => deliveries[0]?.key === "toolu_second");
    const left = await stage.becomes(first.id, ({ state }) => state === "closed");
    expect(left.outcome).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
    await stage.answer(second.id, "2");
    await stage.becomes(second.id, ({ state }) => state === "verified");
    expect((await stage.received("second")).text).toContain('"Which database?"="PostgreSQL"');
  });

  rest("[MX7] two living agents in one folder with the same question are told apart by their panes", async () => {
    await using stage = await openStage({ version, setup: false, script });
    const first = stage.claude.tmux.address();
    await asks(stage, "first");
    await another(stage, version);
    await asks(stage, "second");
    expect(await pick(stage, stage.claude.tmux.address(), 1)).toMatchObject({ code: 0, err: "" });
    expect((await stage.received("second")).text).toContain('"Which database?"="PostgreSQL"');
    expect(await pick(stage, first, 0)).toMatchObject({ code: 0, err: "" });
    expect((await stage.received("first")).text).toContain('"Which database?"="SQLite"');
  });

  rest("[MX8] the agent's own home counts, not that of a wrapper around it, nor the wrapper's folder", async () => {
    await using stage = await openStage({ version, setup: false, script });
    const { home, project } = stage.claude;
    const elsewhere = join(home, "elsewhere");
    mkdirSync(elsewhere);
    const around = (command: string[]) => ["sh", "-c", `(cd ${project} && HOME=${home} ${command.join(" ")}); true`];
    const { tmux } = stage.claude;
    await another(stage, version, around, { HOME: elsewhere });
    await asks(stage, "second");
    expect(await pick(stage, tmux.address(), 1)).toMatchObject({ code: 0, err: "" });
    expect((await stage.received("second")).text).toContain('"Which database?"="PostgreSQL"');
  });

  rest("[MX9] a killed session that is resumed and asks the same again is answered by keys", async () => {
    await using stage = await openStage({ version, setup: false, script });
    await asks(stage, "first");
    await stage.claude.kill();
    await stage.claude.resume();
    await asks(stage, "second");
    expect(await pick(stage, stage.claude.tmux.address(), 1)).toMatchObject({ code: 0, err: "" });
    expect((await stage.received("second")).text).toContain('"Which database?"="PostgreSQL"');
  });

  once(
    "[MX10] what was answered to a killed agent is not typed into the same question of the next one there",
    async () => {
      await using stage = await openStage({ version, setup: false, script });
      const { tmux } = stage.claude;
      const { server } = tmux.address();
      await overAndOver(stage, version);
      const { id: pane } = tmux.address();
      await asks(stage, "first");
      expect((await stage.program.parley(["watch", pane, "--server", server])).code).toBe(0);
      const first = await stage.find(({ deliveries }) => deliveries[0]?.key === "toolu_first");
      // While somebody scrolls there no key reaches the agent.
      Bun.spawnSync(["tmux", "-S", server, "copy-mode", "-t", pane]);
      await stage.program.parley(["answer", first.id, "1"]);
      await stage.becomes(first.id, ({ deliveries }) => deliveries[0]?.released !== undefined);
      await killed(stage);
      Bun.spawnSync(["tmux", "-S", server, "send-keys", "-t", pane, "-X", "cancel"]);
      await asks(stage, "second");
      const second = await stage.find(({ deliveries }) => deliveries[0]?.key === "toolu_second");
      await stage.program.kill9();
      await stage.program.start();
      await stage.becomes(first.id, ({ deliveries }) => deliveries[0]?.released === "Claude Code has ended there");
      await stage.answer(second.id, "2");
      await stage.becomes(second.id, ({ state }) => state === "verified");
      expect((await stage.received("second")).text).toContain('"Which database?"="PostgreSQL"');
    },
  );
});
