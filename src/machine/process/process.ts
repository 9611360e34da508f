import { readdirSync, readFileSync } from "node:fs";
import { ps } from "./ps.ts";

/** A process beyond reuse of its pid: `started` is the kernel's own start time of it. */
export type ProcessName = { pid: number; started?: string | undefined };

/** What the kernel counts in for programs, on every Linux. */
const TICK_MS = 10;

export function nameProcess(pid: number): ProcessName {
  return { pid, started: startOf(pid) };
}

export function isAlive({ pid, started }: ProcessName): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const fields = process.platform === "linux" ? statFields(pid) : undefined;
  const found = fields ? fields[19] : startOf(pid);
  // It is there and cannot be looked at, as when this process may open no more files: that is no death.
  return fields?.[0] !== "Z" && (started === undefined || found === undefined || found === started);
}

function startOf(pid: number): string | undefined {
  if (process.platform === "linux") return statFields(pid)?.[19];
  return ps("-o", "lstart=", "-p", String(pid)).trim() || undefined;
}

/** Undefined: nobody has this pid, or it cannot be looked at. */
export function parentOf(pid: number): number | undefined {
  if (process.platform === "linux") return Number(statFields(pid)?.[1]) || undefined;
  return Number(ps("-o", "ppid=", "-p", String(pid))) || undefined;
}

/** The words it was started with; none where they cannot be read. */
export function wordsOf(pid: number): string[] {
  if (process.platform !== "linux") return ps("-o", "command=", "-ww", "-p", String(pid)).trim().split(/\s+/);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  } catch {
    return [];
  }
}

/** When it was started, by the clock that says `now`; undefined: it is gone, or cannot be looked at. */
export function startTimeOf(pid: number, now: number): number | undefined {
  if (process.platform !== "linux") return Date.parse(startOf(pid) ?? "") || undefined;
  const ticks = Number(statFields(pid)?.[19]);
  // Bun's os.uptime() is in whole seconds, rounded (1.4.4).
  const uptime = Number.parseFloat(readFileSync("/proc/uptime", "utf8"));
  return Number.isFinite(ticks) ? now - (uptime * 1000 - ticks * TICK_MS) : undefined;
}

/** The fields of /proc/<pid>/stat after the name, which may itself hold spaces and brackets. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** Every process of this user that was started, by whomever, with `NAME=value` in its environment. */
export function processesWith(variable: string): ProcessName[] {
  if (process.platform !== "linux") return listed(variable);
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environmentOf(pid).includes(variable)).map((pid) => nameProcess(Number(pid)));
}

/** As `NAME=value`, as it was when the program was started: what a shell unsets later is still there. */
export function environmentOf(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // It has ended, or is somebody else's.
    return [];
  }
}

function listed(variable: string): ProcessName[] {
  return ps("xeww", "-o", "pid=,command=")
    .split("\n")
    .filter((line) => `${line} `.includes(` ${variable} `))
    .map((line) => nameProcess(Number.parseInt(line, 10)));
}

/** Processes that were called with this text in an argument; not this one. */
export function commandsWith(text: string): number[] {
  return ps("-axww", "-o", "pid=,stat=,command=")
    .split("\n")
    .filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== process.pid);
}
