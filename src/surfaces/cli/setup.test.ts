import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AGENTS, isInstallable } from "../../agents/agents.ts";
import { parseInput } from "./command-line/parse.ts";
import { command } from "./commands/agent/setup.ts";
import { setup, type SetupIo, type SetupRequest } from "./setup.ts";

const program = "/opt/parley/bin/parley";
const KNOWN = AGENTS.filter(isInstallable)
  .map(({ name }) => name)
  .join(", ");
const ODD = '\uFEFF{ "model" :"opus",\r\n\t"hooks":{"Stop":[ {"hooks":[{"type":"command","command":"theirs"}]} ]}}';
let home = "";
let file = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "parley-setup-"));
  file = join(home, ".claude/settings.json");
});
afterEach(() => rm(home, { recursive: true }));

async function parley(line: string, more: Partial<SetupIo> = {}) {
  const said = { out: "", err: "" };
  const io: SetupIo = {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    env: { HOME: home },
    cwd: home,
    isTty: false,
    color: false,
    program,
    ...more,
  };
  const args = line.split(" ").slice(1);
  const { input } = await parseInput({ path: "setup", definition: command, args });
  return { code: await setup(input as SetupRequest, io), ...said };
}
const answering = (answer: string, before: () => Promise<unknown> = async () => undefined): Partial<SetupIo> => ({
  isTty: true,
  ask: async (prompt) => {
    expect(prompt).toBe("Apply this change? [y/N] ");
    await before();
    return answer;
  },
});
const given = async (text: string, path = file) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};
const read = (path = file) => readFile(path, "utf8");
const backups = async () => (await readdir(dirname(file))).filter((name) => name !== "settings.json");
const modeOf = async (path: string) => (await stat(path)).mode & 0o7777;

describe("the change", () => {
  test("[S13] a missing file and folder are made, private, and remove deletes both again", async () => {
    const done = await parley("setup claude-code --yes");
    expect(done).toMatchObject({ code: 0, err: "" });
    expect(done.out).toBe(
      `✓ Claude Code asks through Parley now (${file})\nRunning sessions use it from their next question on.\nNext: start claude and ask it something\n`,
    );
    expect([await modeOf(file), await modeOf(dirname(file))]).toEqual([0o600, 0o700]);
    expect(await read()).toContain(
      `"[ -x ${program} ] && exec ${program} hook claude-code PermissionRequest --edits; exit 0"`,
    );
    const undone = await parley("setup claude-code --remove --yes");
    expect(undone.out).toBe(`✓ Claude Code no longer asks through Parley (${file})\n`);
    expect(existsSync(dirname(file))).toBe(false);
  });

  test("[S17] a backup with the same bytes and mode lies beside the file, and the result names it", async () => {
    await given(ODD);
    await chmod(file, 0o640);
    const { out } = await parley("setup claude-code --yes");
    const [name = ""] = await backups();
    expect(name).toMatch(/^settings\.json\.parley-backup-\d{8}T\d{9}Z$/);
    const backup = join(dirname(file), name);
    expect(out).toStartWith(`✓ Claude Code asks through Parley now (${file}); backup: ${backup}\n`);
    expect([await read(backup), await modeOf(backup), await modeOf(file)]).toEqual([ODD, 0o640, 0o640]);
  });

  test("[S6] setup, then remove, leaves the bytes that were there", async () => {
    await given(ODD);
    await parley("setup claude-code --yes");
    expect(await read()).not.toBe(ODD);
    await parley("setup claude-code --remove --yes");
    expect(await read()).toBe(ODD);
  });

  test("[S7] a second run says so and writes nothing, terminal or not", async () => {
    await given("{}");
    await parley("setup claude-code --yes");
    const text = await read();
    expect(await parley("setup claude-code")).toMatchObject({ code: 0, out: `Already set up: ${file}\n` });
    expect([await read(), (await backups()).length]).toEqual([text, 1]);
  });

  test("[S7] remove with nothing to remove says so", async () => {
    const message = { code: 0, out: `Nothing to remove: ${file}\n` };
    expect(await parley("setup claude-code --remove")).toMatchObject(message);
    await given(ODD);
    expect(await parley("setup claude-code --remove --yes")).toMatchObject(message);
    expect(await read()).toBe(ODD);
  });

  test("[S8] after a move of the program the old hooks are replaced", async () => {
    await given(ODD);
    await parley("setup claude-code --yes", { program: "/old/place of/parley" });
    await parley("setup claude-code --yes");
    expect(await read()).not.toContain("/old/place");
    expect((await read()).match(/hook claude-code Stop; exit 0/g)).toHaveLength(1);
  });

  test("[S14] a link to the settings stays a link; its target is written, the backup lies beside the link", async () => {
    const target = join(home, "dotfiles/claude.json");
    await given("{}", target);
    await mkdir(dirname(file));
    await symlink("../dotfiles/claude.json", file);
    await parley("setup claude-code --yes");
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await read(target)).toContain("PermissionRequest");
    expect(await readdir(dirname(target))).toEqual(["claude.json"]);
    expect(await backups()).toHaveLength(1);
  });

  test("[S9] a broken file is named with line and column and not touched", async () => {
    await given('{\n  "a": 1,\n}');
    const where = `${file}, line 3, column 1: not valid JSON (property name expected)`;
    const err = `parley setup: ${where}. Nothing was changed; fix it and run this again.\n`;
    expect(await parley("setup claude-code --yes")).toMatchObject({ code: 1, out: "", err });
    expect([await read(), await backups()]).toEqual(['{\n  "a": 1,\n}', []]);
  });

  test("[S9] a path that cannot be written is an error in words, not a crash", async () => {
    await writeFile(join(home, ".claude"), "a file where a folder should be");
    const { code, err } = await parley("setup claude-code --yes");
    expect(code).toBe(1);
    expect(err).toStartWith("parley setup: ENOTDIR");
  });

  test("[S16] a file that changes while the person reads is not overwritten", async () => {
    await given("{}");
    const result = await parley(
      "setup claude-code",
      answering("y", () => writeFile(file, '{"model":"haiku"}')),
    );
    const err = `parley setup: ${file} was changed by another program in the meantime; nothing was written. Run this again.\n`;
    expect(result).toMatchObject({ code: 1, err });
    expect([await read(), await backups()]).toEqual(['{"model":"haiku"}', []]);
  });

  test("[S16] a file that disappears while the person reads is not made again", async () => {
    await given("{}");
    const result = await parley(
      "setup claude-code",
      answering("y", () => rm(file)),
    );
    expect(result.code).toBe(1);
    expect(await readdir(dirname(file))).toEqual([]);
  });
});

