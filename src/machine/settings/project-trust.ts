import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { parse } from "smol-toml";
import type { Rule } from "../../core/autopilot/rule/rule.ts";
import { checkConfig, type Settings } from "../../core/config/check.ts";
import type { TrustedFiles } from "./trusted-files.ts";

type Trusted = Pick<TrustedFiles, "of" | "all">;

/** `changed`: trusted once, and not what it was; also when it is gone. `link`: it leads elsewhere, and is never trusted. */
export type TrustState = "none" | "trusted" | "changed" | "untrusted" | "link";
export type ProjectTrust = { file: string; state: TrustState };

/** Whether a project's file is the one the person trusted, to the byte. `digest`: of what lies there, undefined for nothing. */
export async function trustOf(file: string, digest: string | undefined, trusted: Trusted): Promise<ProjectTrust> {
  const real = await realPath(file);
  const known = trusted.of(real);
  if (digest === undefined) return { file: real, state: known ? "changed" : "none" };
  // Its folder may be reached by a link, it itself not: whoever can write the link chooses the file.
  if ((await lstat(file).catch(() => undefined))?.isSymbolicLink() !== false) return { file: real, state: "link" };
  if (!known) return { file: real, state: "untrusted" };
  return { file: real, state: known.digest === digest ? "trusted" : "changed" };
}

/** The real path of a file, which need not exist, in a folder. */
export async function realPath(file: string): Promise<string> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  return join(folder, basename(file));
}

/**
 * What the files the person trusted, in this folder and above it, hold back. It stays so when the file changes or
 * disappears, or another repository is made below it: otherwise an agent could remove what stops it.
 */
export async function heldBack(directory: string, trusted: Trusted): Promise<Rule[]> {
  if (trusted.all().size === 0) return [];
  const real = await realpath(directory).catch(() => directory);
  const above = [...trusted.all()].filter(([path]) => `${real}${sep}`.startsWith(join(dirname(path), sep)));
  const found = above.map(([, { digest, text }]) => holdsIn(digest, text));
  // Nearly always one: then the same list each time, which was compiled before.
  return found.length === 1 ? (found[0] ?? []) : found.flat();
}

const known = new Map<string, Rule[]>();

function holdsIn(digest: string, text: string): Rule[] {
  const found = known.get(digest) ?? rulesIn(text).filter(({ act }) => act !== undefined);
  known.set(digest, found);
  return found;
}

function rulesIn(text: string): Rule[] {
  try {
    const checked = checkConfig(parse(text), "project");
    return [...((checked.settings.get("autopilot.rules") ?? []) as readonly Rule[])];
  } catch {
    return [];
  }
}

/** What makes an agent go on by itself. */
const GOES_ON = new Set(["nudge", "resume", "retry"]);

/** Of a file that nobody trusted: what makes Parley quieter or more careful, and nothing that lets an agent do more. */
export function narrowed(settings: Settings): Settings {
  return new Map([...settings].filter(([, value]) => !GOES_ON.has(String(value))));
}
