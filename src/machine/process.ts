import { readdirSync, readFileSync } from "node:fs";

/** A process beyond reuse of its pid: `started` is the kernel's own start time of it. */
export type ProcessName = { pid: number; started?: string | undefined };

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
  const { stdout, exitCode } = Bun.spawnSync(["ps", "-o", "lstart=", "-p", String(pid)]);
  return exitCode === 0 ? stdout.toString().trim() || undefined : undefined;
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

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // It has ended, or is somebody else's.
    return [];
  }
}

function listed(variable: string): ProcessName[] {
  const { stdout } = Bun.spawnSync(["ps", "xeww", "-o", "pid=,command="]);
  const lines = stdout.toString().split("\n");
  return lines
    .filter((line) => `${line} `.includes(` ${variable} `))
    .map((line) => nameProcess(Number.parseInt(line, 10)));
}

/** Processes that were called with this text in an argument; not this one. */
export function commandsWith(text: string): number[] {
  const { stdout } = Bun.spawnSync(["ps", "-axww", "-o", "pid=,stat=,command="]);
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== process.pid);
}
