import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";
import { eachVersion, openStage, type Stage } from "./stage.ts";

const touch = (name: string) => ({
  tool: "Bash",
  id: `toolu_${name}`,
  input: { command: `touch ${name}.txt && echo made ${name}`, description: "make a file" },
});
const names = ["once", "denied", "always", "cancelled", "terminal"];
const script = Object.fromEntries(names.map((name) => [name, [{ text: `I want to make ${name}.` }, touch(name)]]));

const labels = (ask: AskView) => ask.questions[0]?.options.map(({ label }) => label) ?? [];
const made = (stage: Stage, name: string) => existsSync(join(stage.claude.project, `${name}.txt`));
async function prompts(stage: Stage, name: string): Promise<AskView> {
  await stage.claude.prompt(`SCENARIO:${name}`);
  return stage.find((ask) => ask.reachable && (ask.questions[0]?.body ?? "").includes(`touch ${name}.txt`));
}

eachVersion("approvals", ({ version, it, main }) => {
  main("[R20] a permission prompt is approved, denied with words, or cancelled from a shell, and proven", async () => {
    await using stage = await openStage({ version, script });
    const once = await prompts(stage, "once");
    expect(once).toMatchObject({
      kind: "approval",
      questions: [
        { text: "Allow this command?", header: "Bash", body: "$ touch once.txt && echo made once\n# make a file" },
      ],
    });
    expect(labels(once).slice(0, 1)).toEqual(["Approve"]);
    expect(labels(once).slice(-2)).toEqual(["Deny", "Deny and stop"]);
    expect((await stage.answer(once.id, "Approve")).out).toStartWith('✓ Claude Code received "Approve"');
    expect((await stage.received("once")).text).toContain("made once");
    expect(made(stage, "once")).toBe(true);

    const denied = await prompts(stage, "denied");
    expect((await stage.answer(denied.id, "Deny", "-m", "use another name")).out).toStartWith(
      '✓ denied: "use another name"; Claude Code received it',
    );
    expect(await stage.received("denied")).toMatchObject({
      isError: true,
      text: "The user does not allow this: use another name",
    });
    expect(made(stage, "denied")).toBe(false);

    const cancelled = await prompts(stage, "cancelled");
    expect((await stage.answer(cancelled.id, "Deny and stop")).out).toStartWith(
      "✓ denied and stopped; Claude Code received it",
    );
    expect(made(stage, "cancelled")).toBe(false);
  });

  for (const { name, label, accepts } of [
    { name: "folder or rule", label: /^(Always allow|Also work in)/, accepts: false },
    { name: "mode", label: /^Switch to mode acceptEdits/, accepts: true },
  ])
    it(`[R21] each “always allow” is an option of its own, and only the picked one is granted: ${name}`, async () => {
      await using stage = await openStage({ version, script });
      const ask = await prompts(stage, "always");
      const options = ask.questions[0]?.options ?? [];
      for (const option of options) expect(option.stakes === "high").toBe(option.label.startsWith("Switch to mode"));
      const pick = options.findIndex((option) => label.test(option.label));
      expect((await stage.answer(ask.id, String(pick + 1))).out).toStartWith("✓ Claude Code received");
      expect(made(stage, "always")).toBe(true);
      const { tmux } = stage.claude;
      const screen = await tmux.waitFor((text) => text.includes("DONE. I got: toolu_always"));
      if (accepts) await tmux.waitFor(/accept edits on/);
      else expect(screen).not.toContain("accept edits on");
    });

  it("[R22] approved in the terminal shows when the tool has ended; an agent may not approve", async () => {
    await using stage = await openStage({ version, script });
    const ask = await prompts(stage, "terminal");
    const agent = await stage.program.parley(["answer", ask.id, "1"], {
      env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "another-session" },
    });
    expect(agent).toMatchObject({ code: 77 });
    expect(agent.err).toContain("Only a person may settle an approval");
    await stage.claude.tmux.waitFor(/❯ 1\. Yes/);
    // 2.1.325 ignores Enter in the first moments of a dialog.
    while ((await stage.claude.tmux.screen()).includes("❯ 1. Yes")) await stage.claude.tmux.keys("Enter");
    const closed = await stage.becomes(ask.id, (found) => found.state === "closed");
    expect(closed.outcome).toMatchObject({
      type: "answered-elsewhere",
      actor: { surface: "terminal" },
      answers: [{ picks: [0] }],
    });
    expect((await stage.received("terminal")).text).toContain("made terminal");
  });
});
