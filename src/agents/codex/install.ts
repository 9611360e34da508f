import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ParleyError } from "../../core/error.ts";
import { asRecord } from "../../core/record.ts";
import type { Install } from "../capability/install.ts";

const ABOUT =
  "Parley listens at codex's control socket while this file is here. To end that: parley setup codex --remove";

export const codexHome = ({ env, cwd }: { env: Record<string, string | undefined>; cwd: string }): string =>
  resolve(cwd, env["CODEX_HOME"] || join(env["HOME"] || homedir(), ".codex"));

/** A file of our own that says who listens: nothing of codex's is changed, and no hook is installed. */
export const install: Install = {
  isLive: true,
  settingsPath: (at) => join(codexHome(at), "parley.json"),
  plan({ text, program, hold, remove, file }) {
    if (hold) throw new ParleyError("usage", "codex always shows its own dialog: leave out --hold.");
    if (text !== undefined && listenerIn(text) === undefined)
      throw new ParleyError("settings", `${file} is not Parley's. Nothing was changed; move it away and run again.`);
    const after = remove ? undefined : settingsFor(program);
    const summary = remove ? "removes" : text === undefined ? "adds" : "renews";
    return { before: text, after, changed: after !== text, summary };
  },
};

/** `program` is `<home>/bin/parley`. */
export function settingsFor(program: string): string {
  return `${JSON.stringify({ about: ABOUT, parley: dirname(dirname(program)) }, null, 2)}\n`;
}

/** The home of the Parley that listens. Undefined: this is not Parley's file. */
function listenerIn(text: string): string | undefined {
  try {
    const home = asRecord(JSON.parse(text))?.["parley"];
    return typeof home === "string" ? home : undefined;
  } catch {
    return undefined;
  }
}
