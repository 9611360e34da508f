import { expect } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";
import { eachVersion, openStage, question, type Stage } from "./stage.ts";
import { switchTo } from "./switch-mode.ts";

const PLAN = "# The plan\n\n1. Write the parser\n2. Test it";
const REFUSED = "Which one, then?";
const bash = (name: string) => [
  { tool: "Bash", id: `toolu_${name}`, input: { command: `touch ${name}.txt`, description: "make a file" } },
];
const script = {
  refused: [
    { tool: "AskUserQuestion", id: "toolu_refused", input: { questions: [question(REFUSED, ["Left", "Right"])] } },
  ],
  plan: [{ tool: "ExitPlanMode", id: "toolu_plan", input: {} }],
  ...Object.fromEntries(["bypassed"].map((name) => [name, bash(name)])),
};
/** Without it bypass mode asks first whether it may. */
const settings = { skipDangerousModePermissionPrompt: true };
const labels = (ask: AskView) => ask.questions[0]?.options.map(({ label }) => label) ?? [];
const made = (stage: Stage, name: string) => existsSync(join(stage.claude.project, `${name}.txt`));

/** A question asked in that mode is answered from a shell, and says in which mode it was asked. */
async function isAnswered(stage: Stage, mode: string): Promise<void> {
  const ask = await stage.asks([question(`Which, in ${mode}?`, ["Left", "Right"])], `in-${mode}`);
  expect(ask.origin.mode).toBe(mode);
  expect((await stage.answer(ask.id, "2")).out).toStartWith('✓ Claude Code received "Right"');
  expect((await stage.received(`in-${mode}`)).text).toContain("Right");
}

eachVersion("modes", ({ version, once, rest }) => {
  once(
    "[WS4] bypass, acceptEdits, plan and auto: what each mode asks is answered from a shell, and what it does not ask runs",
    async () => {
      await using stage = await openStage({ version, script, permissionMode: "bypassPermissions", settings });
      await isAnswered(stage, "bypassPermissions");
      await stage.claude.prompt("SCENARIO:bypassed");
      await stage.received("bypassed");
      expect(made(stage, "bypassed")).toBe(true);

      await switchTo(stage, "accept edits");
      await isAnswered(stage, "acceptEdits");

      await switchTo(stage, "auto mode");
      await isAnswered(stage, "auto");

      // It has been in auto mode: where its own dialog offers to go back to it, Parley does.
      await switchTo(stage, "plan mode");
      await isAnswered(stage, "plan");
      writePlan(stage);
      await stage.claude.prompt("SCENARIO:plan");
      const plan = await stage.find((ask) => ask.reachable && ask.kind === "plan");
      expect(labels(plan)).toContain("Approve, and use auto mode");
      const accepted = await stage.answer(plan.id, "Approve, and use auto mode", "-m", "keep it small");
      expect(accepted.out).toStartWith('✓ Claude Code received "Approve, and use auto mode (note: keep it small)"');
      expect((await stage.received("plan")).text).toEndWith(`${PLAN}\n\nNote from the user: keep it small`);
      await stage.claude.tmux.waitFor(/auto mode on/);
    },
  );

  rest("[WS5] don't ask mode is named as what refused a question", async () => {
    await using stage = await openStage({ version, script, permissionMode: "dontAsk" });
    await stage.claude.prompt("SCENARIO:refused");
    const { id } = await stage.ask(REFUSED, ({ state }) => state === "closed");
    const { out } = await stage.program.parley(["show", id]);
    expect(out).toContain("✗ declined by Claude Code's don't ask mode");
  });
});

/** Claude Code names the file for its plan in what it tells the model. */
function writePlan({ model }: Stage): void {
  const path = /\/[^\s"'\\]+\/plans\/[^\s"'\\]+\.md/.exec(JSON.stringify(model.requests))?.[0];
  if (path === undefined) throw new Error("no plan file is named");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, PLAN);
}
