import { readdirSync, readFileSync } from "node:fs";

/** A process, told apart from a later one with the same pid by its start time (`started`, ms, since whenever). */
export type Process = { pid: number; parent: number; started: number };

/** What Linux counts in for programs. */
const TICK_MS = 10;

/** ps works the start time out anew each time, from the uptime, and is off by a second now and then. */
const SAME_START_MS = 2_000;

export function isAlive(pid: number): boolean {
  if (process.platform === "linux") return fromProc(String(pid)).length > 0;
  const state = ps(["-o", "stat=", "-p", String(pid)]).trim();
  return state !== "" && !state.startsWith("Z");
}

/** `pid` and everything below it, as it is now. */
export function treeOf(pid: number): Process[] {
  const all = processes();
  const below = (parent: number): Process[] =>
    all.filter((process) => process.parent === parent).flatMap((child) => [child, ...below(child.pid)]);
  return [...all.filter((process) => process.pid === pid), ...below(pid)];
}

/** Those of `known` that still run. */
export function survivors(known: Iterable<Process>): Process[] {
  const started = new Map(processes().map((process) => [process.pid, process.started]));
  const runs = (process: Process) =>
    Math.abs((started.get(process.pid) ?? -Infinity) - process.started) <= SAME_START_MS;
  return [...known].filter(runs);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  // 0 means the caller's own group, a negative one somebody's.
  if (!(pid > 1)) throw new Error(`no process to send ${name} to: ${pid}`);
  try {
    process.kill(pid, name);
  } catch {
    // It ended between the look and the signal.
  }
}

/** From /proc where there is one: `ps` costs 20 ms each time. */
function processes(): Process[] {
  if (process.platform === "linux") return readdirSync("/proc").flatMap(fromProc);
  return ps(["-A", "-o", "pid=,ppid=,stat=,lstart="])
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => state !== undefined && !state.startsWith("Z"))
    .map(([pid, parent, , ...started]) => ({
      pid: Number(pid),
      parent: Number(parent),
      started: Date.parse(started.join(" ")),
    }));
}

function fromProc(name: string): Process[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    // After the name, which may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return [];
    return [{ pid: Number(name), parent: Number(fields[1]), started: Number(fields[19]) * TICK_MS }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function ps(args: string[]): string {
  return Bun.spawnSync(["ps", ...args], { env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" } }).stdout.toString();
}
