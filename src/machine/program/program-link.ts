import { lstatSync, mkdirSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

type Env = Record<string, string | undefined>;
/**
 * Whether a person can type `parley`. `hidden`: it is linked, in a folder that their shell does not look into. `taken`: a
 * file of somebody else's has the place of the link.
 */
export type ProgramLink = { path: string; state: "found" | "hidden" | "taken" | "missing" };

/** Where the link belongs, and whether there is need of it. */
export function programLink(program: string, env: Env): ProgramLink | undefined {
  const home = env["HOME"];
  if (home === undefined || home === "") return undefined;
  const path = join(home, ".local/bin/parley");
  if (Bun.which("parley", { PATH: env["PATH"] ?? "" }) !== null) return { path, state: "found" };
  if (linkedTo(path) === program) return { path, state: "hidden" };
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return { path, state: isThere && !isDangling(path) ? "taken" : "missing" };
}

/** Makes the folder too. Contract: replaces nothing but a link that leads nowhere. */
export function linkProgram(program: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (isDangling(path)) rmSync(path);
  symlinkSync(program, path);
}

function linkedTo(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
}

const isDangling = (path: string) =>
  linkedTo(path) !== undefined && statSync(path, { throwIfNoEntry: false }) === undefined;
