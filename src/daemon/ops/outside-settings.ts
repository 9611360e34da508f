import { userInfo } from "node:os";
import { environmentOutside, knownFrom } from "../../agents/around.ts";
import { PLACES } from "../../agents/environments.ts";
import { ancestryOf } from "../../machine/process/ancestry.ts";
import type { Paths } from "../../machine/home.ts";
import { readKnownAgents } from "../../machine/process/known-agents.ts";

/** What says which settings, rules and programs a daemon uses. */
const SETTINGS = ["PARLEY_CONFIG", "XDG_CONFIG_HOME", "HOME", "PATH", ...PLACES];

/**
 * A daemon that is started from inside an agent's session, by its hooks or its commands, uses the settings that a person
 * gave that agent, not those of the command: else an agent would choose who allows its own calls.
 */
export async function leaveAgentsSettings(env: Record<string, string | undefined>, paths: Paths): Promise<void> {
  const known = knownFrom(readKnownAgents(paths.agents), paths.home);
  const outside = await environmentOutside(ancestryOf(process.ppid), known);
  if (!outside) return;
  for (const name of SETTINGS) {
    const value = outside[name] ?? { HOME: userInfo().homedir, PATH: env["PATH"] }[name];
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
}
