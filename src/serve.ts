import { writeSync } from "node:fs";
import { startDaemon } from "./daemon/daemon.ts";
import { createLog } from "./daemon/log.ts";
import { ERRORS, ParleyError } from "./core/error.ts";
import { homeDir, pathsIn } from "./machine/home.ts";
import { openSqlite } from "./store/sqlite.ts";

/** `parley serve`: the daemon in the foreground, until it is told to end. */
export async function serve(
  args: readonly string[],
  env: Record<string, string | undefined>,
  version: string,
): Promise<number> {
  process.umask(0o077);
  const paths = pathsIn(homeDir(env));
  const detached = args.includes("--detached");
  const now = () => Date.now();
  const log = createLog((line) => writeSync(2, line), now);
  try {
    const daemon = await startDaemon({ paths, version, port: portIn(env), openStore: openSqlite, now, log });
    if (!daemon) {
      if (!detached) writeSync(2, `Parley already runs for ${paths.home}. See: parley status\n`);
      return 0;
    }
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => daemon.stop(false));
    if (!detached) writeSync(1, `Parley runs at http://127.0.0.1:${daemon.registration.port} (home: ${paths.home})\n`);
    await daemon.ended;
    return 0;
  } catch (error) {
    log("error", "the daemon did not start", { error: error instanceof Error ? error.message : String(error) });
    return error instanceof ParleyError ? ERRORS[error.code].exit : 1;
  }
}

function portIn(env: Record<string, string | undefined>): number | undefined {
  const text = env["PARLEY_PORT"];
  if (text === undefined || text === "") return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new ParleyError("usage", `PARLEY_PORT: a port number is needed, not ${JSON.stringify(text)}`);
}
