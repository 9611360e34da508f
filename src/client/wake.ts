import { existsSync, openSync, rmSync } from "node:fs";
import type { Paths } from "../machine/home.ts";
import { selfCommand } from "../machine/launcher.ts";
import { makePrivateDir } from "../machine/private-dir.ts";
import { isUp } from "./wire.ts";

const LONGEST_PAUSE_MS = 100;
/** `stopped`: somebody stopped it on purpose, so only a person's `up` starts it again. */
export type Woken = "running" | "started" | "stopped" | "failed";

/** Finds the daemon or starts it, and waits until it answers. */
export async function wakeDaemon(
  paths: Paths,
  { patienceMs, evenIfStopped = false }: { patienceMs: number; evenIfStopped?: boolean },
): Promise<Woken> {
  if (await isUp(paths)) return "running";
  if (evenIfStopped) rmSync(paths.stopped, { force: true });
  if (existsSync(paths.stopped)) return "stopped";
  let daemon = spawnDaemon(paths);
  const until = performance.now() + patienceMs;
  for (let pause = 5; performance.now() < until; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    await Bun.sleep(pause);
    if (await isUp(paths)) return "started";
    const { exitCode, signalCode } = daemon;
    if (exitCode === null && signalCode === null) continue;
    if (exitCode !== null && exitCode !== 0) return "failed";
    // It met another one, on its way up or, after a while, on its way out; or it was stopped just now, or killed.
    if (existsSync(paths.stopped)) return "stopped";
    if (pause === LONGEST_PAUSE_MS || signalCode !== null) daemon = spawnDaemon(paths);
  }
  return "failed";
}

/** Several may be started at once; the lock lets one live. */
function spawnDaemon(paths: Paths): Bun.Subprocess {
  makePrivateDir(paths.home);
  const log = openSync(paths.log, "a", 0o600);
  const child = Bun.spawn([...selfCommand(), "serve", "--detached"], {
    cwd: paths.home,
    env: { ...daemonEnv(), PARLEY_HOME: paths.home },
    stdio: ["ignore", log, log],
    detached: true,
  });
  child.unref();
  return child;
}

/** A daemon started from an agent's hook must not carry that agent's environment about. */
function daemonEnv(): Record<string, string> {
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
    "CLAUDE_CONFIG_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
  ];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
