/** A process, told apart from a later one with the same pid by its start time (`started`, ms). */
export type Process = { pid: number; parent: number; started: number };

/** ps works the start time out anew each time, from the uptime, and is off by a second now and then. */
const SAME_START_MS = 2_000;

export function isAlive(pid: number): boolean {
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
  const runs = (process: Process) => Math.abs((started.get(process.pid) ?? 0) - process.started) <= SAME_START_MS;
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

function processes(): Process[] {
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

function ps(args: string[]): string {
  return Bun.spawnSync(["ps", ...args], { env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" } }).stdout.toString();
}
