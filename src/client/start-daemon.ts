import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, statSync } from "node:fs";
import { PLACES } from "../agents/environments.ts";
import { ERRORS, ParleyError } from "../core/error.ts";
import { orUnwritable } from "../core/unwritable.ts";
import type { Paths } from "../machine/home.ts";
import { keptCommand } from "../machine/program/kept-program.ts";
import { pause } from "../machine/time/pause.ts";
import { makePrivateDir } from "../machine/file/private-dir.ts";
import { stoppedAt } from "../machine/program/stopped.ts";
import { createStarting } from "./starting.ts";
import { isUp } from "./wire.ts";

const LONGEST_PAUSE_MS = 100;
/**
 * `stopped`: somebody stopped it on purpose, so only a person's `up` starts it again. `failed`: it says no. `late`: it has
 * not come up in time, or was killed each time. `unwritable`: it starts as soon as there is room on the disk; its log may
 * not be able to say so.
 */
export type StartResult = "running" | "started" | "stopped" | "failed" | "late" | "unwritable";

type StartOptions = {
  patienceMs: number;
  evenIfStopped?: boolean;
  /** What starts the program, if not this very one. */
  command?: readonly string[];
};

/** Finds the daemon or starts it, and waits until it answers. */
export async function startDaemon(paths: Paths, wish: StartOptions): Promise<StartResult> {
  try {
    return await started(paths, wish);
  } catch (error) {
    // A file stands where a folder on the way to its home should be.
    const isBlocked = error instanceof Error && "code" in error && error.code === "ENOTDIR";
    if (isBlocked || orUnwritable(error, paths.home) !== error) return "unwritable";
    throw error;
  }
}

async function started(
  paths: Paths,
  { patienceMs, evenIfStopped = false, command }: StartOptions,
): Promise<StartResult> {
  if (await isUp(paths)) return "running";
  // Its daemon runs outside, where somebody else sees to it.
  if (process.env["PARLEY_SANDBOX"] !== undefined) return "late";
  makePrivateDir(paths.home);
  // The daemon takes the mark away once it has the lock: until then no hook starts another one, perhaps an older one.
  const known = evenIfStopped ? stoppedAt(paths) : undefined;
  const isStopped = () => ![undefined, known].includes(stoppedAt(paths));
  if (isStopped()) return "stopped";
  const start = () =>
    spawnDaemon(paths, [
      ...(command ?? keptCommand(paths)),
      "serve",
      "--detached",
      ...(evenIfStopped ? ["--by-hand"] : []),
    ]);
  const starting = createStarting(paths);
  // A person who starts it by hand waits for nobody.
  let daemon = evenIfStopped || starting.begins() ? await start() : undefined;
  // On a very busy machine it takes longer than a person wants to wait for it.
  const until = performance.now() + Math.max(patienceMs, Number(process.env["PARLEY_START_MS"]) || 0);
  const end = (result: StartResult): StartResult => {
    if (daemon && !evenIfStopped) starting.ends(result === "failed");
    return result;
  };
  for (let ms = 5; performance.now() < until; ms = Math.min(ms * 1.5, LONGEST_PAUSE_MS)) {
    await pause(ms);
    if (await isUp(paths)) return end("started");
    if (!daemon) {
      if (isStopped()) return "stopped";
      if (starting.hasFailed()) return "failed";
      if (starting.begins()) daemon = await start();
      continue;
    }
    const { exitCode, signalCode } = daemon;
    if (exitCode === null && signalCode === null) continue;
    if (exitCode === ERRORS.not_written.exit) return end("unwritable");
    if (exitCode !== null && exitCode !== 0) return end("failed");
    // It met another one, on its way up or, after a while, on its way out; or it was stopped just now, or killed.
    if (isStopped()) return end("stopped");
    if (ms === LONGEST_PAUSE_MS || signalCode !== null) daemon = await start();
  }
  return end("late");
}

/** Contract: throws what a person is to read when there is no daemon after all. */
export async function mustHaveWoken(woken: StartResult, { home, log }: Paths): Promise<void> {
  if (woken === "unwritable") {
    // Only now: hooks load this file and say nothing.
    const { whyUnwritable } = await import("../machine/file/why-unwritable.ts");
    const why = whyUnwritable(home) ?? `there is no room on the disk of ${home}, or it cannot be written`;
    throw new ParleyError("not_written", `The daemon cannot start: ${why}. It starts on its own once that is fixed.`);
  }
  if (woken === "failed" || woken === "late")
    throw new ParleyError("daemon_unreachable", `The daemon did not start. Its log: ${log}`);
}

/** Several may still be started at once; the lock lets one live. */
async function spawnDaemon(paths: Paths, [program = "", ...args]: string[]): Promise<ChildProcess> {
  // Only now: it costs a hook that finds a daemon nothing.
  const { spawn } = await import("node:child_process");
  const log = openLog(paths.log);
  try {
    const child = spawn(program, args, {
      cwd: paths.home,
      env: { ...daemonEnv(), ...jobEnv(), PARLEY_HOME: paths.home },
      stdio: ["ignore", log, log],
      detached: true,
    });
    child.unref();
    return await new Promise((resolve, reject) => {
      child.once("spawn", () => resolve(child));
      child.once("error", reject);
    });
  } finally {
    if (log !== "ignore") closeSync(log);
  }
}

/** What is no file under its name is set aside by the daemon, once it runs. */
function openLog(path: string): number | "ignore" {
  try {
    return openSync(path, "a", 0o600);
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return "ignore";
    throw error;
  }
}

/** What makes this a job of a hub. Not among the others: a service keeps those in a file. */
export function jobEnv(env: Record<string, string | undefined> = process.env): Record<string, string> {
  const names = ["", "_CA_FILE", "_PLAIN_HTTP", "_MACHINE_TOKEN", "_MACHINE_TOKEN_FILE"].map(
    (end) => `PARLEY_HUB${end}`,
  );
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** A daemon started from an agent's hook must not carry that agent's environment about. */
export function daemonEnv(env: Record<string, string | undefined> = process.env): Record<string, string> {
  const names = [
    "HOME",
    "PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "PARLEY_CONFIG",
    "PARLEY_PORT",
    "PARLEY_LOG",
    ...PLACES,
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
  ];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
