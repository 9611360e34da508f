import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ParleyError } from "../../core/error.ts";
import { asRecord } from "../../core/record.ts";
import { shellWord } from "../../machine/shell-quote.ts";
import type { Install } from "../capability/install.ts";

const ABOUT = "Copilot CLI asks through Parley while this file is here. To end that: parley setup copilot --remove";
const [QUICK, A_DAY] = [10, 86_400];

export const copilotHome = ({ env, cwd }: { env: Record<string, string | undefined>; cwd: string }): string =>
  resolve(cwd, env["COPILOT_HOME"] || join(env["HOME"] || homedir(), ".copilot"));

/** A file of our own in the folder it reads hooks from: nothing of a person's is edited. */
export const install: Install = {
  // It reads its hooks when a session begins.
  isLive: false,
  settingsPath: (at) =>
    join(at.project === undefined ? copilotHome(at) : join(at.project, ".github"), "hooks", "parley.json"),
  plan({ text, program, hold, remove, file }) {
    if (text !== undefined && asRecord(json(text))?.["about"] !== ABOUT)
      throw new ParleyError("settings", `${file} is not Parley's. Nothing was changed; move it away and run again.`);
    const after = remove ? undefined : settingsFor(program, hold);
    const summary = remove ? "removes" : text === undefined ? "adds" : "renews";
    return { before: text, after, changed: after !== text, summary };
  },
};

/** Contract: each ends with 0, whatever becomes of Parley: another end of a hook denies the call. */
export function settingsFor(program: string, hold: boolean): string {
  const path = shellWord(program);
  const hook = (event: string, timeoutSec: number, more: { flag?: string; matcher?: string } = {}) => {
    const bash = `[ -x ${path} ] && exec ${path} hook copilot ${event}${more.flag ?? ""}; exit 0`;
    return [event, [{ type: "command", ...(more.matcher && { matcher: more.matcher }), bash, timeoutSec }]];
  };
  const hooks = Object.fromEntries([
    ...["sessionStart", "sessionEnd", "agentStop", "notification"].map((event) => hook(event, QUICK)),
    hook("permissionRequest", QUICK),
    ...(hold ? [hook("preToolUse", A_DAY, { flag: " --hold", matcher: "ask_user" })] : []),
  ]) as object;
  return `${JSON.stringify({ about: ABOUT, version: 1, hooks }, null, 2)}\n`;
}

/** Whether questions wait before their dialog. Undefined: this is not Parley's file. */
export function holdIn(text: string): boolean | undefined {
  const file = asRecord(json(text));
  return file?.["about"] === ABOUT ? asRecord(file["hooks"])?.["preToolUse"] !== undefined : undefined;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
