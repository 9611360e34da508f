import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPatient, type Json, type Patient, says, VERSION } from "./doctor-stage.ts";

let patient: Patient;
beforeEach(async () => {
  patient = createPatient();
  await setup();
});
afterEach(() => patient.dispose());

type Group = { matcher?: string; hooks: { command: string; timeout: number }[] };
const setup = async (...more: string[]) => {
  const { code, err } = await patient.parley(["setup", "claude-code", "--yes", ...more], { cwd: patient.project });
  if (code !== 0) throw new Error(err);
};
const text = () => readFileSync(patient.settings, "utf8");
const hooks = (settings: Json) => settings["hooks"] as Record<string, Group[]>;
const OWN = "ROOT/user/.claude/settings.json";

test("[DR6] missing events and old timeouts are a problem", async () => {
  patient.edit(patient.settings, (settings) => {
    const { Stop, Notification, ...rest } = hooks(settings);
    for (const { hooks: list } of rest["PermissionRequest"] ?? []) for (const hook of list) hook.timeout = 600;
    expect([Stop?.length, Notification?.length]).toEqual([1, 1]);
    return { ...settings, hooks: rest };
  });
  expect(await patient.lines("hooks")).toEqual([
    `✗ hooks        ${OWN}: no hook for Stop, Notification; PermissionRequest has a timeout of 600 s instead of 86400 → parley setup claude-code`,
  ]);
  await setup();
  expect(await patient.lines("hooks")).toEqual([`✓ hooks        12 in ${OWN} start this Parley`]);
});

test("[DR6] another matcher or an old form of the command is a problem", async () => {
  patient.edit(patient.settings, (settings) => {
    for (const group of hooks(settings)["PreToolUse"] ?? []) group.matcher = "AskUserQuestion";
    for (const { hooks: list } of hooks(settings)["Stop"] ?? [])
      for (const hook of list) hook.command = `${patient.paths.program} hook Stop`;
    return settings;
  });
  expect(await patient.lines("hooks")).toEqual([
    `✗ hooks        ${OWN}: another matcher at PreToolUse; an old form of the command at Stop → parley setup claude-code`,
  ]);
});

test("[DR6] hooks of another home, or of a Parley that is gone, are a problem", async () => {
  const other = join(patient.root, "it's another", "bin/parley");
  mkdirSync(join(other, ".."), { recursive: true });
  says(other, "parley");
  const quoted = `'${other.replaceAll("'", `'\\''`)}'`;
  writeFileSync(patient.settings, text().replaceAll(patient.paths.program, JSON.stringify(quoted).slice(1, -1)));
  expect(await patient.lines("hooks")).toEqual([
    `✗ hooks        ${OWN}: the hooks start another Parley (ROOT/it's another/bin/parley) → parley setup claude-code`,
  ]);
  rmSync(other);
  expect(await patient.lines("hooks")).toEqual([
    `✗ hooks        ${OWN}: the hooks start ROOT/it's another/bin/parley, which is gone → parley setup claude-code`,
  ]);
});

test("[DR7] hooks of the project are seen beside one's own, in hold mode too, and only from its top folder", async () => {
  await setup("--project", "--hold");
  const shared = "ROOT/user/project/.claude/settings.json";
  expect(await patient.lines("hooks", { cwd: patient.project })).toEqual([
    `✓ hooks        12 in ${OWN} start this Parley`,
    `✓ hooks        12 in ${shared} start this Parley, in hold mode`,
  ]);
  const below = join(patient.project, "below");
  mkdirSync(below);
  expect((await patient.lines("hooks", { cwd: below })).at(-1)).toBe(
    `! hooks        ${shared} counts only for sessions started in ROOT/user/project → parley setup claude-code, for every folder`,
  );
  patient.edit(join(patient.project, ".claude/settings.json"), (settings) => {
    const { SessionEnd, ...rest } = hooks(settings);
    expect(SessionEnd).toHaveLength(1);
    return { ...settings, hooks: rest };
  });
  expect((await patient.lines("hooks", { cwd: patient.project })).at(-1)).toBe(
    `✗ hooks        ${shared}: no hook for SessionEnd → parley setup claude-code --project --hold`,
  );
});

test("[DR7] without Claude Code on the PATH missing hooks are only worth a note", async () => {
  rmSync(patient.settings);
  rmSync(join(patient.bin, "claude"));
  expect(await patient.lines("claude-code")).toEqual([
    "! claude-code  Claude Code is not on your PATH → npm install -g @anthropic-ai/claude-code",
  ]);
  expect(await patient.lines("hooks")).toEqual([
    "! hooks        Claude Code does not ask through Parley: no settings file has its hooks → parley setup claude-code",
  ]);
  expect((await patient.doctor()).code).toBe(0);
});

