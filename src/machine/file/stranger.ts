import { lstatSync } from "node:fs";

// Hooks load this file: it imports nothing of ours.

/** Why somebody else may look into this directory, or have put there what lies in it; undefined when it is ours alone. */
export function insecureReason(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return "does not exist";
  if (!stat.isDirectory()) return "is not a directory (a link is not followed)";
  if (process.getuid && stat.uid !== process.getuid()) return `belongs to user ${stat.uid}, not to you`;
  const mode = stat.mode & 0o777;
  if (mode & 0o077) return `has mode 0${mode.toString(8)}: others can read it; run chmod 700 on it`;
  return undefined;
}
