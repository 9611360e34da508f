import { expect } from "bun:test";
import { pickOption, pressEsc } from "../../src/agents/claude-code/lab/dialog.ts";
import { needsBubblewrap } from "../e2e/sandbox-stage.ts";
import { eventually } from "../patience.ts";
import { openContainerStage } from "./container-stage.ts";
import { eachVersion, question } from "./stage.ts";

const database = question("Which database?", ["SQLite", "Postgres"]);
const script = {
  touch: [{ tool: "Bash", id: "toolu_touch", input: { command: "touch made.txt", description: "make" } }],
};

eachVersion("in a container", ({ version, it, rest }) => {
  it("[CY1] its hooks reach the daemon by a mounted socket: asked, answered from outside through an end of the daemon, received, answered in there, and gone with it", async () => {
    needsBubblewrap();
    await using stage = await openContainerStage({ version, script });
    const ask = await stage.asks([database]);
    expect(ask).toMatchObject({
      agentTitle: "Claude Code (in container dev)",
      origin: { container: "dev", project: "dev:workspace" },
    });
    expect([ask.origin.cwd, ask.origin.pane]).toEqual([undefined, undefined]);
    // Its process is found by what the kernel says of it, not by the number it has in there.
    const session = async () => (await stage.program.client().call("listSessions")).sessions[0];
    expect((await session())?.process?.pid).toBeGreaterThan(50);
    // A hook in there starts no daemon, and goes on with the next one.
    await stage.program.kill9();
    await stage.program.start();
    await stage.becomes(ask.id, ({ reachable }) => reachable);
    const told = await stage.answer(ask.id, "2");
    expect(told.out + told.err).toStartWith('✓ Claude Code (in container dev) received "Postgres"');
    expect((await stage.received()).text).toContain("Postgres");

    await stage.claude.prompt("SCENARIO:touch");
    const leave = await stage.find((each) => each.kind === "approval" && each.reachable);
    const allowed = await stage.answer(leave.id, "Approve");
    expect(allowed.out + allowed.err).toStartWith('✓ Claude Code (in container dev) received "Approve"');

    const there = await stage.asks([question("Which colour?", ["Red", "Blue"])], "colour");
    await pickOption(stage.claude.tmux, 2);
    expect((await stage.becomes(there.id, ({ outcome }) => outcome !== undefined)).outcome).toMatchObject({
      type: "answered-elsewhere",
      answers: [{ picks: [1] }],
    });

    const escaped = await stage.asks([question("Which tool?", ["Hammer", "Saw"])], "tool");
    await pressEsc(stage.claude.tmux);
    expect((await stage.becomes(escaped.id, ({ outcome }) => outcome !== undefined)).state).toBe("closed");

    const left = await stage.asks([question("Which way?", ["North", "South"])], "way");
    await stage.claude.kill();
    expect((await stage.becomes(left.id, ({ outcome }) => outcome !== undefined)).outcome).toMatchObject({
      type: "withdrawn",
      reason: "agent-exited",
    });
  });

  rest("[CY2] by a token over the network, with no socket in sight", async () => {
    needsBubblewrap();
    await using stage = await openContainerStage({ version, script, network: true });
    const ask = await stage.asks([database]);
    expect(ask.agentTitle).toBe("Claude Code (in container dev)");
    const told = await stage.answer(ask.id, "1");
    expect(told.out + told.err).toStartWith('✓ Claude Code (in container dev) received "SQLite"');
    expect((await stage.received()).text).toContain("SQLite");
  });

  rest(
    "[CY3] what it shares is looked at under its name here: its project, its record, its own words before a question",
    async () => {
      needsBubblewrap();
      await using stage = await openContainerStage({ version, script, shares: true });
      const ask = await stage.asks([database]);
      expect(ask.origin).toMatchObject({ container: "dev", cwd: stage.claude.project, project: "project" });
      await eventually(async () => expect((await stage.ask("Which database?")).origin.lastText).toBe("About ask."));
      const declined = await stage.answer(ask.id, "--decline", "-m", "not now");
      expect(declined.out + declined.err).toStartWith("✓ ");
      expect((await stage.becomes(ask.id, ({ state }) => state === "verified")).origin.container).toBe("dev");
    },
  );
});
