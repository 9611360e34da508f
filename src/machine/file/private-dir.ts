import { type Dirent, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { insecureReason } from "../home.ts";
import { ParleyError } from "../../core/error.ts";

/** Contract: afterwards the directory exists, is ours, nobody else can look into it, and no link leads out of it; else it throws. */
export function makePrivateDir(path: string): void {
  makeDir(path);
  const problem = insecureReason(path);
  if (problem) throw unsafe(path, problem);
  // What is written through a link, a token or a whole database, would be in a file that is none of ours.
  const link = readdirSync(path, { withFileTypes: true }).find((entry: Dirent) => entry.isSymbolicLink());
  if (link) throw unsafe(join(path, link.name), "is a link, and would be written through; remove it");
}

/** For who only looks: a place in /tmp may be somebody else's by the time we come. */
export function isPrivateDir(path: string): boolean {
  return insecureReason(path) === undefined;
}

/** A file or a link to nowhere under the name is for the look at it to tell. */
function makeDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function unsafe(path: string, problem: string): ParleyError {
  return new ParleyError("unsafe_home", `${path} ${problem}. Parley keeps tokens and answers there.`);
}
