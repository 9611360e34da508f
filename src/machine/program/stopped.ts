import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Paths } from "../home.ts";
import { isAlive, nameProcess, type ProcessName } from "../process/process.ts";

// Hooks load this file when no daemon answers them.

type Mark = Pick<Paths, "stopped">;

/**
 * From now on nobody but a person starts the daemon. `whileHere`: only as long as this process lives, which means to
 * start it again itself; killed on the way, it has stopped nothing for good.
 */
export function markStopped({ stopped }: Mark, { whileHere = false } = {}): void {
  // As a whole: an empty one, of somebody who was killed before they could write into it, would be for good.
  const temp = `${stopped}.${process.pid}`;
  writeFileSync(temp, whileHere ? JSON.stringify(nameProcess(process.pid)) : "", { mode: 0o600 });
  try {
    renameSync(temp, stopped);
  } catch {
    // A folder under its name.
    rmSync(stopped, { force: true, recursive: true });
    renameSync(temp, stopped);
  }
}

/** Since when it is stopped on purpose; undefined: it is not. */
export function stoppedAt(mark: Mark): number | undefined {
  if (isAbandoned(mark)) return undefined;
  try {
    return statSync(mark.stopped).mtimeMs;
  } catch {
    // There is none, or no folder where it could be.
    return undefined;
  }
}

/** The daemon runs by a person's will, or whoever had stopped it for a while is gone. */
export function unmarkStopped(mark: Mark, { evenIfMeant }: { evenIfMeant: boolean }): void {
  if (evenIfMeant || isAbandoned(mark)) rmSync(mark.stopped, { force: true, recursive: true });
}

function isAbandoned({ stopped }: Mark): boolean {
  try {
    const holder = JSON.parse(readFileSync(stopped, "utf8")) as Partial<ProcessName> | null;
    return typeof holder?.pid === "number" && !isAlive({ ...holder, pid: holder.pid });
  } catch {
    // There is none, or it is the empty one of `parley down`.
    return false;
  }
}
