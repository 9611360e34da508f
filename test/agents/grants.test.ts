import { expect } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { holds } from "../e2e/program.ts";
import { eachVersion, openStage } from "./stage.ts";

const touch = (name: string, command = `touch ${name}.txt`) => [
  { tool: "Bash", id: `toolu_${name}`, input: { command, description: "make a file" } },
];

eachVersion("grants", ({ version, it }) => {
  it("[GR28] in bypass mode what must be asked about is asked, and all else runs", async () => {
    const script = { free: touch("free"), asked: touch("asked", "true && touch asked.txt x") };
    const prepare = async ({ home }: { home: string }) => {
      mkdirSync(join(home, ".config/parley"), { recursive: true });
      writeFileSync(join(home, ".config/parley/config.toml"), 'approvals.must_ask = ["touch asked.txt ..."]\n');
    };
    const options = { permissionMode: "bypassPermissions", settings: { skipDangerousModePermissionPrompt: true } };
    await using stage = await openStage({ version, script, setup: ["--must-ask"], prepare, ...options });
    const { claude } = stage;
    await claude.prompt("SCENARIO:free");
    await stage.received("free");
    expect(existsSync(join(claude.project, "free.txt"))).toBe(true);
    await claude.prompt("SCENARIO:asked");
    const ask = await stage.find((each) => each.reachable && each.kind === "approval");
    expect([ask.title, existsSync(join(claude.project, "asked.txt"))]).toEqual(["$ true && touch asked.txt x", false]);
    expect((await stage.answer(ask.id, "Deny")).code).toBe(0);
    expect((await stage.received("asked")).isError).toBe(true);
  });

  it("[GR22] a granted call runs without waiting for anybody, what is wider asks, and each is proven", async () => {
    const script = { first: touch("first"), second: touch("second"), wide: touch("wide", "touch wide.txt && true") };
    await using stage = await openStage({ version, script });
    const { claude, program } = stage;
    await claude.prompt("SCENARIO:first");
    const first = await stage.find((ask) => ask.reachable && ask.kind === "approval");
    const given = await stage.answer(first.id, "--grant", "5x", "--pattern", "touch *", "--yes");
    expect([given.code, given.out.includes('✓ Claude Code received "Approve"')]).toEqual([0, true]);
    await stage.received("first");
    await claude.prompt("SCENARIO:second");
    await stage.received("second");
    expect(existsSync(join(claude.project, "second.txt"))).toBe(true);
    const second = await stage.find((ask) => ask.outcome?.grant !== undefined);
    expect((await stage.becomes(second.id, ({ state }) => state === "verified")).title).toBe("$ touch second.txt");
    await claude.prompt("SCENARIO:wide");
    const wide = await stage.find((ask) => ask.reachable && ask.title === "$ touch wide.txt && true");
    expect(existsSync(join(claude.project, "wide.txt"))).toBe(false);
    const { grants } = await program.client().call("listGrants", {});
    expect(grants.map(({ used }) => used)).toEqual([1]);
    await stage.answer(wide.id, "Deny");
  });

  it("[GP12] the commands that an accepted plan names run without being asked about, others ask, and its end ends them", async () => {
    const plan = "# The plan\n\n1. `touch named.txt`\n2. then the rest";
    const script = {
      hello: [{ text: "Hello." }],
      plan: [{ tool: "ExitPlanMode", id: "toolu_plan", input: { plan } }, ...touch("named"), ...touch("other")],
    };
    await using stage = await openStage({ version, script, permissionMode: "plan" });
    const { claude, program } = stage;
    // Claude Code names the file for its plan in what it tells the model, and takes the plan from there.
    await claude.prompt("SCENARIO:hello");
    const file = () => /\/[^\s"'\\]+\/plans\/[^\s"'\\]+\.md/.exec(JSON.stringify(stage.model.requests))?.[0];
    expect(await holds(() => file() !== undefined)).toBe(true);
    mkdirSync(dirname(file() ?? ""), { recursive: true });
    writeFileSync(file() ?? "", plan);
    await claude.tmux.waitFor(/Hello\./);
    await claude.prompt("SCENARIO:plan");
    const ask = await stage.find((each) => each.reachable && each.kind === "plan");
    const given = await stage.answer(ask.id, "1", "--grant", "plan", "--yes");
    expect([given.err, given.code, given.out.includes("counts from now on")]).toEqual(["", 0, true]);
    const other = await stage.find((each) => each.reachable && each.title === "$ touch other.txt");
    expect(existsSync(join(claude.project, "named.txt"))).toBe(true);
    expect(existsSync(join(claude.project, "other.txt"))).toBe(false);
    await stage.answer(other.id, "Deny");
    await stage.received("other");
    await stage.becomes(other.id, ({ state }) => state === "verified");
    const { grants } = await program.client().call("listGrants", { query: { all: "true" } });
    expect(grants.map(({ title, used }) => [title, used])).toEqual([["$ touch named.txt", 1]]);
    expect(await holds(async () => (await program.client().call("listGrants", {})).grants.length === 0)).toBe(true);
  });
});
