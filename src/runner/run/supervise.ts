import { appendFileSync, existsSync, openSync } from "node:fs";
import { createLineCutter } from "../../machine/file/lines.ts";
import { whenWritable, writeWholly } from "../../machine/time/patience.ts";
import { nameProcess } from "../../machine/process/process.ts";
import { takeClaim } from "./claim.ts";
import { endRun, markOf } from "./end-run.ts";
import {
  NOT_STARTED,
  planOf,
  type RunExit,
  runFolder,
  type RunFolder,
  type RunPlan,
  type TalkPlan,
  writeWhole,
} from "./run-folder.ts";
import { openSandbox } from "../sandbox/enter.ts";
import { keepDaemon } from "../sandbox/keep-daemon.ts";
import { noteTime } from "./stream-times.ts";

/** Something it started may keep its output open after it has ended. */
const LAST_WORDS_MS = 1000;
const LOOK_MS = 50;

/**
 * The process that runs one agent: feeds it, keeps what it prints, writes down how it ended. It outlives the daemon.
 * Contract: of several started for the same folder one does the work, so a run never happens twice.
 */
export async function supervise(path: string): Promise<void> {
  const folder = runFolder(path);
  const plan = planOf(folder);
  if (!plan || !(await whenWritable(() => takeClaim(folder)))) return;
  process.on("SIGHUP", () => undefined);
  const exit = await run(folder, plan);
  await whenWritable(() => writeWhole(folder.exit, exit));
  process.exit(0);
}

async function run(folder: RunFolder, plan: RunPlan): Promise<RunExit> {
  if (existsSync(folder.stop)) return { code: null, signal: "SIGTERM" };
  const errors = await whenWritable(() => openSync(folder.errors, "a", 0o600));
  const opened = await sandboxed(plan);
  const child = typeof opened === "string" ? opened : spawn(folder, opened.plan, errors);
  if (typeof child === "string") {
    await whenWritable(() => appendFileSync(folder.errors, `${child}\n`, { mode: 0o600 }));
    return { code: NOT_STARTED, signal: null };
  }
  const agent = nameProcess(child.pid);
  await whenWritable(() => writeWhole(folder.agent, agent));
  // In this order on both sides: whoever stops it says so first and looks for the process then.
  const talker = plan.talk && (await talkTo(plan.talk, folder, child.stdin));
  if (existsSync(folder.stop)) await endRun(folder);
  else if (talker) talker.begin();
  else await feed(child.stdin, plan);
  const printed = keep(folder, child.stdout, plan, (line) => {
    if (talker) return talker.heard(line);
    if (plan.inputUntil !== undefined && typeOf(line, plan.inputUntil) === plan.inputUntil) void child.stdin.end();
    return plan.leaveOut && !plan.leaveOut.some((start) => line.startsWith(start)) ? [line] : [];
  });
  await child.exited;
  talker?.stop();
  await printed.lastWords();
  // What an agent that ended well left running is its work.
  if (child.exitCode !== 0) await endRun(folder);
  const left = typeof opened === "string" ? undefined : await opened.close?.();
  if (left !== undefined) await whenWritable(() => appendFileSync(folder.errors, `${left}\n`, { mode: 0o600 }));
  return { code: child.exitCode, signal: child.signalCode === null ? null : String(child.signalCode) };
}

/** The plan as it runs in its sandbox, where it has one. A text: why none can be made, so that nothing runs. */
async function sandboxed(
  plan: RunPlan,
): Promise<string | { plan: RunPlan; close?: () => Promise<string | undefined> }> {
  if (!plan.sandbox) return { plan };
  try {
    // For git, which is run out here: whose name commits are made in.
    for (const name of ["HOME", "XDG_CONFIG_HOME"]) process.env[name] ??= plan.outside?.[name];
    const { command, env, close } = await openSandbox(plan.sandbox, plan.cwd);
    keepDaemon(plan.sandbox.home, plan.outside ?? {});
    return { plan: { ...plan, command: command(plan.command), env }, close };
  } catch (error) {
    return `Its sandbox cannot be made: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Loaded only for a run that needs it: it knows every agent. */
async function talkTo(plan: TalkPlan, folder: RunFolder, stdin: Bun.FileSink) {
  const { createTalker } = await import("./talk-run.ts");
  // An agent that has ended hears nothing; that it has is seen elsewhere.
  const ignore = () => undefined;
  const said = async (text: string) => (await stdin.write(text), await stdin.flush());
  return createTalker(
    plan,
    folder,
    (text) => void said(text).catch(ignore),
    () => void Promise.resolve(stdin.end()).catch(ignore),
  );
}

async function feed(stdin: Bun.FileSink, { input, inputUntil }: RunPlan): Promise<void> {
  await stdin.write(input);
  await (inputUntil === undefined ? stdin.end() : stdin.flush());
}

/** A text: why it cannot be started. */
function spawn(folder: RunFolder, { command, cwd, env }: RunPlan, stderr: number) {
  if (!existsSync(cwd)) return `The folder ${cwd} does not exist.`;
  try {
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

function keep(
  folder: RunFolder,
  printed: ReadableStream<Uint8Array>,
  plan: RunPlan,
  line: (text: string) => string[],
): { lastWords(): Promise<void> } {
  let writing = 0;
  const whole = write(folder, printed, plan, line, async (work) => {
    writing++;
    await work();
    writing--;
  });
  let isWhole = false;
  void whole.then(() => (isWhole = true));
  return {
    async lastWords() {
      for (let idle = 0; idle < LAST_WORDS_MS && !isWhole; idle = writing > 0 ? 0 : idle + LOOK_MS)
        await Promise.race([whole, Bun.sleep(LOOK_MS)]);
    },
  };
}

async function write(
  folder: RunFolder,
  printed: ReadableStream<Uint8Array>,
  { leaveOut, inputUntil }: RunPlan,
  line: (text: string) => string[],
  busy: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const stream = await whenWritable(() => openSync(folder.stream, "a", 0o600));
  const times = await whenWritable(() => openSync(folder.times, "a", 0o600));
  let size = 0;
  // Of a check nobody reads lines: it may print gigabytes without one.
  const hasLines = leaveOut !== undefined || inputUntil !== undefined;
  let kept: Buffer[] = [];
  const lines = createLineCutter((bytes) => {
    for (const text of line(bytes.toString("utf8"))) kept.push(Buffer.from(`${text}\n`));
  });
  // While the disk is full the agent waits for its reader: nothing it says gets lost.
  async function flush(): Promise<void> {
    const bytes = Buffer.concat(kept);
    kept = [];
    if (bytes.length === 0) return;
    await writeWholly(stream, bytes);
    size += bytes.length;
    await noteTime(times, size, Date.now());
  }
  for await (const chunk of printed) {
    if (!leaveOut) kept.push(Buffer.from(chunk));
    if (hasLines) lines.write(Buffer.from(chunk));
    await busy(flush);
  }
  // Half a line of an agent that was killed.
  lines.end();
  await busy(flush);
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
