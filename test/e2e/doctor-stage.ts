import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CONFORMANCE } from "../../src/agents/claude-code/lab/conformance.ts";
import { version } from "../../package.json" with { type: "json" };
import { createProgram, type Program, type Ran, type RunOptions } from "./program.ts";

export type Patient = Program & {
  /** Programs the shell finds, and no others. */
  bin: string;
  settings: string;
  project: string;
  doctor(args?: string[], options?: RunOptions): Promise<Ran>;
  /** The lines of one check, with what differs from run to run replaced. */
  lines(check: string, options?: RunOptions): Promise<string[]>;
  /** Changes one settings file as a person would in an editor. */
  edit(path: string, change: (settings: Json) => Json): void;
};
export type Json = Record<string, unknown>;

export const VERSION = version;
/** The newest version that was tested; the stand-in for Claude Code says it is this one. */
export const TESTED = CONFORMANCE[0] ?? { version: "0.0.0", date: "" };

/** A program with a PATH of its own, on which `claude` and `tmux` only say who they are. */
export function createPatient(): Patient {
  const program = createProgram();
  const [bin, project] = [join(program.root, "bin"), join(program.user, "project")];
  mkdirSync(bin);
  mkdirSync(join(project, ".git"), { recursive: true });
  says(join(bin, "claude"), `${TESTED.version} (Claude Code)`);
  says(join(bin, "tmux"), "tmux 3.4");
  const doctor: Patient["doctor"] = (args = [], { env, ...options } = {}) =>
    program.parley(["doctor", ...args], { ...options, env: { PATH: bin, ...env } });
  return {
    ...program,
    bin,
    project,
    settings: join(program.user, ".claude/settings.json"),
    doctor,
    async lines(check, options) {
      const { out } = await doctor([], options);
      return steady(out, program.root)
        .split("\n")
        .filter((line) => line.slice(2).startsWith(`${check} `));
    },
    edit(path, change) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(change(readJson(path)), null, 2));
    },
  };
}

/** A program that answers every call with this line. */
export function says(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\necho '${line}'\n`);
  chmodSync(path, 0o755);
}

/** Without what is another one each time: folders, process ids, ports, times. */
export function steady(text: string, root: string): string {
  return text
    .replaceAll(root, "ROOT")
    .replaceAll(/\bpid \d+/g, "pid N")
    .replaceAll(/\bup \d+(\.\d+)? (ms|s|min)\b/g, "up TIME")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "CLOCK");
}

function readJson(path: string): Json {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Json;
  } catch {
    return {};
  }
}
