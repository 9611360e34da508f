import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { createHolds } from "../channel/holds.ts";
import { ParleyError } from "../core/error.ts";
import type { Paths } from "../machine/home.ts";
import { writeLauncher } from "../machine/launcher.ts";
import { makePrivateDir } from "../machine/private-dir.ts";
import { nameProcess } from "../machine/process.ts";
import { readRegistration, type Registration, writeRegistration } from "../machine/registration.ts";
import type { Store } from "../store/store.ts";
import { createDeliver } from "./deliver.ts";
import { createFeed } from "./feed.ts";
import { createHooks } from "./hooks.ts";
import { type Clock, createInbox } from "./inbox.ts";
import { takeLock } from "./lock.ts";
import type { Log } from "./log.ts";
import { createReconciler } from "./reconcile.ts";
import { createRoutes } from "./routes.ts";
import { listen } from "./server.ts";

const SWEEP_MS = 5000;
const DRAIN_MS = 2000;
const DEFAULT_PORT = 4747;
const PORTS_TRIED = 50;
type Options = {
  paths: Paths;
  version: string;
  port: number | undefined;
  openStore: (path: string) => Store;
  now: Clock;
  log: Log;
};
export type Daemon = {
  registration: Registration;
  /** Resolves when it has ended. */ ended: Promise<void>;
  stop: (onPurpose: boolean) => void;
};

/** Undefined: another daemon has this home. */
export async function startDaemon({ paths, version, port, openStore, now, log }: Options): Promise<Daemon | undefined> {
  makePrivateDir(paths.home);
  makePrivateDir(dirname(paths.socket));
  const unlock = takeLock(paths.lock);
  if (!unlock) return undefined;
  const startedAt = now();
  const store = openStore(paths.database);
  await writeLauncher(paths);

  const inbox = createInbox({ store, now });
  const holds = createHolds();
  const deliver = createDeliver({ store, holds });
  const reconciler = createReconciler({ store, inbox, now });
  const hooks = createHooks({ store, inbox, holds, deliver, reconciler, now });
  store.onCommit((events) => {
    const moved = events.filter(({ type }) => ["ask.settled", "ask.ended", "ask.closed"].includes(type));
    for (const ask of new Set(moved.flatMap((event) => event.ask ?? []))) void deliver(ask);
  });

  const registration: Registration = {
    state: "running",
    process: nameProcess(process.pid),
    instance: randomUUID(),
    version,
    port: null,
    socket: paths.socket,
    tokens: readRegistration(paths)?.tokens ?? { agent: token(), human: token() },
  };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const deps = {
    routes: createRoutes({ store, inbox, holds, hooks, now, self: registration, status, stop: () => stop(true) }),
    feed: createFeed(store),
    tokens: registration.tokens,
    log: (message: string, error: unknown) => log("error", message, { error: String(error) }),
  };
  // We hold the lock, so whatever lies there was left by a daemon that is gone.
  rmSync(paths.socket, { force: true });
  const servers = [listen(deps, { via: "socket", path: paths.socket }), listenOnPort(port)];
  registration.port = servers[1]?.port ?? null;
  await writeRegistration(paths, registration);

  await sweep();
  const sweeper = setInterval(() => void sweep(), SWEEP_MS);
  let stopping = false;
  log("info", "started", { pid: process.pid, port: registration.port });
  return { registration, ended, stop };

  function stop(onPurpose: boolean): void {
    if (stopping) return;
    stopping = true;
    log("info", "stopping", { onPurpose });
    clearInterval(sweeper);
    void drain(onPurpose).then(end);
  }

  /** What was accepted is finished and on disk; waiting hooks are told to come back to the next daemon. */
  async function drain(onPurpose: boolean): Promise<void> {
    await writeRegistration(paths, { ...registration, state: onPurpose ? "stopped" : "ended" });
    const finished = Promise.all(servers.map((server) => server.stop()));
    holds.drain();
    await Promise.race([finished, Bun.sleep(DRAIN_MS)]);
    await Promise.all(servers.map((server) => server.stop(true)));
    await store.close();
    rmSync(paths.socket, { force: true });
    unlock?.();
  }

  function sweep(): Promise<void> {
    return reconciler.sweep().catch((error: unknown) => log("error", "sweep failed", { error: String(error) }));
  }

  function listenOnPort(wanted: number | undefined) {
    const first = wanted ?? DEFAULT_PORT;
    for (let offset = 0; ; offset++) {
      try {
        return listen(deps, { via: "port", port: first === 0 ? 0 : first + offset });
      } catch (error) {
        if (wanted !== undefined)
          throw new ParleyError("internal", `Port ${wanted} (PARLEY_PORT) cannot be used: ${String(error)}`, {
            cause: error,
          });
        if (offset === PORTS_TRIED) throw error;
      }
    }
  }

  function status() {
    const { port: bound, socket } = registration;
    const url = bound === null ? null : `http://127.0.0.1:${bound}`;
    return { version, pid: process.pid, port: bound, url, socket, home: paths.home, startedAt };
  }
}

const token = () => randomBytes(24).toString("base64url");
