import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { createHolds } from "../delivery/holds.ts";
import type { Config } from "../core/config/config.ts";
import { problemLine } from "../core/words/problem-line.ts";
import { ParleyError } from "../core/error.ts";
import { createConfigFiles } from "../machine/settings/config-file.ts";
import { type Paths, readRegistration, type Registration } from "../machine/home.ts";
import { writeLauncher } from "../machine/program/launcher.ts";
import { makePrivateDir } from "../machine/file/private-dir.ts";
import { nameProcess } from "../machine/process/process.ts";
import { createTrustedFiles } from "../machine/settings/trusted-files.ts";
import { writeRegistration } from "../machine/program/registration.ts";
import { markStopped, stoppedAt, unmarkStopped } from "../machine/program/stopped.ts";
import type { Engine } from "../store/engine.ts";
import { createAgentSetup } from "./ops/agent-setup.ts";
import { createCallers } from "../inbox/callers.ts";
import { createFeed } from "./http/feed.ts";
import { type Clock, createInbox } from "../inbox/inbox.ts";
import { type Log, withLevel } from "../machine/log.ts";
import { createMetrics } from "./ops/metrics.ts";
import { createNotifications } from "../notify/notifications.ts";
import { createPage, signedIn } from "./http/page.ts";
import type { PageFiles } from "../protocol/page-file.ts";
import { createPageSessions } from "./http/page-session.ts";
import { createRoutes } from "./http/routes/routes.ts";
import { createInsideRules, type Rules } from "./http/container/inside.ts";
import { createInsideDoors } from "./http/container/inside-doors.ts";
import { createContainerDoors } from "./http/container/container-doors.ts";
import { listen } from "./http/server.ts";
import { createSameFile } from "./ops/same-file.ts";
import { tidyHome, tidyLock } from "./ops/tidy-home.ts";
import { createWelcome } from "./ops/welcome.ts";
import { createWorkers } from "./workers.ts";

const [SWEEP_MS, DRAIN_MS, PRUNE_MS, DAY_MS, PORTS_TRIED] = [5000, 2000, 3_600_000, 86_400_000, 50];
type Options = {
  paths: Paths;
  version: string;
  /** A person starts it: what was stopped on purpose may run again. */
  byHand: boolean;
  /** PARLEY_PORT; without it the first free one from `firstPort` on, which is the config's. */
  port: number | undefined;
  firstPort?: number;
  engine: Engine;
  /** The web page, made when somebody first asks for it; without it there is none. */
  pageFiles?: PageFiles;
  now: Clock;
  log: Log;
};
export type Daemon = {
  registration: Registration;
  /** Resolves when it has ended. */ ended: Promise<void>;
  stop: (onPurpose: boolean) => void;
};

