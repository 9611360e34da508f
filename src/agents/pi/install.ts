import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ParleyError } from "../../core/error.ts";
import { pathsIn } from "../../machine/home.ts";
import type { Install } from "../capability/install.ts";
import { listedPackages } from "../listed-packages.ts";
import extension from "./extension.js" with { type: "text" };

const MARK = "// Parley's end inside pi";
const ADDRESS = '"PARLEY_ADDRESS_FILE"';

/** A file of our own in the folder from which pi loads extensions: nothing that a person wrote is changed. */
export const install: Install = {
  isLive: false,
  settingsPath({ env, cwd, project }) {
    if (project !== undefined) return join(project, ".pi", "extensions", "parley.js");
    const home = env["HOME"] || homedir();
    const named = env["PI_CODING_AGENT_DIR"]?.replace(/^~(?=\/|$)/, () => home);
    return resolve(cwd, named || join(home, ".pi", "agent"), "extensions", "parley.js");
  },
  listed(at) {
    const folders = [dirname(dirname(install.settingsPath(at))), join(at.cwd, ".pi")];
    const files = folders.map((folder) => join(folder, "settings.json"));
    return listedPackages({ files, key: "packages", name: "parley-inbox" });
  },
  plan({ text, program, hold, remove, file }) {
    if (hold) throw new ParleyError("usage", "pi always shows its own dialog: leave out --hold.");
    if (text !== undefined && !text.startsWith(MARK))
      throw new ParleyError("settings", `${file} is not Parley's. Nothing was changed; move it away and run again.`);
    const after = remove ? undefined : extensionFor(program);
    const summary = remove ? "removes" : text === undefined ? "adds an extension," : "renews";
    return { before: text, after, changed: after !== text, summary };
  },
};

/** `program` is `<home>/bin/parley`; how the daemon is found stands beside it. */
export function extensionFor(program: string): string {
  const { registration } = pathsIn(dirname(dirname(program)));
  return extension.replace(ADDRESS, () => JSON.stringify(registration));
}
