import { writeSync } from "node:fs";
import { dirname } from "node:path";
import { isPrivateDir } from "../../machine/file/private-dir.ts";
import { openRotating, type RotatingFile } from "../../machine/file/rotating-file.ts";

const LIMITS = { maxBytes: 2 * 1024 * 1024, keep: 4 };
const STDERR = 2;

/**
 * Where the daemon's log goes: into the file, and in the foreground also to stderr.
 * Contract: never throws; a full disk or a closed terminal costs lines, not the daemon.
 */
export function createLogFile(path: string, { foreground }: { foreground: boolean }): (line: string) => void {
  let file: RotatingFile | undefined;
  const toFile = (line: string) => {
    // Nothing is put into a home that others can read; the daemon is about to refuse it.
    if (!file && !isPrivateDir(dirname(path))) return;
    file ??= openRotating(path, LIMITS);
    file.write(line);
  };
  return (line) => {
    attempt(() => toFile(line));
    attempt(() => {
      if (foreground && !file?.isSameAs(STDERR)) writeSync(STDERR, line);
    });
  };
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // There is no other place to tell of it.
  }
}
