import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { parentOf } from "./process.ts";

/**
 * Is the other end of a connection on this machine held by one of these processes, or by something they started?
 * Contract: false where that cannot be told.
 */
export function isHeldBy(owners: readonly number[], peerPort: number, port: number): boolean {
  if (owners.length === 0 || process.platform !== "linux") return false;
  const name = socketOf(peerPort, port);
  return name !== undefined && familyOf(owners).some((pid) => descriptorsOf(pid).includes(name));
}

/** `socket:[inode]` of the end that has `peerPort` here and talks to `port`. */
function socketOf(peerPort: number, port: number): string | undefined {
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of textOf(file).split("\n").slice(1)) {
      const fields = line.trim().split(/\s+/);
      const [local, remote] = [portIn(fields[1]), portIn(fields[2])];
      if (local === peerPort && remote === port) return `socket:[${fields[9]}]`;
    }
  }
  return undefined;
}

const portIn = (address = "") => Number.parseInt(address.split(":")[1] ?? "", 16);

function familyOf(owners: readonly number[]): number[] {
  const pids = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const isOwned = (pid: number | undefined, depth = 0): boolean =>
    pid !== undefined && depth < 256 && (owners.includes(pid) || isOwned(parents.get(pid), depth + 1));
  return pids.filter((pid) => isOwned(pid));
}

function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
