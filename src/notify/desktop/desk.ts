import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "./desktop.ts";
import type { Desk } from "../route.ts";
import { runTool } from "./tool.ts";

/** One that does not answer says nothing about anybody. */
const PATIENCE_MS = 5000;
/** A crowd of questions is one measurement. */
const FRESH_MS = 2000;
const MOST_SERVERS = 20;

type Seen = NonNullable<Desk>;

/** What GNOME says on its bus of how long nobody pressed a key, under Wayland too. */
const IDLE_ON_BUS = [
  "org.gnome.Mutter.IdleMonitor",
  "/org/gnome/Mutter/IdleMonitor/Core",
  "org.gnome.Mutter.IdleMonitor.GetIdletime",
] as const;
/** Who knows there whether the screen is locked. */
const LOCKED_ON_BUS = [
  ["org.gnome.ScreenSaver", "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver.GetActive"],
  ["org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver.GetActive"],
] as const;

/**
 * When somebody last pressed a key here: in a tmux client of this user's that is attached, or at the desktop where that can
 * be asked. Nobody sits at a screen that is locked. Contract: undefined when nothing can say so; never throws.
 */
export function createDesk({ env, now }: { env: Env; now: () => number }) {
  let last: { at: number; measured: Promise<Desk> } | undefined;

  async function measure(): Promise<Desk> {
    const found = (await Promise.all([...sockets(env).map(tmuxIdle), desktopIdle()])).filter(
      (seen) => seen !== undefined,
    );
    return found.toSorted((a, b) => a.idleMs - b.idleMs)[0];
  }

  const run = (...command: string[]) =>
    runTool(command, env, AbortSignal.timeout(PATIENCE_MS)).catch((): undefined => undefined);

  /** Of the clients that are attached, whoever pressed a key last; their clock counts seconds. */
  async function tmuxIdle(socket: string): Promise<Seen | undefined> {
    const out = await run("tmux", "-S", socket, "list-clients", "-F", "#{client_activity}");
    const times = (out ?? "").split("\n").filter((line) => /^\d+$/.test(line));
    if (times.length === 0) return undefined;
    return { idleMs: Math.max(0, now() - Math.max(...times.map(Number)) * 1000), by: "tmux" };
  }

  async function desktopIdle(): Promise<Seen | undefined> {
    const [x, gnome, locked] = await Promise.all([
      env["DISPLAY"] ? run("xprintidle") : undefined,
      onBus(IDLE_ON_BUS),
      isLocked(),
    ]);
    if (locked) return { idleMs: Number.POSITIVE_INFINITY, by: "a locked screen" };
    const idle = [x, /^\(uint64 (\d+),\)$/.exec(gnome ?? "")?.[1]];
    const known = idle.filter((ms) => ms !== undefined && /^\d+$/.test(ms)).map(Number);
    return known.length > 0 ? { idleMs: Math.min(...known), by: "desktop" } : undefined;
  }

  /** By the desktop itself, or by what it told systemd. */
  async function isLocked(): Promise<boolean> {
    const said = await Promise.all([
      ...LOCKED_ON_BUS.map(onBus),
      run("loginctl", "show-user", "--property=Display", "--value"),
    ]);
    if (said.slice(0, -1).includes("(true,)")) return true;
    const session = said.at(-1) ?? "";
    if (!/^\w+$/.test(session)) return false;
    return (await run("loginctl", "show-session", session, "--property=LockedHint", "--value")) === "yes";
  }

  const onBus = async ([name, path, method]: readonly [string, string, string]): Promise<string | undefined> =>
    env["DBUS_SESSION_BUS_ADDRESS"]
      ? run(
          "gdbus",
          "call",
          "--session",
          "--timeout=2",
          `--dest=${name}`,
          `--object-path=${path}`,
          `--method=${method}`,
        )
      : undefined;

  return (): Promise<Desk> => {
    const at = performance.now();
    if (!last || at - last.at > FRESH_MS) last = { at, measured: measure() };
    return last.measured;
  };
}

/** Every tmux server of this user's. */
function sockets(env: Env): string[] {
  const folder = join(env["TMUX_TMPDIR"] || "/tmp", `tmux-${process.getuid?.() ?? 0}`);
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSocket())
      .slice(0, MOST_SERVERS)
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}
