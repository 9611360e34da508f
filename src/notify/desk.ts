import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "./desktop.ts";
import type { Desk } from "./route.ts";
import { runTool } from "./tool.ts";

/** One that does not answer says nothing about anybody. */
const PATIENCE_MS = 5000;
/** A crowd of questions is one measurement. */
const FRESH_MS = 2000;
const MOST_SERVERS = 20;

type Seen = NonNullable<Desk>;

/**
 * When somebody last pressed a key here: in a tmux client of this user's that is attached, or at the desktop where that can
 * be asked (xprintidle, under X). Contract: undefined when nothing can say so; never throws.
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
    if (!env["DISPLAY"]) return undefined;
    const out = await run("xprintidle");
    return out !== undefined && /^\d+$/.test(out) ? { idleMs: Number(out), by: "desktop" } : undefined;
  }

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
