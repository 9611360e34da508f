import { copyFileSync, existsSync, statSync, utimesSync } from "node:fs";

/**
 * Contract: the copy is as old as the original. Git takes a file for unchanged that has the size and the second of its
 * entry, unless that second is not before the index's own: a younger copy would hide a change.
 */
export function copyIndex(from: string, to: string): void {
  if (!existsSync(from)) return;
  copyFileSync(from, to);
  const { atime, mtime } = statSync(from);
  utimesSync(to, atime, mtime);
}
