import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { shellWord } from "../../machine/shell-quote.ts";
import type { Hook } from "../hook-lines.ts";
import { planHooks } from "../hook-settings.ts";
import type { Install } from "../capability/install.ts";

/** In milliseconds. */
const [QUICK, A_DAY] = [10_000, 86_400_000];
export const PARLEY_COMMAND = /^\[ -x (.+) \] && exec \1 hook qwen \w+(?: --hold)?; exit 0$/s;

export const install: Install = {
  // It reads its hooks when it starts.
  isLive: false,
  settingsPath({ env, cwd, project }) {
    if (project !== undefined) return join(project, ".qwen", "settings.json");
    const folder = env["QWEN_HOME"] || join(env["HOME"] || homedir(), ".qwen");
    return resolve(cwd, folder, "settings.json");
  },
  plan({ text, program, hold, remove, file }) {
    const settings = { text, file, isOurs: PARLEY_COMMAND, isLoose: true };
    return planHooks(settings, { wanted: remove ? [] : hooksFor(program, hold), remove });
  },
};

export function hooksFor(program: string, hold: boolean): Hook[] {
  const path = shellWord(program);
  const hook = (event: string, isHeld = false): Hook => ({
    event,
    matcher: undefined,
    handler: {
      type: "command",
      name: "parley",
      command: `[ -x ${path} ] && exec ${path} hook qwen ${event}${isHeld ? " --hold" : ""}; exit 0`,
      timeout: isHeld ? A_DAY : QUICK,
    },
  });
  // PermissionRequest comes where a dialog would open, also for a question.
  return [
    hook("PermissionRequest", hold),
    ...["PostToolUse", "Stop", "Notification", "SessionStart", "SessionEnd"].map((event) => hook(event)),
  ];
}
