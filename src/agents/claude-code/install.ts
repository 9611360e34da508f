import { shellWord } from "../../machine/shell-quote.ts";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { changedFlag, correctedFlag } from "../../machine/home.ts";
import { EDITED_FIELDS } from "./check-output.ts";
import { CALLING_TOOLS } from "./grantable.ts";
import { type Hook, hooksIn, planHooks } from "../hook-settings.ts";
import type { InstallPlan, InstallRequest } from "../install.ts";

/** The tools whose dialogs Parley answers. */
const ASKING_TOOLS = ["AskUserQuestion", "ExitPlanMode"];
const [QUICK, A_DAY] = [10, 86_400];
/** Before hooks named their agent they were this one's: such a command goes on working and is not out of date. */
export const PARLEY_COMMAND =
  /^(\[ -x (.+) \] && (?:\[ -e .+ \] && )?exec \2 hook )(?:claude-code )?(\w+(?: --hold| --must-ask| --edits| --ran)?; exit 0)$/s;

export function planInstall({ text, program, hold, mustAsk = false, remove, file }: InstallRequest): InstallPlan {
  const settings = { text, file, isOurs: PARLEY_COMMAND };
  const hasMustAsk = mustAsk || hooksIn(settings).some(({ handler }) => isMustAsk(commandOf(handler)));
  const wanted = remove ? [] : [...hooksFor(program, hold), ...(hasMustAsk ? [mustAskHook(program)] : [])];
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

/** Settings for a run of Parley's own: `--task` tells its hooks from those a person has installed, which stand aside. */
export function taskSettings(program: string, mustAsk = false): object {
  const hooks: Record<string, unknown[]> = {};
  const all = [...hooksFor(program, true, " --task"), ...(mustAsk ? [mustAskHook(program, " --task")] : [])];
  for (const { event, matcher, handler } of all)
    (hooks[event] ??= []).push({ ...(matcher !== undefined && { matcher }), hooks: [handler] });
  return { hooks };
}

function hooksFor(program: string, hold: boolean, mark = ""): Hook[] {
  const path = shellWord(program);
  const asking = ASKING_TOOLS.join("|");
  const hook = (event: string, timeout: number, matcher?: string, flag = ""): Hook => ({
    event,
    matcher,
    handler: {
      type: "command",
      command: `[ -x ${path} ] && exec ${path} hook claude-code ${event}${flag}${mark}; exit 0`,
      timeout,
    },
  });
  return [
    hold ? hook("PreToolUse", A_DAY, asking, " --hold") : hook("PreToolUse", QUICK, asking),
    hook("PostToolUse", QUICK, asking),
    // Every prompt of every tool: this event only comes when a dialog opens.
    hook("PermissionRequest", A_DAY, undefined, " --edits"),
    ...["PostToolUse", "PostToolUseFailure"].map((event) => ranHook(program, event, mark)),
    // Before the dialog of a server's form; and what a person said there.
    hold ? hook("Elicitation", A_DAY, undefined, " --hold") : hook("Elicitation", A_DAY),
    hook("ElicitationResult", QUICK),
    ...["Stop", "SessionStart", "SessionEnd", "Notification"].map((event) => hook(event, QUICK)),
    // Parley's own runs are told by the one that runs them.
    ...(mark === "" ? [promptHook(program)] : []),
  ];
}

/** Silent, and no process, while the session has no correction to hear. */
function promptHook(program: string): Hook {
  const [path, flag] = [shellWord(program), shellWord(correctedFlag(program))];
  const command = `[ -x ${path} ] && [ -e ${flag} ] && exec ${path} hook claude-code UserPromptSubmit; exit 0`;
  return { event: "UserPromptSubmit", matcher: undefined, handler: { type: "command", command, timeout: QUICK } };
}

/** Before every call that a pattern can be about: silent, unless it must be asked about. */
function mustAskHook(program: string, mark = ""): Hook {
  const path = shellWord(program);
  const command = `[ -x ${path} ] && exec ${path} hook claude-code PreToolUse --must-ask${mark}; exit 0`;
  return {
    event: "PreToolUse",
    matcher: CALLING_TOOLS.join("|"),
    handler: { type: "command", command, timeout: QUICK },
  };
}

/** After every call that a person may have changed. It starts nothing while none is: the daemon makes the file it looks for. */
function ranHook(program: string, event: string, mark: string): Hook {
  const [path, flag] = [shellWord(program), shellWord(changedFlag(program))];
  const command = `[ -x ${path} ] && [ -e ${flag} ] && exec ${path} hook claude-code ${event} --ran${mark}; exit 0`;
  return {
    event,
    matcher: Object.keys(EDITED_FIELDS).join("|"),
    handler: { type: "command", command, timeout: QUICK },
  };
}

/** Several hooks of one event do different things. */
export const hookKind = (command: string): string => / --(?:must-ask|ran)\b/.exec(command)?.[0] ?? "";
export const isMustAsk = (command: string): boolean => command.includes(" --must-ask");
