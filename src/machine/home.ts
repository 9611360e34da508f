import { createHash } from "node:crypto";
import { join } from "node:path";

export type Paths = ReturnType<typeof pathsIn>;

/** Where Parley keeps its state: `PARLEY_HOME`, else the XDG state directory. */
export function homeDir(env: Record<string, string | undefined>): string {
  if (env["PARLEY_HOME"]) return env["PARLEY_HOME"];
  const state = env["XDG_STATE_HOME"] || join(env["HOME"] || "/", ".local", "state");
  return join(state, "parley");
}

export function pathsIn(home: string) {
  return {
    home,
    database: join(home, "parley.db"),
    lock: join(home, "daemon.lock"),
    registration: join(home, "daemon.json"),
    log: join(home, "daemon.log"),
    /** What hooks call; stays the same when Parley itself moves or is updated. */
    program: join(home, "bin", "parley"),
    socket: socketIn(home),
  };
}

/** The kernel takes at most 104 (macOS) or 108 bytes of socket path; a longer home gets a private place in /tmp. */
function socketIn(home: string): string {
  const path = join(home, "daemon.sock");
  if (Buffer.byteLength(path) < 104) return path;
  const name = createHash("sha256").update(home).digest("hex").slice(0, 16);
  return join("/tmp", `parley-${process.getuid?.() ?? 0}-${name}`, "daemon.sock");
}
