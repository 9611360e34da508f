import { isAlive, type ProcessName } from "../../machine/process/process.ts";

const POLITE_MS = 5000;
const EVERY_MS = 50;

/** Ends a process and everything in its group: asks first, then makes it. Also what stayed when the leader has ended. */
export async function endGroup(leader: ProcessName): Promise<void> {
  // Its number may be somebody else's by now; then nothing of it is left that we could name.
  if (!isAlive(leader) && isAlive({ pid: leader.pid })) return;
  signal(leader, "SIGTERM");
  for (let waited = 0; waited < POLITE_MS && isGroup(leader); waited += EVERY_MS) await Bun.sleep(EVERY_MS);
  signal(leader, "SIGKILL");
}

const isGroup = (leader: ProcessName) => signal(leader, 0);

function signal({ pid }: ProcessName, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, name);
    return true;
  } catch {
    return false;
  }
}
