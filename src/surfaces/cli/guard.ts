import { homedir } from "node:os";
import { agentsAround, knownFrom } from "../../agents/around.ts";
import { sessionAround } from "../../agents/agents.ts";
import type { Client } from "../../client/client.ts";
import { isUp } from "../../client/wire.ts";
import { ParleyError } from "../../core/error.ts";
import { ancestryOf } from "../../machine/process/ancestry.ts";
import { homeDir, type Paths, pathsIn, readRegistration } from "../../machine/home.ts";
import { readKnownAgents } from "../../machine/process/known-agents.ts";
import { COMMANDS_OF_A_PERSON, refusal } from "../../protocol/who-may.ts";

export const sessionHere = (): string | undefined => sessionAround(process.env);

/** For what a command does without the daemon. Contract: throws inside an agent's session, also where the daemon is away. */
export async function refuseAgents(
  command: keyof typeof COMMANDS_OF_A_PERSON,
  { paths, client }: { paths: Paths; client: Client },
): Promise<void> {
  if (await isInsideAgent(paths, client)) throw new ParleyError("forbidden", refusal(COMMANDS_OF_A_PERSON[command]));
}

/**
 * What such a command changes is the person's, whatever home it names: the agents of each home count that any of its parents was
 * started with, and of the one it would have without naming any.
 */
function homesAround({ home }: Paths): Set<string> {
  const named = ancestryOf(process.pid).map(({ env }) => homeDir(env));
  return new Set([home, ...named, homeDir({ HOME: homedir() })]);
}

async function isInsideAgentOf(paths: Paths): Promise<boolean> {
  const line = ancestryOf(process.pid, readRegistration(paths)?.process);
  const { sessions, tasks } = await agentsAround(line, knownFrom(readKnownAgents(paths.agents), paths.home));
  return sessions.length > 0 || tasks.length > 0;
}

async function isInsideAgent(paths: Paths, client: Client): Promise<boolean> {
  if (sessionHere() !== undefined) return true;
  for (const home of homesAround(paths)) if (await isInsideAgentOf(pathsIn(home))) return true;
  // It also knows sessions whose process is gone. One that hangs, or is older, says nothing.
  if (!(await isUp(paths))) return false;
  const found = await client.call("caller", {}, AbortSignal.timeout(3000)).catch(() => undefined);
  return found?.type === "agent";
}
