import { isAlive, type ProcessName, processesWith } from "../../machine/process/process.ts";
import { endGroup } from "./end-group.ts";
import { agentOf, type RunFolder } from "./run-folder.ts";

const POLITE_MS = 2000;
const EVERY_MS = 50;
/** A killed process is gone a moment later, on a busy machine much later; what was forked meanwhile is found by another look. */
const LOOKS = 100;

/** In the environment of everything that a run starts. */
export const markOf = ({ path }: RunFolder): { PARLEY_RUN: string } => ({ PARLEY_RUN: path });

/**
 * Ends all of a run: its agent's group, then what else carries its mark. Claude Code gives each command a session of its
 * own (seen in 2.1.325 and 2.1.197), which outlives a killed agent.
 */
export async function endRun(folder: RunFolder): Promise<void> {
  const agent = agentOf(folder);
  if (agent) await endGroup(agent);
  const left = () => processesWith(`PARLEY_RUN=${markOf(folder).PARLEY_RUN}`).filter(isAlive);
  const first = left();
  for (const each of first) signal(each, "SIGTERM");
  for (let waited = 0; waited < POLITE_MS && first.some(isAlive); waited += EVERY_MS) await Bun.sleep(EVERY_MS);
  for (let look = 0, rest = left(); look < LOOKS && rest.length > 0; look++, rest = left()) {
    for (const each of rest) signal(each, "SIGKILL");
    await Bun.sleep(EVERY_MS);
  }
}

function signal({ pid }: ProcessName, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
