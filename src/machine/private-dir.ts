import { lstatSync, mkdirSync } from "node:fs";
import { ParleyError } from "../core/error.ts";

/** Contract: afterwards the directory exists, is ours and nobody else can look into it; else it throws. */
export function makePrivateDir(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  const problem = unsafe(stat);
  if (problem) throw new ParleyError("unsafe_home", `${path} ${problem}. Parley keeps tokens and answers there.`);
}

/** For who only looks: a place in /tmp may be somebody else's by the time we come. */
export function isPrivateDir(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && unsafe(stat) === undefined;
}

function unsafe(stat: { isDirectory(): boolean; uid: number; mode: number }): string | undefined {
  if (!stat.isDirectory()) return "is not a directory (a link is not followed)";
  if (process.getuid && stat.uid !== process.getuid()) return `belongs to user ${stat.uid}, not to you`;
  const mode = stat.mode & 0o777;
  if (mode & 0o077) return `has mode 0${mode.toString(8)}: others can read it; run chmod 700 on it`;
  return undefined;
}