/** Undefined: another daemon has this home. */
export async function runDaemon(options: Options): Promise<Daemon | undefined> {
  const { paths, version, byHand, port, engine, now } = options;
  for (const dir of [paths.home, dirname(paths.socket)]) makePrivateDir(dir);
  tidyLock(paths, options.log);
  const unlock = engine.takeLock(paths.lock);
  if (!unlock) return undefined;
  tidyHome(paths, options.log);
  makePrivateDir(paths.brain);
  const [marked, startedAt] = [stoppedAt(paths), now()];
  engine.admin(paths.database).removeUnfinished();
  const store = engine.openStore(paths.database);
  const isHomeOurs = createSameFile(paths.database);
  await writeLauncher(paths);
  // Only now: a hook that starts a daemon from here on starts this one. What was stopped meanwhile stays so.
  if (stoppedAt(paths) === marked) unmarkStopped(paths, { evenIfMeant: byHand });
  const trusted = createTrustedFiles(paths.trusted);
  const config = createConfigFiles({
    trusted,
    env: process.env,
    cwd: process.cwd(),
    problems: (file, found) =>
      log(found.length > 0 ? "warn" : "info", "config", { file, problems: found.map(problemLine) }),
  });
  const log = withLevel(options.log, () => config.latest().log.level);
  const { web, port: configured } = (await config.current()).values;
  const firstPort = options.firstPort ?? configured;
  refuseOpenDoor(web);
  const address = () => config.latest().web.address;
  const inbox = createInbox({ store, now });
  const holds = createHolds();
  const callers = createCallers({ store, home: paths.home, file: paths.agents });
  const doors = createInsideDoors({
    home: paths.home,
    listen: (path, task) => openInside(path, inside(task)),
  });
  const inside = createInsideRules({ store, holds, home: paths.home, now });
  const openInside = (path: string, rules: Rules) => listen(deps, { via: "inside", path, rules });
  const containers = createContainerDoors({ home: paths.home, store, holds, now, log, listen: openInside });
  const common = { store, inbox, config, now, log };
  const workers = createWorkers({ ...common, holds, paths, callers, inside: doors });
  const notifications = createNotifications({
    ...common,
    ledger: engine.openLedger(paths.ledger),
    pairsFile: paths.pairs,
    devicesFile: paths.devices,
    env: process.env,
    digest: workers.digest,
    page: { address, port: () => registration.port, browsers: () => sessions },
  });
  store.onCommit((events) => {
    for (const { seq, type, ask, session } of events) log("debug", "event", { seq, type, ask, session });
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
  const setup = createAgentSetup({ program: paths.program, env: process.env, cwd: paths.home });
  const sessions = createPageSessions({ file: paths.browsers, now });
  const door = {
    tokens: registration.tokens,
    own: web.token,
    address,
    browserOf: (request: Request) => signedIn(request, sessions),
    signedIn(request: Request) {
      const browser = signedIn(request, sessions);
      return browser && sessions.ending(browser);
    },
  };
  const feed = createFeed(store);
  const { promise: started, resolve: isStarted } = Promise.withResolvers<void>();
  const metrics = createMetrics({
    store,
    paths,
    version,
    startedAt,
    now,
    holds,
    feed,
    notifications: notifications.counts,
    failed: (error) => log("error", "metrics failed", { error: String(error) }),
    after: started,
  });
  let [stopping, sweeping, prunedAt] = [false, false, -Infinity];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const ending = new AbortController();
  const deps = {
    routes: createRoutes({
      store,
      inbox,
      holds,
      ...workers,
      config,
      trusted,
      notifications,
      setup,
      sessions,
      pageUrls: () => ({ url: `http://127.0.0.1:${registration.port}`, address: address() }),
      newTokens,
      now,
      self: registration,
      home: paths.home,
      status,
      metrics: () => metrics.text(),
      welcome: createWelcome({ store, inbox, setup, cwd: paths.home, now }),
      stop: () => stop(true),
    }),
    feed,
    door,
    callers,
    remote: workers.remote,
    page: createPage({
      files: options.pageFiles,
      sessions,
      inbox,
      door,
      link: notifications.openLink,
    }),
    fromContainer: containers.rulesFor,
    isFromSandbox: doors.isPeer,
    home: paths.home,
    ending: ending.signal,
    log: (message: string, error: unknown) => log("error", message, { error: String(error) }),
    onRequest: (what: object) => log("debug", "request", { ...what }),
  };
  // We hold the lock, so whatever lies there was left by a daemon that is gone.
  rmSync(paths.socket, { force: true });
  const onPort = listenOnPort(port);
  registration.port = onPort.port ?? null;
  await writeRegistration(paths, registration);
  // Last, because this is where clients look: whoever gets an answer finds the registration with its tokens written.
  const servers = [listen(deps, { via: "socket", path: paths.socket }), onPort];
  await workers.start();
  await containers.start();
  void sweep();
  void workers.rehearse({ engine, ...registration });
  const sweeper = setInterval(() => void sweep(), SWEEP_MS);
  log("info", "started", { version, pid: process.pid, port: registration.port });
  isStarted();
  // Only now: a `parley down` that came too early to reach the socket has left its mark before it looked.
  if (stoppedAt(paths) !== undefined) stop(true);
  return { registration, ended, stop };

  function stop(onPurpose: boolean): void {
    if (stopping) return;
    stopping = true;
    log("info", "stopping", { onPurpose });
    clearInterval(sweeper);
    workers.stop();
    // Whatever cannot be written any more, it ends.
    const failed = (error: unknown) => log("error", "ended badly", { error: String(error) });
    void drain(onPurpose).catch(failed).finally(end);
  }

  /** What was accepted is finished and on disk; waiting hooks come back to the next daemon, whose socket is left to it. */
  async function drain(onPurpose: boolean): Promise<void> {
    if (!isHomeOurs()) return;
    await registerEnd(onPurpose).catch((error) => log("error", "cannot say that it ends", { error: String(error) }));
    const finished = Promise.all([...servers, doors, containers].map((server) => server.stop()));
    holds.drain();
    ending.abort();
    await Promise.race([Promise.all([finished, notifications.stop()]), Bun.sleep(DRAIN_MS)]);
    await Promise.all([...servers, doors, containers].map((server) => server.stop(true)));
    await metrics.stop();
    await store.close();
    rmSync(paths.socket, { force: true });
    unlock?.();
  }

  /** Clients read them from the registration each time; what was copied from it before is worth nothing now. */
  async function newTokens(): Promise<void> {
    const tokens = { agent: token(), human: token() };
    await writeRegistration(paths, { ...registration, tokens });
    Object.assign(registration.tokens, tokens);
  }

  async function registerEnd(onPurpose: boolean): Promise<void> {
    // Whoever stops it has said for how long, and may have been killed meanwhile.
    if (onPurpose && !existsSync(paths.stopped)) markStopped(paths);
    await writeRegistration(paths, { ...registration, state: "ended" });
  }

  async function sweep(): Promise<void> {
    if (!isHomeOurs()) return (log("error", "its files were removed or replaced: it ends"), stop(false));
    void notifications.tick();
    // One after the other: a sweep through much that is open may take longer than the pause between two.
    if (sweeping) return;
    sweeping = true;
    try {
      unmarkStopped(paths, { evenIfMeant: false });
      containers.look();
      await workers.sweep();
      if (performance.now() - prunedAt < PRUNE_MS) return;
      prunedAt = performance.now();
      const { retention, tasks } = config.latest();
      if (retention.days > 0) await store.prune(now() - retention.days * DAY_MS);
      // Not awaited: a sweep does not wait for git.
      if (tasks.worktree_days > 0) void workers.runner.prune(now() - tasks.worktree_days * DAY_MS);
    } catch (error) {
      log("error", "sweep failed", { error: String(error) });
    } finally {
      sweeping = false;
    }
  }

  function listenOnPort(wanted: number | undefined) {
    const first = wanted ?? firstPort;
    for (let offset = 0; ; offset++) {
      try {
        return listen(deps, { via: "port", port: first === 0 ? 0 : first + offset, bind: web.bind });
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

/** Whoever can reach the port can try to come in: beyond this machine only with a token that a person chose. */
function refuseOpenDoor({ bind, token: own }: Config["web"]): void {
  if (own !== "" || ["127.0.0.1", "localhost", "::1"].includes(bind)) return;
  throw new ParleyError(
    "settings",
    `web.bind is ${JSON.stringify(bind)}, which others can reach: set web.token too, or leave it at 127.0.0.1`,
  );
}

const token = () => randomBytes(24).toString("base64url");
