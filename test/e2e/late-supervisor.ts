import { readdirSync, readFileSync } from "node:fs";
import { claimOf } from "../../src/runner/run/claim.ts";
import { pathOfRun, runFolder } from "../../src/runner/run/run-folder.ts";
import { cancelTasks } from "./cancel-tasks.ts";
import { holds } from "./program.ts";
import type { TaskScene } from "./task-scene.ts";

/** The next supervisor of this home, stopped before it has claimed its run. */
export async function stopNext(scene: TaskScene, begin: () => Promise<string>): Promise<{ id: string; pid: number }> {
  for (;;) {
    const over = new AbortController();
    const found = nextSupervisor(scene.home, over.signal);
    const id = await begin();
    // On a busy machine it may have done all of its work before it is seen.
    void holds(async () => over.signal.aborted || (await scene.task(id)).state === "done").then(() => over.abort());
    const pid = await found;
    over.abort();
    if (pid !== 0 && !claimOf(runFolder(pathOfRun(scene.home, id, 1)))) return { id, pid };
    if (pid !== 0) process.kill(pid, "SIGCONT");
    await cancelTasks(scene.client());
  }
}

async function nextSupervisor(home: string, over: AbortSignal): Promise<number> {
  const known = new Set(readdirSync("/proc"));
  for (;;) {
    for (const pid of readdirSync("/proc")) {
      if (known.has(pid) || !/^\d+$/.test(pid)) continue;
      const command = commandOf(pid);
      if (command.includes("task-run") && command.includes(home)) {
        process.kill(Number(pid), "SIGSTOP");
        await holds(() => isStopped(pid));
        return Number(pid);
      }
      // A child is not yet what it will be before it has called exec.
      if (command !== "" && !command.includes("serve")) known.add(pid);
    }
    if (over.aborted) return 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A signal is on its way for a while: until it has stopped, a process may yet claim its run. */
function isStopped(pid: string): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.every((thread) =>
      /^State:\s+[TtZX]/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")),
    );
  } catch {
    return false;
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
