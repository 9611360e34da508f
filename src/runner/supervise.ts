import { appendFileSync, existsSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { createLineCutter } from "../machine/lines.ts";
import { nameProcess } from "../machine/process.ts";
import { endRun, markOf } from "./end-run.ts";
import { NOT_STARTED, planOf, type RunExit, runFolder, type RunFolder, type RunPlan } from "./run-folder.ts";
import { noteTime } from "./stream-times.ts";

/** Something it started may keep its output open after it has ended. */
const LAST_WORDS_MS = 1000;
const NEWLINE = Buffer.from("\n");

/**
 * The process that runs one agent: feeds it, keeps what it prints, writes down how it ended. It outlives the daemon.
 * Contract: of several started for the same folder one does the work, so a run never happens twice.
 */
export async function supervise(path: string): Promise<void> {
  const folder = runFolder(path);
  const plan = planOf(folder);
  if (!plan || !claim(folder)) return;
  process.on("SIGHUP", () => undefined);
  writeWhole(folder.exit, await run(folder, plan));
  process.exit(0);
}

async function run(folder: RunFolder, plan: RunPlan): Promise<RunExit> {
  if (existsSync(folder.stop)) return { code: null, signal: "SIGTERM" };
  const child = spawn(folder, plan);
  if (typeof child === "string") {
    appendFileSync(folder.errors, `${child}\n`, { mode: 0o600 });
    return { code: NOT_STARTED, signal: null };
  }
  writeWhole(folder.agent, nameProcess(child.pid));
  // In this order on both sides: whoever stops it says so first and looks for the process then.
  if (existsSync(folder.stop)) void endRun(folder);
  await child.stdin.write(plan.input);
  await (plan.inputUntil === undefined ? child.stdin.end() : child.stdin.flush());
  const printed = keep(folder, child.stdout, plan, (line) => {
    if (plan.inputUntil !== undefined && typeOf(line, plan.inputUntil) === plan.inputUntil) void child.stdin.end();
  });
  await child.exited;
  await Promise.race([printed, Bun.sleep(LAST_WORDS_MS)]);
  // What an agent that ended well left running is its work.
  if (child.exitCode !== 0) await endRun(folder);
  return { code: child.exitCode, signal: child.signalCode === null ? null : String(child.signalCode) };
}

/** A text: why it cannot be started. */
function spawn(folder: RunFolder, { command, cwd, env }: RunPlan) {
  if (!existsSync(cwd)) return `The folder ${cwd} does not exist.`;
  try {
    const stderr = openSync(folder.errors, "a", 0o600);
    // A group of its own: what the agent started ends with it.
    return Bun.spawn(command, {
      cwd,
      env: { ...env, ...markOf(folder) },
      stdin: "pipe",
      stdout: "pipe",
      stderr,
      detached: true,
    });
  } catch (error) {
    return `${command[0] ?? ""} cannot be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function keep(
  folder: RunFolder,
  printed: ReadableStream<Uint8Array>,
  { leaveOut, inputUntil }: RunPlan,
  line: (text: string) => void,
): Promise<void> {
  const stream = openSync(folder.stream, "a", 0o600);
  const times = openSync(folder.times, "a", 0o600);
  let size = 0;
  // Of a check nobody reads lines: it may print gigabytes without one.
  const hasLines = leaveOut !== undefined || inputUntil !== undefined;
  const lines = createLineCutter((bytes) => {
    const text = bytes.toString("utf8");
    line(text);
    const isKept = leaveOut && !leaveOut.some((start) => text.startsWith(start));
    if (isKept) size += writeSync(stream, Buffer.concat([bytes, NEWLINE]));
  });
  for await (const chunk of printed) {
    const before = size;
    if (!leaveOut) size += writeSync(stream, chunk);
    if (hasLines) lines.write(Buffer.from(chunk));
    if (size > before) noteTime(times, size, Date.now());
  }
  // Half a line of an agent that was killed.
  lines.end();
}

/** Only of a line that can be the wanted one: the others may be long. */
function typeOf(line: string, wanted: string): unknown {
  if (!line.includes(`"${wanted}"`)) return undefined;
  try {
    return (JSON.parse(line) as { type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
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
