import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { missingForLab } from "../../src/lab/requirements.ts";
import { createPatient, type Patient, says, VERSION } from "./doctor-stage.ts";
import { COMMAND, holds } from "./program.ts";
import { eventually, TEST_MS } from "../patience.ts";

let patient: Patient;
let temp = "";
beforeEach(() => {
  patient = createPatient();
  temp = join(patient.root, "temp");
  mkdirSync(temp);
});
afterEach(() => patient.dispose());

const missing = missingForLab("/");
const skip = missing !== undefined && process.env["CI"] !== "true";
/** These need a terminal of their own, but no agent: a script stands where it would. */
const it = (title: string, run: () => Promise<void>) =>
  test.skipIf(skip)(skip ? `${title} (skipped: ${missing})` : title, run, TEST_MS);

const PATH = process.env["PATH"] ?? "";
const agent = (script: string) => {
  const path = join(patient.root, "agent");
  says(path, "");
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && echo '9.9.9 (Claude Code)' && exit\n${script}\n`);
  return path;
};
const live = (args: string[], env: Record<string, string> = {}) =>
  patient.doctor(["--live", ...args], { env: { PATH, TMPDIR: temp, ...env } });
/** What was started for the check carries its folder in the environment. */
const running = () =>
  Bun.spawnSync(["ps", "axeww", "-o", "stat=,command="], { env: { PATH } })
    .stdout.toString()
    .split("\n")
    .filter((line) => !line.startsWith("Z") && / (PARLEY_HOME|TMPDIR|HOME)=\S+\/temp\/parley-/.test(line))
    .filter((line) => line.includes(temp));

test("[DR18] without tmux, without an agent: it says what is missing and ends with 1", async () => {
  for (const tool of ["git", "ps"]) symlinkSync(Bun.which(tool) ?? "", join(patient.bin, tool));
  const where = join(patient.bin, "claude");
  const withTmux = await patient.doctor(["--live", "--agent", "nowhere/claude"]);
  expect(withTmux).toEqual({
    code: 1,
    out: "",
    err: `✗ The live check cannot run: there is no agent at ${patient.user}/nowhere/claude\n`,
  });
  const nobody = await patient.doctor(["--live"], { env: { PATH: "/usr/bin:/bin" } });
  expect(nobody).toEqual({
    code: 1,
    out: "",
    err: "✗ The live check cannot run: Claude Code is not on your PATH; name it: parley doctor --live --agent PATH\n",
  });
  const bare = join(patient.root, "bare");
  mkdirSync(bare);
  const options = { env: { PATH: bare } };
  expect(await patient.doctor(["--live", "--agent", where], options)).toEqual({
    code: 1,
    out: "",
    err: "✗ The live check cannot run: tmux is not installed\n",
  });
  expect(await patient.doctor(["--live", "--agent", where, "--json"], options)).toEqual({
    code: 1,
    out: '{"ok":false,"reason":"tmux is not installed"}\n',
    err: "",
  });
});

it("[DR19] an agent that does not come up is told with the reason and its screen, and nothing is left", async () => {
  // What a program prints and ends at once, a busy machine may never draw.
  const drawn = 'until tmux capture-pane -p -t "$TMUX_PANE" | grep -q licence; do :; done';
  const path = agent(`echo Starting; echo "I need a licence."; ${drawn}; exit 3`);
  const { code, out } = await live(["--agent", path]);
  expect(out).toContain(`Live check of ${path} with a scripted model on loopback: no account, no tokens.\n`);
  expect(out).toMatch(/✓ +[\d.]+ s {2}parley setup claude-code has put the hooks into the agent's settings\n/);
  // tmux scrolls by a line when the program has ended, sooner or later.
  expect(out).toMatch(
    /✗ {9}it did not show its input box: it has ended by itself\n\nThe terminal shows:\n( {2}\| Starting\n)? {2}\| I need a licence\.\n/,
  );
  expect(out).toEndWith(`\nClaude Code 9.9.9 does not work properly with Parley ${VERSION}.\n`);
  expect(code).toBe(1);
  expect(readdirSync(temp)).toEqual([]);
  expect(await holds(() => running().length === 0)).toBe(true);

  const json = await live(["--agent", path, "--json"]);
  expect(JSON.parse(json.out)).toMatchObject({
    ok: false,
    version: "9.9.9",
    ways: {},
    failure: { reason: "it did not show its input box: it has ended by itself" },
  });
});

it("[DR20] the agent gets nothing of this machine: no key, no home, no way out but loopback; --keep keeps the folder", async () => {
  const path = agent('env > "$TMPDIR/env"; pwd > "$TMPDIR/cwd"; exit 1');
  const secrets = { ANTHROPIC_API_KEY: "sk-real", SSH_AUTH_SOCK: "/run/agent", GITHUB_TOKEN: "real", CLAUDECODE: "1" };
  const { out } = await live(["--agent", path, "--keep"], secrets);
  const kept = /^Kept: (.+)$/m.exec(out)?.[1] ?? "";
  expect(kept).toStartWith(join(temp, "parley-live-"));
  const env = Object.fromEntries(
    readFileSync(join(kept, "tmp/env"), "utf8")
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect(env).toMatchObject({ ANTHROPIC_API_KEY: "dummy-local", NO_PROXY: "127.0.0.1,localhost" });
  expect(env["ANTHROPIC_BASE_URL"]).toStartWith("http://127.0.0.1:");
  expect(env["HTTPS_PROXY"]).toStartWith("http://127.0.0.1:");
  for (const name of ["HOME", "TMPDIR", "PARLEY_HOME", "PWD"]) expect(env[name]).toStartWith(`${kept}/`);
  for (const name of ["SSH_AUTH_SOCK", "GITHUB_TOKEN", "CLAUDECODE"]) expect(env[name]).toBeUndefined();
  expect(readFileSync(join(kept, "tmp/cwd"), "utf8")).toStartWith(`${env["HOME"]}/project`);
  expect(existsSync(join(kept, "parley/parley.db"))).toBe(true);
  expect(existsSync(patient.home)).toBe(false);
  expect(await holds(() => running().length === 0)).toBe(true);
});

it("[DR17] Ctrl-C in the middle ends and removes everything", async () => {
  const path = agent("sleep 300");
  const decoder = new TextDecoder();
  let text = "";
  const child = Bun.spawn([...COMMAND, "doctor", "--live", "--agent", path], {
    cwd: patient.user,
    env: { PATH, HOME: patient.user, LANG: "C.UTF-8", TERM: "xterm", TMPDIR: temp, PARLEY_HOME: patient.home },
    terminal: { cols: 200, rows: 50, data: (_, bytes) => void (text += decoder.decode(bytes, { stream: true })) },
  });
  expect(await holds(() => text.includes("parley setup claude-code has put the hooks"))).toBe(true);
  expect(await holds(() => running().some((line) => line.includes(`sh ${path}`)))).toBe(true);
  child.terminal?.write("\u0003");
  expect(await child.exited).toBe(130);
  const last = "\nInterrupted; cleaning up …\nEverything was stopped and removed.\n";
  await eventually(() => expect(text.replaceAll("\r\n", "\n")).toEndWith(last));
  expect(readdirSync(temp)).toEqual([]);
  expect(await holds(() => running().length === 0)).toBe(true);
});

it("[DR17] a signal at any step leaves nothing behind", async () => {
  const path = agent("sleep 300");
  const started = [
    () => readdirSync(temp).length > 0,
    () => running().length > 0,
    () => readdirSync(temp).some((name) => name.startsWith("parley-tmux-")),
  ];
  for (const reached of started) {
    const child = patient.spawn(["doctor", "--live", "--agent", path], { env: { PATH, TMPDIR: temp } });
    expect(await holds(reached)).toBe(true);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(143);
    expect(readdirSync(temp, { recursive: true })).toEqual([]);
    expect(await holds(() => running().length === 0)).toBe(true);
  }
});
