import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunStart } from "../../core/task/run-start.ts";
import type { HeadlessRun } from "../../agents/capability/headless.ts";
import type { SandboxPlan } from "../sandbox/plan.ts";
import type { ProcessName } from "../../machine/process/process.ts";

/** Whose conversation a run is, and about what. */
export type TalkPlan = { agent: string; run: HeadlessRun };

/** What a run is started with. */
export type RunPlan = {
  command: string[];
  cwd: string;
  env: Record<string, string>;
  input: string;
  /** The `type` of the JSON line after which it needs no more input; without it none follows this one. */
  inputUntil?: string;
  /** Lines that begin so are not kept. */
  leaveOut?: readonly string[];
  /** It is talked to, instead of being given an input. */
  talk?: TalkPlan;
  /** For its log. */
  start?: RunStart;
  /** What it runs in. */
  sandbox?: SandboxPlan;
  /** Of one in a sandbox: the environment it has not got, for what is done for it outside. */
  outside?: Record<string, string>;
};
/** How the agent's process ended; `code` null: by a signal, or nobody saw it. */
export type RunExit = { code: number | null; signal: string | null };
/** The code of what could not be started, as a shell says it. */
export const NOT_STARTED = 127;
export type RunFolder = ReturnType<typeof runFolder>;

export const pathOfRun = (home: string, task: string, run: number) => join(home, "tasks", task, String(run));

/** Everything of one run of an agent, on disk, so that neither a killed daemon nor a killed supervisor loses it. */
export function runFolder(path: string) {
  const file = (name: string) => join(path, name);
  return {
    path,
    plan: file("plan.json"),
    settings: file("settings.json"),
    /** Who may run this: `claim.ts`. */
    supervisor: file("supervisor.json"),
    agent: file("agent.json"),
    stream: file("stream.ndjson"),
    /** When each part of the stream came. */
    times: file("times"),
    errors: file("stderr.log"),
    /** What a daemon wants to be said to an agent that is talked to. */
    requests: file("requests.ndjson"),
    exit: file("exit.json"),
    /** It shall not run any more, however far it has come. */
    stop: file("stop"),
  };
}

export function makeRunFolder(folder: RunFolder, plan: RunPlan, settings: object): void {
  mkdirSync(folder.path, { recursive: true, mode: 0o700 });
  writeFileSync(folder.settings, JSON.stringify(settings, null, 2), { mode: 0o600 });
  writeWhole(folder.plan, plan);
}

/** Contract: a reader sees all of it or nothing. */
export function writeWhole(path: string, value: unknown): void {
  const temp = `${path}.${process.pid}.new`;
  writeFileSync(temp, JSON.stringify(value), { mode: 0o600 });
  renameSync(temp, path);
}

export const planOf = (folder: RunFolder) => readJson(folder.plan) as RunPlan | undefined;
export const agentOf = (folder: RunFolder) => processIn(readJson(folder.agent));
export const exitOf = (folder: RunFolder) => exitIn(readJson(folder.exit));

/** Whatever else stands there names no process. */
function processIn(found: unknown): ProcessName | undefined {
  return typeof (found as Partial<ProcessName> | null)?.pid === "number" ? (found as ProcessName) : undefined;
}

function exitIn(found: unknown): RunExit | undefined {
  const { code, signal } = (found ?? {}) as Partial<RunExit>;
  return code === undefined && signal === undefined ? undefined : { code: code ?? null, signal: signal ?? null };
}

/** Undefined also for what is just being written. */
function readJson(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
