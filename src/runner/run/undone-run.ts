import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "../../core/task/task.ts";
import { isAlive, type ProcessName, processesWith } from "../../machine/process/process.ts";
import { supervisorOf } from "./claim.ts";
import { markOf } from "./end-run.ts";
import { agentOf, pathOfRun, planOf, runFolder, type RunFolder } from "./run-folder.ts";

/** What is forked while the others are ended is found by another look. */
const LOOKS = 5;

/** This folder is of a run that a restored backup knows nothing of, and whose number is given again. */
export function isUndone(folder: RunFolder, { start }: Task): boolean {
  const plan = planOf(folder);
  return plan !== undefined && plan.start?.id !== start?.id;
}

/** Runs of this task that began after the backup was made. */
export function runsAfter(home: string, { id, run }: Task): RunFolder[] {
  const numbers = namesIn(join(home, "tasks", id)).filter((name) => /^\d+$/.test(name) && Number(name) > run);
  return numbers.map((name) => runFolder(pathOfRun(home, id, Number(name))));
}

/**
 * Ends it, hard, and puts its folder aside. At once: what its supervisor still wrote would stand in the folder of the run
 * that takes its place.
 */
export function putAside(folder: RunFolder): void {
  const supervisor = supervisorOf(folder);
  if (supervisor && isAlive(supervisor)) kill(supervisor.pid);
  const agent = agentOf(folder);
  if (agent && isAlive(agent)) kill(-agent.pid);
  for (let look = 0, left = marked(folder); look < LOOKS && left.length > 0; look++, left = marked(folder))
    for (const { pid } of left) kill(pid);
  renameSync(folder.path, `${folder.path}-undone-${new Date().toISOString().replaceAll(/[-:.]/g, "")}`);
}

const marked = (folder: RunFolder): ProcessName[] =>
  processesWith(`PARLEY_RUN=${markOf(folder).PARLEY_RUN}`).filter(isAlive);

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
