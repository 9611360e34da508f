import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { PLACES } from "../agents/environments.ts";
import { nameProcess, type ProcessName } from "../machine/process/process.ts";
import { ps } from "../machine/process/ps.ts";

type Env = Record<string, string | undefined>;
/** A program in a pane. `args` is what it was started with. */
export type PaneProcess = { process: ProcessName; args: string; cwd: string | undefined; env: Env };

/** The only values of a process in the pane that are looked at: where its agent keeps its records. */
const LOOKED_AT = ["HOME", ...PLACES];

/**
 * What has the terminal, and what that started, parents first: an agent may stand behind a shell, a script, `env` or
 * `sudo`, which gives it a terminal of its own. What the shell has in the background, or suspended, does not draw there.
 */
export function processesIn(tty: string, first: number): PaneProcess[] {
  const name = tty.replace(/^\/dev\//, "");
  const all = listProcesses();
  const inFront = all.filter(({ terminal, state }) => terminal === name && state.includes("+"));
  const tops = inFront.filter(({ parent }) => !inFront.some(({ pid }) => pid === parent));
  const below = (parent: number): typeof all =>
    all.filter((each) => each.parent === parent).flatMap((child) => [child, ...below(child.pid)]);
  const found = tops.flatMap((top) => [top, ...below(top.pid)]);
  const pids = found.length > 0 ? found : [{ pid: first, args: "" }];
  return pids.map(({ pid, args }) => ({ process: nameProcess(pid), args, cwd: cwdOf(pid), env: environmentOf(pid) }));
}

/** Was the program of this name started here, by itself or through an interpreter? */
export function isProgram({ args }: PaneProcess, program: string): boolean {
  return args
    .split(" ")
    .slice(0, 2)
    .some((part) => basename(part).replace(/\.(exe|js|mjs|cjs)$/, "") === program);
}

function listProcesses() {
  return ps("-A", "-ww", "-o", "pid=,ppid=,stat=,tty=,args=")
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, state = "", terminal = "", args = ""] =
        /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      return pid === undefined || state.startsWith("Z")
        ? []
        : [{ pid: Number(pid), parent: Number(parent), state, terminal, args }];
    });
}

function cwdOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function environmentOf(pid: number): Env {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .filter((pair) => LOOKED_AT.includes(pair.slice(0, pair.indexOf("="))));
    return Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    );
  } catch {
    // Where processes cannot be looked into, the agent is taken to run with the daemon's own.
    return Object.fromEntries(LOOKED_AT.map((name) => [name, process.env[name]]));
  }
}
