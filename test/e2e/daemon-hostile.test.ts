import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND, createProgram, type Program, UNTIL_STARTED } from "./program.ts";

let program: Program;
let hostile: string;
let marker: string;
beforeEach(() => {
  program = createProgram();
  hostile = join(program.root, "hostile");
  marker = join(program.root, "ran");
  mkdirSync(hostile);
  const evil = `require("node:fs").appendFileSync(${JSON.stringify(marker)}, "ran " + process.argv.join(" ") + "\\n");`;
  writeFileSync(join(hostile, "evil.js"), evil);
  writeFileSync(join(hostile, "bunfig.toml"), 'preload = ["./evil.js"]\n[test]\npreload = ["./evil.js"]\n');
  writeFileSync(join(hostile, ".env"), `XDG_STATE_HOME=${hostile}/state\nPARLEY_HOLD_MS=1\n`);
  writeFileSync(join(hostile, "package.json"), '{"name":"zod","main":"./evil.js","imports":{"#*":"./evil.js"}}');
  writeFileSync(join(hostile, "tsconfig.json"), '{"compilerOptions":{"paths":{"*":["./evil.js"]}}}');
});
afterEach(() => program.dispose());

const BIN = join(import.meta.dir, "../../bin/parley");

test("[D24] what lies in the directory Parley is started in is neither run nor loaded", async () => {
  const before = readdirSync(hostile);
  const doors = [COMMAND, [BIN]];
  for (const command of doors) expect(await run(command, ["up"])).toMatchObject({ code: 0, err: "" });
  // Written by the daemon; what agents' hooks call.
  doors.push([program.paths.program]);
  for (const command of doors) {
    expect(await run(command, ["ls"])).toMatchObject({ code: 0, err: "" });
    expect(await run(command, ["hook", "PreToolUse"])).toEqual({ code: 0, out: "", err: "" });
  }
  await program.kill9();
  expect(await run([program.paths.program], ["ls"])).toMatchObject({ code: 0, err: "" });
  expect(existsSync(marker)).toBe(false);
  expect(readdirSync(hostile)).toEqual(before);
});

test("[D25] its .env says nothing about where Parley's state is", async () => {
  for (const command of [COMMAND, [BIN]]) {
    const { out } = await run(command, ["status", "--json"], { PARLEY_HOME: "" });
    expect((JSON.parse(out) as { home: string }).home).toBe(join(program.user, ".local/state/parley"));
  }
});

test("[D26] Bun's own variables from outside do not reach the installed command", async () => {
  await program.start();
  const env = { BUN_OPTIONS: `--preload ${join(hostile, "evil.js")}` };
  for (const command of [[BIN], [program.paths.program]]) {
    expect(await run(command, ["ls"], env)).toMatchObject({ code: 0, err: "" });
    expect(await run(command, ["ls"], { BUN_BE_BUN: "1" })).toMatchObject({ code: 0, err: "" });
  }
  expect(existsSync(marker)).toBe(false);
});

async function run(command: string[], args: string[], env: Record<string, string> = {}) {
  const own = { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_HOME: program.home, PARLEY_PORT: "0" };
  const clean = { ...own, ...UNTIL_STARTED };
  const child = Bun.spawn([...command, ...args], {
    cwd: hostile,
    env: { ...clean, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}
