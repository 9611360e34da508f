import { expect } from "bun:test";
import { join } from "node:path";
import { eachVersion, openStage } from "./stage.ts";

const bash = (name: string) => ({
  tool: "Bash",
  id: `toolu_${name}`,
  input: { command: `touch ${name}.txt && echo made ${name}`, description: "make a file" },
});
const agent = (inner: string) => ({
  tool: "Agent",
  id: `toolu_agent_${inner}`,
  input: { description: "do it", prompt: `please do SCENARIO:${inner}`, subagent_type: "general-purpose" },
});

eachVersion("beside the main thread", ({ version, it }) => {
  it("[R25] an approval inside a subagent carries its origin and is approved from a shell", async () => {
    await using stage = await openStage({ version, script: { outer: [agent("inner")], inner: [bash("inner")] } });
    await stage.claude.prompt("SCENARIO:outer");
    const ask = await stage.find((found) => found.reachable && found.origin.subagent !== undefined);
    expect(ask.origin.subagentType).toBe("general-purpose");
    expect((await stage.answer(ask.id, "1")).out).toStartWith('✓ Claude Code received "Approve"');
    expect((await stage.received("inner")).text).toContain("made inner");
  });

  it("[R26] an idle prompt is an attention row that no one can answer from outside and that goes away by itself", async () => {
    await using stage = await openStage({
      version,
      prepare: async ({ home }) => {
        const file = join(home, ".claude.json");
        const state = (await Bun.file(file).json()) as object;
        await Bun.write(file, JSON.stringify({ ...state, messageIdleNotifThresholdMs: 1000 }));
      },
    });
    await stage.claude.prompt("hello");
    const row = await stage.find((found) => found.kind === "idle");
    expect(row.questions[0]?.text).toBe("Claude is waiting for your input");
    const refused = await stage.answer(row.id, "-m", "go on");
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.err).toContain("Only the agent's own terminal can answer this (tmux pane %0)");
    await stage.claude.prompt("go on");
    expect((await stage.becomes(row.id, (found) => found.state === "closed")).outcome?.type).toBe("withdrawn");
  });
});