describe("where", () => {
  test("[S10] CLAUDE_CONFIG_DIR is honoured", async () => {
    const folder = join(home, "elsewhere");
    await parley("setup claude-code --yes", { env: { HOME: home, CLAUDE_CONFIG_DIR: folder } });
    expect(await readdir(folder)).toEqual(["settings.json"]);
    expect(await readdir(home)).toEqual(["elsewhere"]);
  });

  test("[S11] --project changes the settings at the git top level, else in the folder itself", async () => {
    const deep = join(home, "app/src/deep");
    await mkdir(deep, { recursive: true });
    await parley("setup claude-code --project --yes", { cwd: deep });
    expect(await readdir(deep)).toEqual([".claude"]);
    await writeFile(join(home, "app/.git"), "gitdir: /somewhere/else");
    await parley("setup claude-code --project --yes", { cwd: deep });
    expect(await read(join(home, "app/.claude/settings.json"))).toContain("hook claude-code Stop");
  });

  test("[S11] --project never means the person's own settings", async () => {
    const err = `parley setup: ${file} is your own settings file, for every project. Run it inside a project.\n`;
    expect(await parley("setup claude-code --project --yes")).toMatchObject({ code: 2, err });
  });

  test("[S12] --hold is for one project only, and a setup without it ends it", async () => {
    const err = "parley setup: --hold is for one project: add --project.\n";
    expect(await parley("setup claude-code --hold --yes")).toMatchObject({ code: 2, err });
    const cwd = join(home, "app");
    await mkdir(cwd);
    await parley("setup claude-code --project --hold --yes", { cwd });
    expect(await read(join(cwd, ".claude/settings.json"))).toContain("hook claude-code PreToolUse --hold; exit 0");
    await parley("setup claude-code --project --yes", { cwd });
    expect(await read(join(cwd, ".claude/settings.json"))).not.toContain("--hold");
  });
});

