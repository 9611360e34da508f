import { expect } from "bun:test";
import { join } from "node:path";
import { eventually } from "../patience.ts";
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

eachVersion("beside the main thread", ({ version, it, rest }) => {
  it("[R25] an approval inside a subagent carries its origin and is approved from a shell", async () => {
    await using stage = await openStage({ version, script: { outer: [agent("inner")], inner: [bash("inner")] } });
    await stage.claude.prompt("SCENARIO:outer");
    const ask = await stage.find((found) => found.reachable && found.origin.subagent !== undefined);
    expect(ask.origin.subagentType).toBe("general-purpose");
    expect((await stage.answer(ask.id, "1")).out).toStartWith('✓ Claude Code received "Approve"');
    expect((await stage.received("inner")).text).toContain("made inner");
  });

  rest("[BG2] an approval of a teammate is named by its name, and approved from a shell", async () => {
    const mate = {
      description: "do it",
      prompt: "please do SCENARIO:inner",
      subagent_type: "general-purpose",
      name: "mate",
    };
    await using stage = await openStage({
      version,
      env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" },
      script: { outer: [{ tool: "Agent", id: "toolu_agent_inner", input: mate }], inner: [bash("inner")] },
    });
    await stage.claude.prompt("SCENARIO:outer");
    const ask = await stage.find((found) => found.reachable && found.origin.subagent !== undefined);
    expect(ask.origin.subagentType).toBe("mate");
    expect((await stage.program.parley(["show", ask.id])).out).toContain("mate");
    expect((await stage.answer(ask.id, "1")).out).toStartWith('✓ Claude Code received "Approve"');
    expect((await stage.received("inner")).text).toContain("made inner");
  });

  it("[R26] an idle prompt is no question: the session says what it is called and what it said last, until it goes on", async () => {
    await using stage = await openStage({
      version,
      prepare: async ({ home }) => {
        const file = join(home, ".claude.json");
        const state = (await Bun.file(file).json()) as object;
        await Bun.write(file, JSON.stringify({ ...state, messageIdleNotifThresholdMs: 1000 }));
      },
    });
    const session = async () =>
      (await stage.program.client().call("listSessions", { query: { live: "true" } })).sessions[0];
    await stage.claude.prompt("hello there");
    await eventually(async () => expect((await session())?.state).toBe("waiting"));
    const before = await session();
    expect(before).toMatchObject({ title: "hello there", idle: { said: expect.stringMatching(/./) } });
    expect((await stage.program.client().call("listAsks", { query: { state: "all" } })).asks).toEqual([]);
    await stage.claude.prompt("go on");
    await eventually(async () => expect((await session())?.idle?.since).toBeGreaterThan(before?.idle?.since ?? 0));
  });
});
