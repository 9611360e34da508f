import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram, type Program } from "./program.ts";

let program: Program;
let project: string;
beforeAll(async () => {
  program = createProgram();
  project = join(program.user, "shop");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(program.user, ".config/parley"), { recursive: true });
  writeFileSync(join(program.user, ".config/parley/config.toml"), 'approvals.must_ask = ["git push ..."]\n');
  writeFileSync(join(project, ".parley.toml"), 'approvals.must_ask = ["write .github/**"]\n');
  await program.start();
});
afterAll(() => program.dispose());

async function hears(tool: string, input: object, cwd = project): Promise<unknown> {
  const payload = {
    session_id: crypto.randomUUID(),
    cwd,
    hook_event_name: "PreToolUse",
    permission_mode: "bypassPermissions",
    tool_name: tool,
    tool_input: input,
    tool_use_id: "toolu_1",
  };
  const args = ["hook", "claude-code", "PreToolUse", "--must-ask"];
  const { code, out, err } = await program.parley(args, { stdin: JSON.stringify(payload) });
  expect([code, err]).toEqual([0, ""]);
  return out === "" ? undefined : (JSON.parse(out) as { hookSpecificOutput: unknown }).hookSpecificOutput;
}

test("[GR26] what a person's settings or a project's own file name is asked about in bypass mode; all else passes in silence, and makes no Ask", async () => {
  const ask = (reason: string) => ({
    hookEventName: "PreToolUse",
    permissionDecision: "ask",
    permissionDecisionReason: reason,
  });
  const pushed = ask('Parley always asks about "git push ..."');
  expect(await hears("Bash", { command: "cd x && git push" })).toEqual(pushed);
  // Also with a field that no grant knows.
  expect(await hears("Bash", { command: "git push", dangerouslyDisableSandbox: true })).toEqual(pushed);
  expect(await hears("Bash", { command: "git status" })).toBeUndefined();
  const file = { file_path: join(project, ".github/ci.yml"), content: "x" };
  expect(await hears("Write", file)).toEqual(ask('Parley always asks about "write .github/**"'));
  expect(await hears("Write", { file_path: join(project, "a"), content: "x" })).toBeUndefined();
  // A project's file counts in that project.
  expect(await hears("Write", file, program.user)).toBeUndefined();
  expect((await program.client().call("listAsks", { query: { state: "all" } })).asks).toEqual([]);
});

test("[RH6] neither a long call, a repository made on the way, another folder nor the project's own file leads around it", async () => {
  const padded = `git push # ${"x".repeat(20_000)}`;
  expect(await hears("Bash", { command: padded })).toMatchObject({ permissionDecision: "ask" });
  const path = `${project}/.github${"/.".repeat(5000)}/ci.yml`;
  expect(await hears("Write", { file_path: path, content: "x" })).toMatchObject({ permissionDecision: "ask" });
  // The project's patterns still count in a repository that lies in it.
  const inner = join(project, "inner");
  mkdirSync(join(inner, ".git"), { recursive: true });
  expect(await hears("Bash", { command: "echo x > ../.github/ci.yml" }, inner)).toMatchObject({
    permissionDecisionReason: 'Parley always asks about "write .github/**"',
  });
  for (const command of ["rm .parley.toml", "sed -i d ../.parley.toml"])
    expect(await hears("Bash", { command }, inner)).toMatchObject({
      permissionDecisionReason: 'Parley always asks about "write .parley.toml"',
    });
  expect(await hears("Bash", { command: "ls .." }, inner)).toBeUndefined();
});

test("[GR27] setup --must-ask adds the hook, setup keeps it, and --remove takes it out again", async () => {
  const env = { HOME: program.user };
  const settings = join(program.user, ".claude/settings.json");
  const hooks = async () => (await Bun.file(settings).text()).split("--must-ask").length - 1;
  expect((await program.parley(["setup", "claude-code", "--must-ask", "--yes"], { env })).code).toBe(0);
  expect(await hooks()).toBe(1);
  expect((await program.parley(["setup", "claude-code", "--yes"], { env })).out).toStartWith("Already set up");
  const { out } = await program.parley(["doctor"], { env });
  expect(out).toContain("13 in ");
  const other = await program.parley(["setup", "opencode", "--must-ask", "--yes"], { env });
  expect([other.code, other.err]).toEqual([
    2,
    "parley setup: opencode cannot be made to ask in every mode: see its own permission settings.\n",
  ]);
  expect((await program.parley(["setup", "claude-code", "--remove", "--yes"], { env })).code).toBe(0);
  expect(await Bun.file(settings).exists()).toBe(false);
});

test("[CL6] an agent that calls no hook before its calls gets no task where something must be asked about", async () => {
  const refused = await program.parley(["run", "Push it", "--agent", "codex", "--no-sandbox"], { cwd: project });
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('codex cannot be made to ask about "git push ..." in every mode (approvals.must_ask)'),
  ]);
  expect((await program.parley(["task", "ls", "--json"])).out).not.toContain("Push it");
});
