import type { Entry } from "../../../../core/config/view.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { configPath, createConfigFiles, shownOf } from "../../../../machine/settings/config-file.ts";
import { setConfig } from "../../../../machine/settings/set-config.ts";
import { tildePath } from "../../../../machine/file/tilde-path.ts";
import { createTrustedFiles } from "../../../../machine/settings/trusted-files.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { refuseAgents } from "../../guard.ts";
import { jsonLine } from "../../json.ts";

export const command = defineCommand({
  about:
    "Sets one key in your own settings file, under the same checks as the file itself; everything else in it stays as it is. The daemon notices by itself.",
  positionals: { key: {}, value: {} },
  needs: "Give a key and a value: parley config set log.level debug",
  examples: [
    ["parley config set notify.after_seconds 10", ""],
    ["parley config set autopilot.projects.shop suggest", ""],
    [`parley config set autopilot.documents '["PLAN.md"]'`, ""],
  ],
  async run({ key, value, json }, context) {
    const { entry } = await setOwn(key, value, context);
    const { out, env } = context.terminal;
    if (json) return (out(jsonLine(entry)), 0);
    const shown = typeof entry.value === "string" ? entry.value : JSON.stringify(entry.value);
    out(`✓ ${entry.key}: ${safeLine(shown, { max: 200 })}${placeOf(entry, env)}\n`);
    return 0;
  },
});

type Now = { entry: Entry; entries: readonly Entry[] };

/** Sets a key of the person's own file; answers what is in force now, secrets hidden. */
export async function setOwn(key: string | readonly string[], value: string, context: Context): Promise<Now> {
  const { terminal, paths } = context;
  const { env, cwd } = terminal;
  await refuseAgents("config-set", context);
  const leaf = await setConfig(configPath(env, cwd), key, value);
  const files = createConfigFiles({ env, cwd, trusted: createTrustedFiles(paths.trusted) });
  const { entries } = shownOf(await files.current(cwd));
  const entry = entries.find((each) => each.key === leaf);
  if (!entry) throw new Error(`${leaf} is not among the settings`);
  return { entry, entries };
}

/** Where it stands; or who has the last word instead. */
function placeOf({ source }: Entry, env: Context["terminal"]["env"]): string {
  if (source.from === "environment") return `\n! ${source.name} in the environment counts instead`;
  if (source.from === "project") return `\n! ${safeLine(source.file)}:${source.line} counts in this project`;
  return source.from === "user" ? `  (${safeLine(tildePath(source.file, env))}:${source.line})` : "";
}
