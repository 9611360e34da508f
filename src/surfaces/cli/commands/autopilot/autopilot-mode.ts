import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Mode } from "../../../../core/config/autopilot.ts";
import type { Entry as ConfigEntry } from "../../../../core/config/view.ts";
import { asRecord } from "../../../../core/record.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { topFolder } from "../../../../machine/git/project-top.ts";
import { defineCommand, type Entry } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { jsonLine } from "../../json.ts";

const MEANS: Record<Mode, string> = {
  on: "it watches what you answer first, and answers only what it has earned; parley undo <id> takes an answer back",
  suggest: "it proposes, you decide: parley accept <id>",
  off: "nothing is answered in your place",
};
const SUMMARIES: Record<Mode, string> = {
  on: "let it answer, everywhere or in one project",
  suggest: "let it only propose",
  off: "switch it off",
};

/** `parley autopilot on`, `suggest` and `off`, for the list of its subcommands. */
export const modeCommands: readonly Entry[] = (["on", "suggest", "off"] as const).map((mode) => ({
  name: mode,
  summary: SUMMARIES[mode],
  load: async () => ({ command: modeCommand(mode) }),
}));

function modeCommand(mode: Mode) {
  return defineCommand({
    about: `${SUMMARIES[mode].charAt(0).toUpperCase()}${SUMMARIES[mode].slice(1)}: ${MEANS[mode]}. Written into your own settings, as autopilot.mode, or below autopilot.projects for one project: its name, or a folder in it.`,
    positionals: { project: { optional: true, of: "file" } },
    run: ({ project, json }, context) => setMode(mode, project, context, json),
  });
}

async function setMode(mode: Mode, project: string | undefined, context: Context, json: boolean): Promise<number> {
  const { setOwn } = await import("../upkeep/config-set.ts");
  const { out, cwd } = context.terminal;
  const name = project === undefined ? undefined : projectIn(project, cwd);
  const key = name === undefined ? "autopilot.mode" : ["autopilot", "projects", name];
  const { entry, entries } = await setOwn(key, mode, context);
  await lookNow(context);
  if (json) return (out(jsonLine(entry)), 0);
  const where = name === undefined ? "" : ` in ${safeLine(name, { max: 200 })}`;
  out(`✓ Autopilot ${mode === "suggest" ? "suggests" : mode}${where}: ${MEANS[mode]}\n`);
  if (name === undefined) out(exceptions(mode, entries));
  return 0;
}

/** What is open already is judged by it at once; a daemon that does not run does so when it starts. */
async function lookNow({ paths, terminal: { cwd } }: Context): Promise<void> {
  const { createClient } = await import("../../../../client/client.ts");
  await createClient(paths, { wakes: false })
    .call("autopilot", { query: { cwd } })
    .catch(() => undefined);
}

/** Projects with a mode of their own keep it: whoever switches it off must know. */
function exceptions(mode: Mode, entries: readonly ConfigEntry[]): string {
  const projects = asRecord(entries.find(({ key }) => key === "autopilot.projects")?.value) ?? {};
  const others = Object.entries(projects).filter(([, its]) => its !== mode);
  const words = others.map(([name, its]) => `${safeLine(name, { max: 100 })} (${String(its)})`);
  return words.length === 0 ? "" : `! Not in these, which have a mode of their own: ${words.join(", ")}\n`;
}

/** A folder is the project it lies in, wherever that is called what. */
function projectIn(word: string, cwd: string): string {
  const isFolder = word === "." || word.includes("/") || isAbsolute(word);
  return isFolder && existsSync(resolve(cwd, word)) ? topFolder(resolve(cwd, word)) : word;
}
