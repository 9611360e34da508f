import { existsSync, readFileSync } from "node:fs";
import { daemonEnv, startDaemon, type StartResult } from "../../client/start-daemon.ts";
import { isUp } from "../../client/wire.ts";
import type { Paths } from "../../machine/home.ts";
import { runQuietly } from "../../machine/service/run-quietly.ts";
import { type Service, serviceOn } from "../../machine/service/service.ts";

type Env = Record<string, string | undefined>;
/** What a login gives by itself, another time another value. */
const OF_A_LOGIN = new Set([
  "HOME",
  "USER",
  "LOGNAME",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "DISPLAY",
  "WAYLAND_DISPLAY",
]);

/** The service that would run this Parley. Undefined: Parley knows none of this system. */
export function serviceOf({ program }: Paths, env: Env): Service | undefined {
  const given = Object.entries(daemonEnv(env)).filter(([name]) => !OF_A_LOGIN.has(name));
  return serviceOn(process.platform, { program, env, keep: Object.fromEntries(given) });
}

export const textOf = ({ path }: Service): string | undefined =>
  existsSync(path) ? readFileSync(path, "utf8") : undefined;

/** The service that starts this Parley with the system, where one is installed. */
export function installedService(paths: Paths, env: Env): Service | undefined {
  const service = serviceOf(paths, env);
  return service !== undefined && textOf(service)?.includes(paths.program) === true ? service : undefined;
}

/** As `startDaemon`; where a service is installed by it, so that the system goes on keeping it. */
export async function startKept(
  paths: Paths,
  env: Env,
  wish: { patienceMs: number; evenIfStopped: boolean },
): Promise<StartResult> {
  const service = installedService(paths, env);
  if (!service || (await isUp(paths)) || (await runQuietly(service.start, env)) !== undefined)
    return startDaemon(paths, wish);
  // The one it started is on its way, or has met another.
  const until = performance.now() + Math.max(wish.patienceMs, Number(process.env["PARLEY_START_MS"]) || 0);
  while (performance.now() < until) {
    if (await isUp(paths)) return "started";
    await Bun.sleep(20);
  }
  return startDaemon(paths, wish);
}
