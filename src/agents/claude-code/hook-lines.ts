import { changedFlag, correctedFlag } from "../../machine/home.ts";
import { shellWord } from "../../machine/shell-quote.ts";
import { FIND_PROGRAM, type Hook, settingsOf } from "../hook-lines.ts";
import { EDITED_FIELDS } from "./check-output.ts";
import { CALLING_TOOLS } from "./call/grantable.ts";

/** The tools whose dialogs Parley answers. */
const ASKING_TOOLS = ["AskUserQuestion", "ExitPlanMode"];
const [QUICK, A_DAY] = [10, 86_400];

/** How a hook's line finds the program. */
type Launch = { before: string; path: string; changed: string; corrected: string };
export const launchedAt = (program: string): Launch => ({
  before: "",
  path: shellWord(program),
  changed: shellWord(changedFlag(program)),
  corrected: shellWord(correctedFlag(program)),
});
/** Where Parley always puts it: the same line on every machine. */
const LAUNCHED_ANYWHERE: Launch = {
  before: FIND_PROGRAM,
  path: '"$p"',
  changed: changedFlag('"$p"'),
  corrected: correctedFlag('"$p"'),
};

/** Settings for a run of Parley's own: `--task` tells its hooks from those a person has installed, which stand aside. */
export function taskSettings(program: string, mustAsk = false): object {
  const launch = launchedAt(program);
  return settingsOf([...hooksFor(launch, true, " --task"), ...(mustAsk ? [mustAskHook(launch, " --task")] : [])]);
}

/** What a plugin of Claude Code's holds: the hooks of set-up, for whatever machine it comes to. */
export const pluginHooks = (): object => settingsOf(hooksFor(LAUNCHED_ANYWHERE, false));

export function hooksFor(launch: Launch, hold: boolean, mark = ""): Hook[] {
  const asking = ASKING_TOOLS.join("|");
  const hook = (event: string, timeout: number, matcher?: string, flag = ""): Hook => ({
    event,
    matcher,
    handler: { type: "command", command: lineOf(launch, `${event}${flag}${mark}`), timeout },
  });
  return [
    hold ? hook("PreToolUse", A_DAY, asking, " --hold") : hook("PreToolUse", QUICK, asking),
    hook("PostToolUse", QUICK, asking),
    // Every prompt of every tool: this event only comes when a dialog opens.
    hook("PermissionRequest", A_DAY, undefined, " --edits"),
    ...["PostToolUse", "PostToolUseFailure"].map((event) => ranHook(launch, event, mark)),
    // Before the dialog of a server's form; and what a person said there.
    hold ? hook("Elicitation", A_DAY, undefined, " --hold") : hook("Elicitation", A_DAY),
    hook("ElicitationResult", QUICK),
    ...["Stop", "SessionStart", "SessionEnd", "Notification"].map((event) => hook(event, QUICK)),
    // Parley's own runs are told by the one that runs them.
    ...(mark === "" ? [promptHook(launch)] : []),
  ];
}

/** `only`: the file that has to be there for a process to be worth its while. */
function lineOf({ before, path }: Launch, words: string, only?: string): string {
  const isWanted = only === undefined ? "" : `[ -e ${only} ] && `;
  return `${before}[ -x ${path} ] && ${isWanted}exec ${path} hook claude-code ${words}; exit 0`;
}

/** Silent, and no process, while the session has no correction to hear. */
function promptHook(launch: Launch): Hook {
  const command = lineOf(launch, "UserPromptSubmit", launch.corrected);
  return { event: "UserPromptSubmit", matcher: undefined, handler: { type: "command", command, timeout: QUICK } };
}

/** Before every call that a pattern can be about: silent, unless it must be asked about. */
export function mustAskHook(launch: Launch, mark = ""): Hook {
  const command = lineOf(launch, `PreToolUse --must-ask${mark}`);
  return {
    event: "PreToolUse",
    matcher: CALLING_TOOLS.join("|"),
    handler: { type: "command", command, timeout: QUICK },
  };
}

/** After every call that a person may have changed. It starts nothing while none is: the daemon makes the file it looks for. */
function ranHook(launch: Launch, event: string, mark: string): Hook {
  const command = lineOf(launch, `${event} --ran${mark}`, launch.changed);
  return {
    event,
    matcher: Object.keys(EDITED_FIELDS).join("|"),
    handler: { type: "command", command, timeout: QUICK },
  };
}
