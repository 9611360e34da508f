import { writeSync } from "node:fs";
import { startDaemon } from "./daemon/daemon.ts";
import { createLog } from "./daemon/log.ts";
import { ERRORS, ParleyError } from "./core/error.ts";
import { homeDir, pathsIn } from "./machine/home.ts";
import { openSqlite } from "./store/sqlite.ts";
import { pageFiles } from "./surfaces/web/bundle.ts";

type Options = {
  env: Record<string, string | undefined>;
  version: string;
  /** Started by the program itself: what goes wrong is for the log. */
  detached: boolean;
  up: (url: string) => void;
};

/** The daemon in this process, until it is told to end. Undefined: another one has this home. */
export async function serve({ env, version, detached, up }: Options): Promise<number | undefined> {
  process.umask(0o077);
  const paths = pathsIn(homeDir(env));
  const now = () => Date.now();
  const log = createLog((line) => writeSync(2, line), now);
  try {
    const daemon = await startDaemon({
      paths,
      version,
      byHand: !detached,
      port: portIn(env),
      openStore: openSqlite,
      pageFiles,
      now,
      log,
    });
    if (!daemon) return undefined;
    // What goes wrong in the background must not end the daemon for everybody.
    process.on("unhandledRejection", (error) => log("error", "unhandled", { error: String(error) }));
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => daemon.stop(false));
    up(`http://127.0.0.1:${daemon.registration.port}`);
    await daemon.ended;
    return 0;
  } catch (error) {
    if (!detached) throw error;
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
