import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { shellWord } from "../../machine/shell-quote.ts";
import { FIND_PROGRAM, type Hook, settingsOf } from "../hook-lines.ts";
import { isParleyPlugin, planHooks } from "../hook-settings.ts";
import type { Install } from "../capability/install.ts";
import { QUESTION_TOOL } from "./received.ts";

/** In milliseconds. */
const [QUICK, A_DAY] = [10_000, 86_400_000];
export const PARLEY_COMMAND = /^\[ -x (.+) \] && exec \1 hook gemini \w+(?: --hold)?; exit 0$/s;
/** Every tool that may open a dialog: what became of it is told by its end. */
const ENDS = [QUESTION_TOOL, "run_shell_command", "write_file", "replace", "web_fetch"].join("|");

export const install: Install = {
  // It reads its hooks when it starts.
  isLive: false,
  settingsPath({ env, cwd, project }) {
    if (project !== undefined) return join(project, ".gemini", "settings.json");
    return resolve(cwd, env["GEMINI_CLI_HOME"] || env["HOME"] || homedir(), ".gemini", "settings.json");
  },
  plan({ text, program, hold, remove, file }) {
    const settings = { text, file, isOurs: PARLEY_COMMAND, isLoose: true };
    return planHooks(settings, { wanted: remove ? [] : hooksFor(program, hold), remove });
  },
  async hostPlugins(at) {
    const folder = join(dirname(install.settingsPath(at)), "extensions");
    const names = await readdir(folder).catch(() => []);
    const ours = await Promise.all(names.map((name) => isParleyPlugin(join(folder, name))));
    return names
      .filter((_, i) => ours[i])
      .map((name) => ({ path: join(folder, name), args: ["extensions", "uninstall", name] }));
  },
};

/** What an extension of Gemini CLI's holds: the hooks of set-up, for whatever machine it comes to. */
export const extensionHooks = (): object => settingsOf(hooksAt({ before: FIND_PROGRAM, path: '"$p"' }, false));

export const hooksFor = (program: string, hold: boolean): Hook[] =>
  hooksAt({ before: "", path: shellWord(program) }, hold);

function hooksAt({ before, path }: { before: string; path: string }, hold: boolean): Hook[] {
  const hook = (event: string, matcher?: string, isHeld = false): Hook => ({
    event,
    matcher,
    handler: {
      type: "command",
      name: "parley",
      command: `${before}[ -x ${path} ] && exec ${path} hook gemini ${event}${isHeld ? " --hold" : ""}; exit 0`,
      timeout: isHeld ? A_DAY : QUICK,
    },
  });
  return [
    hook("BeforeTool", QUESTION_TOOL, hold),
    hook("AfterTool", ENDS),
    ...["Notification", "AfterAgent", "SessionStart", "SessionEnd"].map((event) => hook(event)),
  ];
}
