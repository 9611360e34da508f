import { expect } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { changedFlag } from "../../src/machine/home.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { poll } from "../../src/lab/poll.ts";
import { eventually } from "../patience.ts";
import { eachVersion, openStage, type Stage } from "./stage.ts";

const bash = (name: string, command: string) => ({
  [name]: [{ text: `I run ${name}.` }, { tool: "Bash", id: `toolu_${name}`, input: { command, description: "work" } }],
});
const inProject = (stage: Stage, name: string) => join(stage.claude.project, name);
async function prompts(stage: Stage, name: string): Promise<AskView> {
  await stage.claude.prompt(`SCENARIO:${name}`);
  return stage.find((ask) => ask.reachable && !ask.outcome && ask.editable !== undefined);
}
const gone = (path: string) =>
  poll(async () => (existsSync(path) ? undefined : true), { failure: () => `${path} is still there` });

eachVersion("changed before it is allowed", ({ version, it, once, rest }) => {
  it("[EB1] a command that a person changes is what runs; the agent is told, and its record proves it", async () => {
    const script = { ...bash("one", "echo original > one.txt"), ...bash("two", "echo original; exit 3") };
    await using stage = await openStage({ version, script });
    const ask = await prompts(stage, "one");
    expect(ask.editable).toEqual({ what: "command", text: "echo original > one.txt" });
    const told = await stage.answer(ask.id, "--change", "echo changed > one.txt");
    expect(told.out).toStartWith('✓ Claude Code received "Approve" with a changed command');
    expect(readFileSync(inProject(stage, "one.txt"), "utf8")).toBe("changed\n");
    // What it was told beside the result is written down after that.
    await eventually(async () => {
      const record = JSON.stringify((await stage.claude.transcript()).filter((line) => "attachment" in line));
      expect(record).toContain("The user changed the command of this call before allowing it");
    });
    const why = await stage.program.parley(["why", ask.id]);
    expect(why.out).toContain("with the command changed to: echo changed > one.txt");
    expect(why.out).toContain("-echo original > one.txt");
    const shown = await stage.program.parley(["show", ask.id]);
    expect(shown.out).toContain("The command was changed before it was allowed:");
    expect(shown.out).toContain("+echo changed > one.txt");
    await gone(changedFlag(stage.program.paths.program));

    // Also one that fails, and through an editor.
    const failing = await prompts(stage, "two");
    const editor = join(stage.claude.home, "editor");
    writeFileSync(editor, `#!/bin/sh\nsed -i s/original/edited/ "$1"\n`, { mode: 0o755 });
    const edited = await stage.program.parley(["answer", failing.id, "--edit"], {
      env: { EDITOR: editor, PARLEY_RECEIPT_MS: "60000" },
    });
    expect(edited.out).toStartWith('✓ Claude Code received "Approve" with a changed command');
    expect((await stage.received("two")).text).toBe("Exit code 3\nedited");
  });

  rest("[EB2] what a person makes of a file is what is written", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "parley-edit-")), "new.txt");
    const write = { tool: "Write", id: "toolu_new", input: { file_path: path, content: "theirs\n" } };
    await using stage = await openStage({ version, script: { new: [{ text: "I write new." }, write] } });
    const ask = await prompts(stage, "new");
    expect((await stage.answer(ask.id, "--change", "mine\n")).out).toStartWith(
      '✓ Claude Code received "Approve" with a changed content',
    );
    expect(readFileSync(path, "utf8")).toBe("mine\n");
    rmSync(dirname(path), { recursive: true });
  });

  once("[EB3] Claude Code's own rules and what must be asked about are looked at again with the change", async () => {
    const script = { ...bash("rules", "echo fine > rules.txt"), ...bash("must", "echo fine > must.txt") };
    const prepare = ({ home }: { home: string }) => {
      mkdirSync(join(home, ".config/parley"), { recursive: true });
      writeFileSync(join(home, ".config/parley/config.toml"), 'approvals.must_ask = ["cp ..."]\n');
    };
    const settings = { permissions: { deny: ["Bash(touch:*)"] } };
    await using stage = await openStage({ version, script, settings, prepare });
    const ask = await prompts(stage, "rules");
    const refused = await stage.answer(ask.id, "--change", "touch rules.txt");
    expect(refused.out).toContain("received something else: it refused the changed call: Permission to use Bash");
    expect(existsSync(inProject(stage, "rules.txt"))).toBe(false);

    const must = await prompts(stage, "must");
    const unsure = await stage.answer(must.id, "--change", "cp README.md must.txt");
    expect(unsure.code).toBe(2);
    expect(unsure.err).toContain('Parley always asks about "cp ..."');
    const sure = await stage.answer(must.id, "--change", "cp README.md must.txt", "--yes");
    expect(sure.out).toStartWith('✓ Claude Code received "Approve" with a changed command');
    expect(existsSync(inProject(stage, "must.txt"))).toBe(true);
  });

  rest("[EB4] the terminal was first: what ran is what was asked, and nobody says otherwise", async () => {
    await using stage = await openStage({ version, script: bash("race", "echo original > race.txt") });
    const ask = await prompts(stage, "race");
    await stage.claude.tmux.waitFor(/❯ 1\. Yes/);
    stage.signalHooks("SIGSTOP");
    const answered = stage.answer(ask.id, "--change", "echo changed > race.txt");
    await stage.becomes(ask.id, ({ outcome }) => outcome !== undefined);
    while ((await stage.claude.tmux.screen()).includes("❯ 1. Yes")) await stage.claude.tmux.keys("Enter");
    const ended = await stage.becomes(ask.id, ({ state }) => state === "closed");
    expect(ended.outcome).toMatchObject({ type: "overtaken", lost: { changed: { text: "echo changed > race.txt" } } });
    stage.signalHooks("SIGCONT");
    expect((await answered).out).toContain("the terminal was first");
    expect(readFileSync(inProject(stage, "race.txt"), "utf8")).toBe("original\n");
  });
});
