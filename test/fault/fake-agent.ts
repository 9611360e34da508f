// Stands for Claude Code towards Parley's hooks: a process of its own that runs them, takes the first decision and
// writes a transcript. Told what to do by lines of JSON on stdin, says what happens on stdout and in its journal.
import { appendFileSync, mkdirSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { signal } from "../../src/lab/process-tree.ts";
import type { Command, Entry, Life, Manner } from "./agent.ts";
import { type Call, createRecord, type Result } from "./fake-record.ts";

/** `timeout` of the short hooks in the agent's settings. */
const QUICK_MS = 10_000;
const life = JSON.parse(process.argv[2] ?? "{}") as Life;
const record = createRecord(life);
const dialogs = new Map<string, { turn: string; decide: (result: Result) => void }>();
const released = new Map<string, () => void>();
const turns = new Map<string, { open: number; escaped: boolean; over: PromiseWithResolvers<void> }>();
const running = new Map<number, string>();

process.on("SIGTERM", () => void leave());
mkdirSync(dirname(life.transcript), { recursive: true });
await begin();
for await (const line of console) obey(JSON.parse(line) as Command);
process.exit(0);

function obey(command: Command): void {
  switch (command.do) {
    case "ask":
      return void ask(command).catch(fail);
    case "answer":
      return dialogs.get(command.key)?.decide({ by: "terminal", label: command.label });
    case "escape":
      return escape(dialogs.get(command.key)?.turn);
    case "record":
      return released.get(command.key)?.();
  }
}

/** Esc on one of several dialogs declines them all, and the agent waits for its person. */
function escape(turn: string | undefined): void {
  for (const dialog of dialogs.values()) if (dialog.turn === turn) dialog.decide({ by: "terminal", escape: true });
}

/** A fake that is wrong must not look like an agent that waits. */
function fail(error: unknown): void {
  writeSync(2, `fake agent: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(70);
}

async function begin(): Promise<void> {
  const left = life.resume ? await openCalls() : [];
  for (const line of left.flatMap(record.interrupted)) write(line);
  const { stdout } = await run("SessionStart", life.resume ? record.resumed() : record.payload("SessionStart"));
  const context = contextIn(stdout);
  if (context !== undefined) {
    write(record.told(context));
    say({ event: "told", text: context });
  }
  say({ event: "ready", pid: process.pid });
}

async function ask({ key, turn, question, ...manner }: Command & { do: "ask" }): Promise<void> {
  const call: Call = { key, turn, question };
  const sofar = turns.get(turn) ?? { open: 0, escaped: false, over: Promise.withResolvers<void>() };
  turns.set(turn, { ...sofar, open: sofar.open + 1 });
  write(record.asked(call));
  say({ event: "asked", key, question });
  await run("PreToolUse", record.payload("PreToolUse", call), key);
  const { promise: dialog, resolve: decide } = Promise.withResolvers<Result>();
  dialogs.set(key, { turn, decide });
  const hook = start("PermissionRequest", record.payload("PermissionRequest", call), key, manner.neverEndsInput);
  say({ event: "dialog", key });
  // A decision counts when its hook has ended, however it ended: seen in 2.1.197 and 2.1.325.
  const decided = hook.ended.then(({ stdout }) => decisionIn(stdout, question) ?? new Promise<never>(() => undefined));
  const result = await Promise.race([dialog, decided]);
  dialogs.delete(key);
  say({ event: "took", key, result });
  if ("escape" in result) signal(hook.pid, "SIGTERM");
  await Promise.all([recordLater(call, result, manner), report(call, result)]);
  await endOfTurn(call, "escape" in result);
  say({ event: "done", key });
}

/** A turn is over with the last of its calls; there is no Stop after Esc. */
async function endOfTurn(call: Call, escaped: boolean): Promise<void> {
  const turn = turns.get(call.turn);
  if (!turn) return;
  turn.open--;
  turn.escaped ||= escaped;
  if (turn.open === 0) {
    if (!turn.escaped) await run("Stop", record.payload("Stop", call), call.key);
    turn.over.resolve();
  }
  await turn.over.promise;
}

async function recordLater(
  call: Call,
  result: Result,
  { recordMs, waitToRecord }: Pick<Manner, "recordMs" | "waitToRecord">,
): Promise<void> {
  if (waitToRecord) await new Promise<void>((resolve) => released.set(call.key, resolve));
  await Bun.sleep(recordMs);
  write(record.result(call, result));
  say({ event: "recorded", key: call.key });
}

async function report(call: Call, result: Result): Promise<void> {
  if ("label" in result) await run("PostToolUse", record.payload("PostToolUse", call, result.label), call.key);
}

async function run(event: string, payload: unknown, key?: string) {
  const hook = start(event, payload, key);
  const tooLong = setTimeout(() => signal(hook.pid, "SIGTERM"), QUICK_MS);
  return hook.ended.finally(() => clearTimeout(tooLong));
}

function start(hook: string, payload: unknown, key?: string, neverEndsInput = false) {
  const { program, session } = life;
  const child = Bun.spawn(["/bin/sh", "-c", `[ -x ${program} ] && exec ${program} hook ${hook}; exit 0`], {
    env: { ...process.env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const { pid } = child;
  running.set(pid, hook);
  say({ event: "hook", hook, pid, ...(key !== undefined && { key }) });
  void give(child.stdin, JSON.stringify(payload), neverEndsInput);
  const ended = Promise.all([child.stdout.text(), child.exited]).then(([stdout, code]) => {
    running.delete(pid);
    say({ event: "output", hook, pid, code, stdout, ...(key !== undefined && { key }) });
    return { stdout, code };
  });
  return { pid, ended };
}

async function give(input: Bun.FileSink, text: string, neverEnds: boolean): Promise<void> {
  try {
    await input.write(text);
    await (neverEnds ? input.flush() : input.end());
  } catch {
    // It was killed before it could read.
  }
}

/** Told to end, as by a closed terminal: its hooks hear of it, then the end of the session is told. */
async function leave(): Promise<void> {
  // Nobody picks in a dialog that is going away.
  dialogs.clear();
  for (const pid of running.keys()) signal(pid, "SIGTERM");
  await run("SessionEnd", record.payload("SessionEnd"));
  process.exit(0);
}

function decisionIn(stdout: string, question: string): Result | undefined {
  const decision = parsed(stdout)?.decision;
  if (decision?.behavior === "deny") return { by: "hook", refusal: decision.message ?? "" };
  const label = decision?.updatedInput?.answers?.[question];
  return label === undefined ? undefined : { by: "hook", label };
}

function contextIn(stdout: string): string | undefined {
  return parsed(stdout)?.additionalContext;
}

type Output = {
  additionalContext?: string;
  decision?: { behavior: string; message?: string; updatedInput?: { answers?: Record<string, string> } };
};
/** Half a reply, as of a hook that was killed while it printed, is no reply. */
function parsed(stdout: string): Output | undefined {
  try {
    return (JSON.parse(stdout) as { hookSpecificOutput?: Output }).hookSpecificOutput;
  } catch {
    return undefined;
  }
}

/** Calls of an earlier life that it did not see the end of. Only then is the reader of transcripts loaded: hundreds of these start. */
async function openCalls(): Promise<Call[]> {
  const { journalOf } = await import("./agent.ts");
  const past = journalOf(life);
  const ended = new Set(past.flatMap((entry) => (entry.event === "recorded" ? [entry.key] : [])));
  return past.flatMap((entry) =>
    entry.event === "asked" && !ended.has(entry.key)
      ? [{ key: entry.key, turn: crypto.randomUUID(), question: entry.question }]
      : [],
  );
}

function write(line: unknown): void {
  appendFileSync(life.transcript, `${JSON.stringify(line)}\n`);
}

function say(entry: Entry): void {
  const line = `${JSON.stringify(entry)}\n`;
  appendFileSync(life.journal, line);
  writeSync(1, line);
}
