import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Hook } from "../hook-lines.ts";
import { hooksIn, planHooks } from "../hook-settings.ts";
import type { InstallPlan, InstallRequest } from "../capability/install.ts";
import { hooksFor, launchedAt, mustAskHook } from "./hook-lines.ts";

/** Before hooks named their agent they were this one's: such a command goes on working and is not out of date. */
export const PARLEY_COMMAND =
  /^(\[ -x (.+) \] && (?:\[ -e .+ \] && )?exec \2 hook )(?:claude-code )?(\w+(?: --hold| --must-ask| --edits| --ran)?; exit 0)$/s;

export function planInstall({ text, program, hold, mustAsk = false, remove, file }: InstallRequest): InstallPlan {
  const settings = { text, file, isOurs: PARLEY_COMMAND };
  const launch = launchedAt(program);
  const hasMustAsk = mustAsk || hooksIn(settings).some(({ handler }) => isMustAsk(commandOf(handler)));
  const wanted = remove ? [] : [...hooksFor(launch, hold), ...(hasMustAsk ? [mustAskHook(launch)] : [])];
  return planHooks(settings, { wanted, remove, renew: named });
}

const commandOf = (handler: unknown): string => (handler as { command: string }).command;

function named(hook: Hook): Hook {
  const command = commandOf(hook.handler).replace(PARLEY_COMMAND, "$1claude-code $3");
  return { ...hook, handler: { ...(hook.handler as object), command } };
}

export function settingsPath(at: { env: Record<string, string | undefined>; cwd: string; project?: string }): string {
  if (at.project !== undefined) return join(at.project, ".claude", "settings.json");
  const folder = at.env["CLAUDE_CONFIG_DIR"] || join(at.env["HOME"] || homedir(), ".claude");
  return resolve(at.cwd, folder, "settings.json");
}

/** Several hooks of one event do different things. */
export const hookKind = (command: string): string => / --(?:must-ask|ran)\b/.exec(command)?.[0] ?? "";
export const isMustAsk = (command: string): boolean => command.includes(" --must-ask");
