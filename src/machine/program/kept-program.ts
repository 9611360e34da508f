import { constants, copyFileSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "../home.ts";
import { DEAF, installedProgram, programFolder, selfCommand } from "../self-command.ts";

/** The running one and the one before: a hook of that one may still wait. */
const KEPT = 2;

/**
 * The command that starts this Parley and goes on doing so. What a package manager installed, or keeps in a cache, may be
 * replaced or cleared away under running agents: such a program is kept in Parley's own home.
 */
export function keptCommand({ programs }: Pick<Paths, "programs">, installed = installedProgram()): string[] {
  if (installed === undefined) return selfCommand();
  const folder = join(programs, digestOf(installed));
  if (!existsSync(folder)) keep(installed, folder, programs);
  return [join(folder, "bun"), ...DEAF, join(folder, "main.js")];
}

/** In a copy: where it comes from. */
const FROM = "from";

/** Where the package manager put the program that runs, also where a copy of it does. */
export function installedFrom(): string | undefined {
  const from = join(programFolder(), FROM);
  return installedProgram() ?? (existsSync(from) ? readFileSync(from, "utf8") : undefined);
}

/** Written where the program is built; `bin/parley` reads it too. */
const digestOf = (folder: string) => readFileSync(join(folder, "digest"), "utf8").trim();

/** Contract: the folder is there with everything in it, or not at all. */
function keep(installed: string, folder: string, programs: string): void {
  const unfinished = `${folder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  cpSync(installed, unfinished, { recursive: true });
  take(process.execPath, join(unfinished, "bun"));
  writeFileSync(join(unfinished, FROM), installed);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another one was faster.
    if (!existsSync(folder)) throw error;
  }
  const others = readdirSync(programs).map((name) => join(programs, name));
  const newest = others.filter((path) => path !== folder).toSorted((a, b) => ageOf(a) - ageOf(b));
  for (const old of newest.slice(KEPT - 1)) rmSync(old, { recursive: true, force: true });
}

const ageOf = (path: string) => -(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/** A hundred megabytes: without a copy of them where the file system allows it. */
function take(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}
