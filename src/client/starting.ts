import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Paths } from "../machine/home.ts";

/** Whoever starts a daemon has seen it come up, or has given up, by then. */
const LONGEST_MS = 10_000;
const FAILED = "failed";

/**
 * Who starts the daemon when many find it gone at once: one of them, the others wait for it. A hundred hooks would
 * start a hundred, of which the lock lets one live. Contract: a mark whose maker is dead or late holds up nobody.
 */
export function createStarting({ starting: file }: Pick<Paths, "starting">) {
  return {
    /** Whether it is this process that starts it now. */
    begins(): boolean {
      for (const isLast of [false, true]) {
        try {
          writeFileSync(file, String(process.pid), { flag: "wx", mode: 0o600 });
          return true;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
            // Without a mark it is started as well. On a full disk it may be there, with nothing in it.
            remove(file);
            return true;
          }
        }
        if (isLast || isUnderway(file)) return false;
        remove(file);
      }
      return false;
    },
    /** Whoever began says that it cannot be started. */
    hasFailed: () => read(file) === FAILED,
    ends(failed: boolean): void {
      remove(file);
      if (failed) write(file, FAILED);
    },
  };
}

function isUnderway(file: string): boolean {
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  // A file's time is finer than the clock's, and a little ahead of it.
  const age = made === undefined ? Infinity : Math.floor(Date.now() - made + 1);
  const pid = Number(read(file));
  return age >= 0 && age < LONGEST_MS && Number.isInteger(pid) && isThere(pid);
}

/** Where its number is not in it yet it was made a moment ago: the maker is taken to live. */
function isThere(pid: number): boolean {
  if (pid === 0) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** On a disk that cannot be written it stays: nobody starts a daemon there. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    return;
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch {
    return;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
