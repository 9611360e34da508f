import { bothEndsFrom } from "../../machine/file/both-ends.ts";
import { SendError } from "../messenger.ts";

type Env = Record<string, string | undefined>;
/** A tool of the desktop needs its display and its bus, and nothing of what else the daemon knows. */
const NAMES = ["PATH", "HOME", "USER", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "TMPDIR"];

export function toolEnv(env: Env): Record<string, string> {
  const kept = [...NAMES, "DBUS_SESSION_BUS_ADDRESS"].flatMap((name) =>
    env[name] === undefined ? [] : [[name, env[name]] as const],
  );
  // In another locale notify-send refuses letters beyond ASCII.
  return { ...Object.fromEntries(kept), LC_ALL: "C.UTF-8" };
}

/** An id, or a word. */
const PRINTED = { head: 2000, tail: 2000 };

/** Runs a tool to its end; answers what it printed. */
export async function runTool(command: string[], env: Env, signal: AbortSignal): Promise<string> {
  const [tool = ""] = command;
  const path = Bun.which(tool, { PATH: env["PATH"] ?? "" });
  if (path === null) throw new SendError(`${tool} is not installed`, { again: false });
  const child = Bun.spawn([path, ...command.slice(1)], {
    env: toolEnv(env),
    stdio: ["ignore", "pipe", "ignore"],
    signal,
  });
  const [out, code] = await Promise.all([bothEndsFrom(child.stdout, PRINTED), child.exited]);
  if (code !== 0) throw new SendError(`${tool} ended with ${child.signalCode ?? code}`, { again: true });
  return out.trim();
}
