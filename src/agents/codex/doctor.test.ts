import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { doctor } from "./doctor.ts";
import { install, settingsFor } from "./install.ts";

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "parley-codex-doctor-"))));
afterEach(() => rmSync(home, { recursive: true }));

const program = "/home/you/.local/state/parley/bin/parley";
const put = (name: string, text: string, mode = 0o600) => writeFileSync(join(home, name), text, { mode });
const say = (version: string) => put("codex", `#!/bin/sh\necho codex-cli ${version}\n`, 0o755);
async function looks() {
  const { findings, settings } = await doctor({ env: { HOME: home, PATH: `${home}:/bin` }, cwd: home, program });
  return [...findings, ...settings].map(({ level, message }) => [level, message.replaceAll(home, "~")]);
}

test("[CX50] says whether codex was tried, whether this Parley listens, and what keeps it from hearing", async () => {
  say("0.166.0");
  expect(await looks()).toEqual([
    ["ok", "codex 0.166.0 (~/codex): tested"],
    ["note", "codex does not ask through Parley: nobody listens at its socket"],
  ]);
  mkdirSync(join(home, ".codex/app-server-control"), { recursive: true });
  put(".codex/parley.json", settingsFor(program));
  put(".codex/app-server-control/app-server-control.sock", "");
  put(".codex/config.toml", "[features]\ndaemon_auto_start = false\n");
  expect((await looks()).slice(1)).toEqual([
    ["ok", "~/.codex/parley.json: this Parley listens to codex"],
    ["ok", "codex listens at ~/.codex/app-server-control/app-server-control.sock"],
    ["problem", "~/.codex/config.toml turns daemon_auto_start off: what codex asks then stays in its terminal"],
  ]);
});

test("[CX51] a version that does not work and one that nobody tried are named as such", async () => {
  say("0.150.0");
  expect((await looks())[0]).toEqual(["problem", "codex 0.150.0 (~/codex) was tried and does not work with Parley"]);
  say("9.0.0");
  expect((await looks())[0]?.[1]).toContain("was not tested");
});

test("[CX52] set-up names its file in CODEX_HOME, takes nobody else's file, and has no hold mode", () => {
  expect(install.settingsPath({ env: { HOME: "/h", CODEX_HOME: "/c" }, cwd: "/" })).toBe("/c/parley.json");
  expect(install.settingsPath({ env: { HOME: "/h" }, cwd: "/", project: "/p" })).toBe("/h/.codex/parley.json");
  const plan = (more: object) => () =>
    install.plan({ text: undefined, program, hold: false, remove: false, file: "/c/parley.json", ...more });
  expect(plan({ text: "{}" })).toThrow("/c/parley.json is not Parley's. Nothing was changed");
  expect(plan({ hold: true })).toThrow("leave out --hold");
});
