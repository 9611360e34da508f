import { afterEach, expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathsIn } from "../home.ts";
import { writeLauncher } from "./launcher.ts";
import { selfCommand } from "../self-command.ts";

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A home and a program, both in places with spaces, quotes and other letters that mean something to a shell. */
function scratch() {
  const root = mkdtempSync(join(tmpdir(), "parley-launcher-"));
  made.push(root);
  const paths = pathsIn(join(root, `it's a "home" $HOME \`x\``));
  mkdirSync(paths.home, { mode: 0o700 });
  const program = join(root, `the 'one' & "only"; program`);
  writeFileSync(program, '#!/bin/sh\nprintf "%s|" "$PARLEY_HOME" "$BUN_OPTIONS" "$@"\n');
  chmodSync(program, 0o755);
  return { paths, program };
}

function run(program: string, args: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], {
    env: { PATH: process.env["PATH"] ?? "", BUN_OPTIONS: "--bad", PARLEY_HOME: "/elsewhere" },
  });
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
}

test("[M19] the launcher starts the program with its home and exactly the words it was given", async () => {
  const { paths, program } = scratch();
  await writeLauncher(paths, [program, "first 'word'", "--flag=/x"]);
  expect(lstatSync(paths.program).mode & 0o777).toBe(0o700);
  expect(run(paths.program, ["hook", "a b", "", "$c"])).toEqual({
    code: 0,
    out: `${paths.home}||first 'word'|--flag=/x|hook|a b||$c|`,
    err: "",
  });
});

test("[M20] when the program is gone a hook ends silently and every other command says so", async () => {
  const { paths, program } = scratch();
  await writeLauncher(paths, [program]);
  rmSync(program);
  expect(run(paths.program, ["hook", "PermissionRequest"])).toEqual({ code: 0, out: "", err: "" });
  expect(run(paths.program, ["ls"])).toEqual({
    code: 127,
    out: "",
    err: `parley: ${program} is gone; start Parley again from where it is now\n`,
  });
});

test("[M21] the launcher is written again only when it would say something else", async () => {
  const { paths, program } = scratch();
  await writeLauncher(paths, [program]);
  const first = statSync(paths.program, { bigint: true });
  await writeLauncher(paths, [program]);
  expect(statSync(paths.program, { bigint: true }).ino).toBe(first.ino);
  await writeLauncher(paths, [program, "moved"]);
  expect(run(paths.program, []).out).toContain("|moved|");
});

test("[M22] by itself it starts this very Parley, deaf to what lies in the current directory", async () => {
  const { paths } = scratch();
  await writeLauncher(paths);
  const { stdout, exitCode } = Bun.spawnSync([paths.program, "--version"], {
    cwd: hostileDirectory(),
    env: { PATH: process.env["PATH"] ?? "", HOME: paths.home },
  });
  expect([exitCode, stdout.toString()]).toEqual([0, expect.stringMatching(/^parley \d+\.\d+\.\d+\n$/) as never]);
  expect(selfCommand()[0]).toBe(process.execPath);
});

function hostileDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "parley-hostile-"));
  made.push(dir);
  writeFileSync(join(dir, "evil.ts"), "process.exit(66)\n");
  writeFileSync(join(dir, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
  writeFileSync(join(dir, ".env"), "BUN_OPTIONS=--preload=./evil.ts\n");
  writeFileSync(join(dir, "tsconfig.json"), '{"compilerOptions":{"paths":{"*":["./evil.ts"]}}}\n');
  return dir;
}