test("[DR8] a launcher that is gone, not executable or starts nothing is a problem", async () => {
  const { program } = patient.paths;
  const launcher = readFileSync(program, "utf8");
  const broken = async (change: () => void) => {
    change();
    return patient.lines("launcher");
  };
  const lost = join(patient.root, "lost/main.ts");
  expect(
    await broken(() => writeFileSync(program, launcher.replaceAll(/'[^']+\/(?:main\.[jt]s|parley)'/g, `'${lost}'`))),
  ).toEqual([
    "✗ launcher     ROOT/home/bin/parley does not start: parley: ROOT/lost/main.ts is gone; start Parley again from where it is now → parley setup",
  ]);
  expect(await broken(() => says(program, '{"version":"0.0.9"}'))).toEqual([
    `! launcher     the hooks start Parley 0.0.9, this is ${VERSION} → parley setup`,
  ]);
  expect(await broken(() => says(program, "no version"))).toEqual([
    "✗ launcher     ROOT/home/bin/parley does not start: exit code 0 → parley setup",
  ]);
  expect(await broken(() => chmodSync(program, 0o600))).toEqual([
    "✗ launcher     ROOT/home/bin/parley is not executable: the hooks do nothing → chmod 700 ROOT/home/bin/parley",
  ]);
  expect(await broken(() => rmSync(program))).toEqual([
    "✗ launcher     ROOT/home/bin/parley is gone: the hooks do nothing → parley setup",
  ]);
  await setup();
  expect(await patient.lines("launcher")).toEqual([`✓ launcher     ROOT/home/bin/parley starts Parley ${VERSION}`]);
});

test("[DR9] disableAllHooks counts as Claude Code counts it: the project beats one's own, local settings beat both", async () => {
  const at = { cwd: patient.project };
  const [shared, local] = ["settings.json", "settings.local.json"].map((name) =>
    join(patient.project, ".claude", name),
  );
  const disable = (path: string | undefined, value: boolean) =>
    patient.edit(path ?? "", (settings) => ({ ...settings, disableAllHooks: value }));
  const told = (path: string) => [
    `✗ settings     ${path} sets disableAllHooks: no hook runs → remove disableAllHooks from ${path}`,
  ];
  const fine = ["✓ settings     nothing keeps the hooks from running"];
  disable(patient.settings, true);
  expect(await patient.lines("settings", at)).toEqual(told(OWN));
  disable(shared, false);
  expect(await patient.lines("settings", at)).toEqual(fine);
  disable(local, true);
  expect(await patient.lines("settings", at)).toEqual(told("ROOT/user/project/.claude/settings.local.json"));
  disable(local, false);
  disable(shared, true);
  expect(await patient.lines("settings", at)).toEqual(fine);
});

test("[DR9] a denied tool and a bare shell are problems, the agent's own timer is a note", async () => {
  patient.edit(patient.settings, (settings) => ({
    ...settings,
    permissions: { deny: ["WebFetch", "AskUserQuestion"] },
    askUserQuestionTimeout: "60s",
  }));
  expect(await patient.lines("settings", { env: { CLAUDE_CODE_SIMPLE: "1", CLAUDE_CODE_SAFE_MODE: "0" } })).toEqual([
    `✗ settings     ${OWN} denies AskUserQuestion: Claude Code asks nothing → remove it from permissions.deny in ${OWN}`,
    `! settings     ${OWN} sets askUserQuestionTimeout: Claude Code continues without an answer after 60s → set it to "never" in ${OWN}`,
    "✗ settings     CLAUDE_CODE_SIMPLE is set in this shell: Claude Code started here runs no hooks → unset CLAUDE_CODE_SIMPLE",
  ]);
});

test("[DR10] settings that Claude Code cannot load are a problem", async () => {
  writeFileSync(patient.settings, `${text()},`);
  expect(await patient.lines("settings")).toEqual([
    `✗ settings     ${OWN} is not valid JSON: Claude Code ignores all of it → fix ${OWN}`,
    "✓ settings     nothing keeps the hooks from running",
  ]);
  writeFileSync(patient.settings, '{"disableAllHooks": "true"}');
  expect((await patient.lines("settings"))[0]).toBe(
    `✗ settings     ${OWN} has a wrong value (disableAllHooks: expected true or false, not text): Claude Code ignores all of it → fix ${OWN}`,
  );
});

test("[DR11] a Claude Code that does not report its version is a problem, an unknown one a note", async () => {
  const claude = join(patient.bin, "claude");
  says(claude, "hello");
  expect(await patient.lines("claude-code")).toEqual([
    "✗ claude-code  ROOT/bin/claude does not report its version → see why: ROOT/bin/claude --version",
  ]);
  says(claude, "999.0.0 (Claude Code)");
  expect((await patient.lines("claude-code"))[0]).toMatch(
    /^! claude-code {2}Claude Code 999\.0\.0 \(ROOT\/bin\/claude\) is newer than every tested version \(\d+\.\d+\.\d+\) → parley doctor --live$/,
  );
});

test("[DR15] nothing that stands in a file or a name steers the terminal", async () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\u202eevil";
  const folder = join(patient.user, evil);
  mkdirSync(join(folder, ".git"), { recursive: true });
  patient.edit(join(folder, ".claude/settings.json"), () => ({ disableAllHooks: true, askUserQuestionTimeout: evil }));
  for (const args of [[], ["--json"]]) {
    const { out } = await patient.doctor(args, { cwd: folder });
    expect(out).toContain("sets disableAllHooks");
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
});

test("[GP11] patterns that must be asked about, and no hook that looks before each call, are noted until it is installed", async () => {
  expect(await patient.lines("must-ask")).toEqual([]);
  const folder = join(patient.user, ".config/parley");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), 'approvals.must_ask = ["git push ..."]\n');
  const env = { PARLEY_CONFIG: join(folder, "config.toml") };
  expect(await patient.lines("must-ask", { env })).toEqual([
    "! must-ask     1 pattern in approvals.must_ask, but no hook looks before each call: in bypass and auto mode nothing is asked → parley setup claude-code --must-ask",
  ]);
  await setup("--must-ask");
  expect(await patient.lines("must-ask", { env })).toEqual([]);
});
