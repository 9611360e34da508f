import { expect } from "bun:test";
import { eachVersion, openStage, type Stage } from "./stage.ts";

const PLAN = "# The plan\n\n1. Write the parser\n2. Test it";
const names = ["asking", "editing", "revise", "stop"];
const script = Object.fromEntries(
  names.map((name) => [name, [{ tool: "ExitPlanMode", id: `toolu_${name}`, input: { plan: `${PLAN} (${name})` } }]]),
);

async function plans(stage: Stage, name: string) {
  await stage.claude.prompt(`SCENARIO:${name}`);
  return stage.find(
    (ask) => ask.reachable && ask.kind === "plan" && ask.deliveries.some(({ key }) => key === `toolu_${name}`),
  );
}

eachVersion("plans", ({ version, it }) => {
  it("[R23] a plan is revised with words, or cancelled, from a shell", async () => {
    await using stage = await openStage({ version, script, permissionMode: "plan" });
    const revise = await plans(stage, "revise");
    expect(revise.questions[0]?.options.map(({ label }) => label)).toEqual([
      "Approve, ask for edits",
      "Approve, and accept edits",
      "Deny",
      "Deny and stop",
    ]);
    expect((await stage.answer(revise.id, "-m", "test first")).out).toStartWith(
      '✓ denied: "test first"; Claude Code received it',
    );
    expect((await stage.received("revise")).text).toContain("The user wants the plan revised: test first");
    const stop = await plans(stage, "stop");
    expect((await stage.answer(stop.id, "Deny and stop")).out).toStartWith(
      "✓ denied and stopped; Claude Code received it",
    );
  });

  for (const name of ["asking", "editing"])
    it(`[R24] an accepted plan begins, in the mode that was picked: ${name}`, async () => {
      await using stage = await openStage({ version, script, permissionMode: "plan" });
      const ask = await plans(stage, name);
      expect((await stage.answer(ask.id, name === "asking" ? "1" : "2")).out).toStartWith("✓ Claude Code received");
      expect((await stage.received(name)).isError).toBe(false);
      const screen = await stage.claude.tmux.waitFor((text) => !text.includes("plan mode on"));
      if (name === "editing") await stage.claude.tmux.waitFor(/accept edits on/);
      else expect(screen).not.toContain("accept edits on");
    });
});
