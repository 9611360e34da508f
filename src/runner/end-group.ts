import { isAlive, type ProcessName } from "../machine/process.ts";

const POLITE_MS = 5000;
const EVERY_MS = 50;

/** Ends a process and everything in its group: asks first, then makes it. */
export async function endGroup(leader: ProcessName): Promise<void> {
  if (!isAlive(leader)) return;
  signal(leader, "SIGTERM");
  for (let waited = 0; waited < POLITE_MS && isAlive(leader); waited += EVERY_MS) await Bun.sleep(EVERY_MS);
  // Also when the leader has ended: what it started may have stayed.
  signal(leader, "SIGKILL");
}

function signal({ pid }: ProcessName, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // The group is gone.
  }
}