describe("the conversation", () => {
  test("[S18] on a terminal the change is shown and asked for; only yes applies it", async () => {
    await given("{}");
    for (const answer of ["", "n", "yeah", "q"]) {
      const no = await parley("setup claude-code", answering(answer));
      expect(no).toMatchObject({ code: 1, err: "Nothing was changed.\n" });
      expect(no.out).toStartWith(`--- ${file}\n+++ ${file}\n@@ -1,1 +1,`);
    }
    expect(await read()).toBe("{}");
    const yes = await parley("setup claude-code", answering(" Y\n"));
    expect(yes.code).toBe(0);
    expect(yes.out).toContain("\n✓ Claude Code asks through Parley now");
    expect(await read()).not.toBe("{}");
  });

  test("[S18] without a terminal nothing is changed unless --yes says so", async () => {
    const why = "there is no terminal to ask on. Add --yes to apply or --print to only see the change.\n";
    const refused = { code: 2, out: "", err: `parley setup: Nothing was changed: ${why}` };
    expect(await parley("setup claude-code")).toMatchObject(refused);
    expect(await readdir(home)).toEqual([]);
  });

  test("[S19] --print only shows a unified diff with three lines around each change", async () => {
    const lines = Array.from({ length: 9 }, (_, i) => `  "k${i}": ${i},`);
    const stop = '  "hooks": { "Stop": [], "PreToolUse": [] }';
    const after = Array.from({ length: 9 }, (_, i) => `  "z${i}": ${i}${i < 8 ? "," : ""}`);
    await given(["{", ...lines, `${stop},`, ...after, "}", ""].join("\n"));
    const { code, out } = await parley("setup claude-code --print");
    expect(code).toBe(0);
    const shown = out.split("\n");
    expect(shown.slice(2, 8)).toEqual([
      expect.stringMatching(/^@@ -8,7 \+8,\d+ @@$/),
      " " + lines[6],
      " " + lines[7],
      " " + lines[8],
      `-${stop},`,
      '+  "hooks": { "Stop": [',
    ]);
    expect(shown.slice(-5)).toEqual(["+    ] },", ...after.slice(0, 3).map((line) => ` ${line}`), ""]);
    expect(await backups()).toEqual([]);
  });

  test.if(Bun.which("patch") !== null)("[S19] the diff is one that patch(1) takes", async () => {
    await given('{\n  "a": 1,\n  "hooks": {\n    "Stop": [\n    ]\n  },\n  "b": [\n    1\n  ]\n}\n');
    await parley("setup claude-code --yes", { program: "/old/parley" });
    const { out } = await parley("setup claude-code --print");
    const copy = join(home, "copy.json");
    await writeFile(copy, await read());
    expect(Bun.spawnSync(["patch", "--silent", copy], { stdin: Buffer.from(out) }).exitCode).toBe(0);
    await parley("setup claude-code --yes");
    expect(await read(copy)).toBe(await read());
  });

  test("[S20] colour is for terminals without NO_COLOR", async () => {
    const lit = { isTty: true, color: true };
    const { out } = await parley("setup claude-code --print", lit);
    expect(out).toStartWith("\x1b[31m--- /dev/null\x1b[0m\n\x1b[32m+++ ");
    for (const more of [{ color: true }, { isTty: true }, { ...lit, env: { HOME: home, NO_COLOR: "1" } }])
      expect((await parley("setup claude-code --print", more)).out).not.toContain("\x1b");
  });

  test("[S20] what would steer the terminal is shown as its code", async () => {
    await given('{ "a": "\u009b2J\u202egnp" }');
    const { out } = await parley("setup claude-code --print");
    expect(out).toContain('-{ "a": "\\u{9b}2J\\u{202e}gnp" }');
  });

  test("[S21] --json prints one object and never asks", async () => {
    const plan = JSON.parse((await parley("setup claude-code --print --json")).out);
    expect(plan).toEqual({ path: file, changed: true, applied: false, backup: null, diff: expect.any(String) });
    expect(await parley("setup claude-code --json", answering("y"))).toMatchObject({ code: 2, out: "" });
    await given("{}");
    const done = JSON.parse((await parley("setup claude-code --yes --json")).out);
    expect(done).toEqual({ path: file, changed: true, applied: true, backup: expect.stringContaining(file) });
    const again = JSON.parse((await parley("setup claude-code --json")).out);
    expect(again).toEqual({ path: file, changed: false, applied: false, backup: null });
  });

  test.each([
    ["setup", `Which agent? Known agents: ${KNOWN}.`],
    ["setup emacs", `Unknown agent "emacs". Known agents: ${KNOWN}.`],
    ["setup claude-code now", 'One agent at a time: "now" is one too many.'],
    ["setup claude-code --project --hold --remove", "--remove takes out everything: leave out --hold."],
  ])("[S22] `parley %s` is refused in words", async (line, message) => {
    expect(await parley(line)).toMatchObject({ code: 2, out: "", err: `parley setup: ${message}\n` });
  });
});
