import { runDaemon } from "./daemon/daemon.ts";
import { leaveAgentsSettings } from "./daemon/ops/outside-settings.ts";
import { createLog } from "./machine/log.ts";
import { createLogFile } from "./daemon/ops/log-file.ts";
import { ERRORS, ParleyError } from "./core/error.ts";
import { LOG_LEVELS } from "./core/config/log-level.ts";
import { orUnwritable } from "./core/unwritable.ts";
import { homeDir, pathsIn } from "./machine/home.ts";
import { sqlite } from "./store/sqlite/engine.ts";

type Options = {
  env: Record<string, string | undefined>;
  version: string;
  /** Started by the program itself: what goes wrong is for the log. */
  detached: boolean;
  /** A person wants it: what was stopped on purpose may run again. */
  byHand: boolean;
  up: (url: string) => void;
};

/** The daemon in this process, until it is told to end. Undefined: another one has this home. */
export async function serve({ env, version, detached, byHand, up }: Options): Promise<number | undefined> {
  process.umask(0o077);
  const paths = pathsIn(homeDir(env));
  await leaveAgentsSettings(env, paths);
  const now = () => Date.now();
  const log = createLog(createLogFile(paths.log, { foreground: !detached }), now);
  const wished = env["PARLEY_LOG"] || "info";
  if (!LOG_LEVELS.some((level) => level === wished))
    log("warn", "PARLEY_LOG: expected debug, info, warn or error; using the settings instead", { found: wished });
  try {
    const daemon = await runDaemon({
      paths,
      version,
      byHand,
      port: portIn(env),
      engine: sqlite,
      pageFiles: async () => (await import("./surfaces/web/bundle.ts")).pageFiles(),
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
  } catch (cause) {
    const error = orUnwritable(cause, paths.home);
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
  throw new ParleyError("usage", `PARLEY_PORT: expected a port number, not ${JSON.stringify(text)}`);
}
