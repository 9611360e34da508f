import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ParleyError } from "../../core/error.ts";
import { pathsIn } from "../../machine/home.ts";
import type { Install } from "../capability/install.ts";
import { listedPackages } from "../listed-packages.ts";
import plugin from "./plugin.js" with { type: "text" };

/** As a package has it: it looks for Parley where that always is. */
export const pluginText: string = plugin;
const MARK = "// Parley's end inside opencode";
const ADDRESS = '"PARLEY_ADDRESS_FILE"';

/** A file of our own in the folder from which opencode loads plugins: nothing that a person wrote is changed. */
export const install: Install = {
  isLive: false,
  settingsPath({ env, cwd, project }) {
    if (project !== undefined) return join(project, ".opencode", "plugin", "parley.js");
    const config = env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
    return resolve(cwd, env["OPENCODE_CONFIG_DIR"] || join(config, "opencode"), "plugin", "parley.js");
  },
  listed(at) {
    const folders = [dirname(dirname(install.settingsPath(at))), at.cwd, join(at.cwd, ".opencode")];
    const files = folders.flatMap((folder) => ["opencode.json", "opencode.jsonc"].map((name) => join(folder, name)));
    return listedPackages({ files, key: "plugin", name: "parley-opencode" });
  },
  plan({ text, program, hold, remove, file }) {
    if (hold) throw new ParleyError("usage", "opencode always shows its own dialog: leave out --hold.");
    if (text !== undefined && !text.startsWith(MARK))
      throw new ParleyError("settings", `${file} is not Parley's. Nothing was changed; move it away and run again.`);
    const after = remove ? undefined : pluginFor(program);
    const summary = remove ? "removes" : text === undefined ? "adds a plugin," : "renews";
    return { before: text, after, changed: after !== text, summary };
  },
};

/** `program` is `<home>/bin/parley`; how the daemon is found stands beside it. */
export function pluginFor(program: string): string {
  const { registration } = pathsIn(dirname(dirname(program)));
  return plugin.replace(ADDRESS, () => JSON.stringify(registration));
}
