import { closeSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { nameProcess } from "../machine/process.ts";
import { noteTime } from "./stream-times.ts";
import { planOf, runFolder, type RunFolder } from "./run-folder.ts";

/** How the end of a run is said: only then may its input be closed, or a permission prompt would fail. */
const ENDED = '"type":"result"';

/**
 * The process that runs one agent: feeds it, keeps what it prints, writes down how it ended. It outlives the daemon.
 * Contract: of several started for the same folder one does the work, so a run never happens twice.
 */
export async function supervise(path: string): Promise<void> {
  const folder = runFolder(path);
  const plan = planOf(folder);
  if (!plan || !claim(folder)) return;
  process.on("SIGHUP", () => undefined);
  const stream = openSync(folder.stream, "a", 0o600);
  const times = openSync(folder.times, "a", 0o600);
  const child = Bun.spawn(plan.command, {
    cwd: plan.cwd,
    env: plan.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: openSync(folder.errors, "a", 0o600),
    // A group of its own: what the agent started ends with it.
    detached: true,
  });
  writeWhole(folder.agent, nameProcess(child.pid));
  void child.stdin.write(plan.input);
  void child.stdin.flush();
  let tail = "";
  let size = 0;
  for await (const chunk of child.stdout) {
    size += writeSync(stream, chunk);
    noteTime(times, size, Date.now());
    tail = (tail + Buffer.from(chunk).toString("latin1")).slice(-(chunk.length + ENDED.length));
    if (tail.includes(ENDED)) void child.stdin.end();
  }
  closeSync(stream);
  await child.exited;
  writeWhole(folder.exit, { code: child.exitCode, signal: child.signalCode });
}

function claim(folder: RunFolder): boolean {
  try {
    writeFileSync(folder.supervisor, JSON.stringify(nameProcess(process.pid)), { flag: "wx", mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

function writeWhole(path: string, value: unknown): void {
  writeFileSync(`${path}.new`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
