import { isMark } from "../agents/environments.ts";
import type { BrainConfigOf } from "../core/autopilot/brain-config.ts";
import { asRecord } from "../core/record.ts";
import { BrainError } from "./brain.ts";
import { runProgram } from "./run-program.ts";
import type { BrainDeps, Think } from "./think.ts";

/** A model and nothing else: no tools, no hooks (ours would make an Ask of it), no servers. */
const FLAGS = ["-p", "--output-format", "json", "--safe-mode", "--tools", "", "--strict-mcp-config"];
/** Without the refusal an `@/path` in a question puts that file into the message, also without tools (seen in 2.1.325). */
const SETTINGS = { disableAllHooks: true, permissions: { deny: ["Read", "Read(//**)", "Read(~/**)"] } };
const ALONE = ["--settings", JSON.stringify(SETTINGS)];
/** A daemon started inside a session must not make this look like a part of it. */
const INSIDE = /^(PARLEY_.*|TMUX(_PANE)?)$/;

/** The installed Claude Code, headless: the person's own account and model. */
export function createClaudeBrain(
  { program, model }: BrainConfigOf<"claude">,
  { env, folder }: Pick<BrainDeps, "env" | "folder">,
): Think {
  return async ({ system, text }, { conversation }, signal) => {
    const which = model === undefined ? [] : ["--model", model];
    const outside = Object.fromEntries(Object.entries(env).filter(([name]) => !(INSIDE.test(name) || isMark(name))));
    const run = async (...session: string[]) => {
      const command = [program, ...FLAGS, ...ALONE, ...which, ...session, "--system-prompt", system];
      return resultIn(await runProgram({ command, cwd: folder, env: outside, input: text }, signal));
    };
    const { id = crypto.randomUUID(), continues = false } = conversation ?? {};
    if (!continues) return run("--session-id", id);
    // Claude Code forgets sessions after a while, and a person may remove them: then it begins anew under this name.
    return run("--resume", id).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof BrainError) || error.failure !== "junk") throw error;
      return run("--session-id", id);
    });
  };
}

function resultIn(out: string): string {
  const printed = asRecord(parsed(out));
  if (typeof printed?.["result"] !== "string") throw new BrainError("junk", "claude printed no result");
  if (printed["is_error"] === true)
    throw new BrainError("junk", "claude ended with an error; run it by hand to see it");
  return printed["result"];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
