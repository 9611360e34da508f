import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "../../src/client/client.ts";
import { daemonEnv } from "../../src/client/start-daemon.ts";
import { signal as sendSignal } from "../../src/lab/process-tree.ts";
import { type Paths, pathsIn, readRegistration, type Registration } from "../../src/machine/home.ts";
import { makePrivateDir } from "../../src/machine/file/private-dir.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import { growingPause, PATIENCE_MS } from "../../src/lab/poll.ts";
import { processes, type Running } from "../fault/processes.ts";
import { UNTIL_HEARD } from "../patience.ts";

export type Ran = { code: number; out: string; err: string };
export type RunOptions = { env?: Record<string, string>; stdin?: string; cwd?: string };
export type Program = {
  /** Everything of this program lies below it: `home` (PARLEY_HOME), `user` (HOME and working directory). */
  root: string;
  home: string;
  user: string;
  paths: Paths;
  /** Runs a command to its end. */
  parley(args: string[], options?: RunOptions): Promise<Ran>;
  /** Starts a command that goes on; the caller ends it. */
  spawn(args: string[], options?: RunOptions): Bun.Subprocess<"pipe", "pipe", "pipe">;
  /** Starts the daemon as `parley up` does, and waits until it answers. */
  start(env?: Record<string, string>): Promise<void>;
  client(as?: "human" | "agent"): Client;
  registration(): Registration;
  tokens(): Registration["tokens"];
  /** Of the loopback port. */
  url(): string;
  /** Ends the daemon without a chance to clean up, and waits until it is gone. */
  kill9(): Promise<void>;
  /** Asks the daemon to end (SIGTERM), and waits until it is gone. */
  terminate(): Promise<void>;
  /** Contract: afterwards nothing of this program is left; throws when a process was left besides the daemon, or a token was logged. */
  dispose(): Promise<void>;
};

const repository = join(import.meta.dir, "../..");
const ENGINE = ["BUN_JSC_useDFGJIT", "BUN_JSC_numberOfGCMarkers"];
const PORT_TAKEN = "(PARLEY_PORT) cannot be used";
export const BUN = join(repository, "node_modules/.bin/bun");
/** How people start it from source, with room for more beside it; the suite puts it together once (`scripts/suite/program.ts`). */
export const BUN_COMMAND = [
  BUN,
  "--no-env-file",
  "--config=/dev/null",
  "--tsconfig-override=/dev/null",
  "--no-install",
  process.env["PARLEY_TEST_PROGRAM"] ?? join(repository, "src/main.ts"),
];
const compiled = process.env["PARLEY_TEST_COMPILED"];
/** The program that the tests start. */
export const COMMAND = compiled === undefined ? BUN_COMMAND : [compiled];
/** As the suite starts all of it (`scripts/suite/run-jobs.ts`). */
const AS_TEST = Object.fromEntries(
  ENGINE.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
/** Until the daemon has come up, however busy the machine is. */
export const UNTIL_STARTED = { PARLEY_START_MS: String(PATIENCE_MS) };
// A client in the test's own process starts a daemon with this process's environment.
process.env["PARLEY_PORT"] = "0";
process.env["PARLEY_START_MS"] = UNTIL_STARTED.PARLEY_START_MS;
// The clock of a test is that of its programs; Bun's is UTC in tests, whatever the machine's is.
const TZ = process.env["TZ"] ?? "UTC";
process.env["PARLEY_CONFIG"] = "/dev/null";
process.env["PARLEY_START_MS"] = UNTIL_STARTED.PARLEY_START_MS;

/** The real program, from source, with a home and a port of its own. `command`: a build that is wrong on purpose. */
export function createProgram(command: readonly string[] = COMMAND): Program {
  const root = mkdtempSync(join(tmpdir(), "parley-"));
  const [home, user] = [join(root, "home"), join(root, "user")];
  mkdirSync(user);
  const paths = pathsIn(home);

  const path = process.env["PATH"] ?? "";
  const clean = { PATH: path, HOME: user, LANG: "C.UTF-8", TZ, PARLEY_HOME: home, PARLEY_PORT: "0", ...AS_TEST };

  function spawn(args: string[], { env = {}, stdin, cwd = user }: RunOptions = {}) {
    const own = { ...clean, ...UNTIL_STARTED, ...UNTIL_HEARD };
    const child = Bun.spawn([...command, ...args], { cwd, env: { ...own, ...env }, stdio: ["pipe", "pipe", "pipe"] });
    if (stdin !== undefined) void child.stdin.write(stdin);
    void child.stdin.end();
    return child;
  }

  async function parley(args: string[], options: RunOptions = {}): Promise<Ran> {
    const child = spawn(args, options);
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, out, err };
  }

  /** As `parley up` does it, without a process for it each time. */
  async function serve(env: Record<string, string>): Promise<void> {
    makePrivateDir(home);
    const start = () => {
      const log = openSync(paths.log, "a", 0o600);
      const child = Bun.spawn([...command, "serve", "--detached"], {
        cwd: home,
        env: { ...daemonEnv(env), ...AS_TEST, PARLEY_HOME: home },
        stdio: ["ignore", log, log],
        detached: true,
      });
      closeSync(log);
      child.unref();
      return child;
    };
    let daemon = start();
    const isUp = await holds(async () => {
      if (await answers(paths.socket)) return true;
      const { exitCode, signalCode } = daemon;
      // The port of the one before: it may be a connection's of somebody else for a moment.
      const isTaken = async () => env["PARLEY_PORT"] !== "0" && (await logOf(paths)).includes(PORT_TAKEN);
      if (exitCode !== null && exitCode !== 0 && (await isTaken())) daemon = start();
      else if (exitCode !== null && exitCode !== 0) throw new Error(`exit code ${exitCode}:\n${await logOf(paths)}`);
      // It met another one, on its way up or out.
      if (exitCode === 0 || signalCode !== null) daemon = start();
      return false;
    });
    if (!isUp) throw new Error(`the daemon did not start:\n${await logOf(paths)}`);
  }

  function registration(): Registration {
    const found = readRegistration(paths);
    if (!found) throw new Error(`no daemon was ever started in ${home}`);
    return found;
  }

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const daemon = readRegistration(paths)?.process;
    if (!daemon || !isAlive(daemon)) return;
    sendSignal(daemon.pid, signal);
    if (!(await holds(() => !isAlive(daemon)))) throw new Error(`the daemon (pid ${daemon.pid}) does not end`);
  }

  return {
    root,
    home,
    user,
    paths,
    parley,
    spawn,
    async start(env = {}) {
      if (!existsSync(paths.stopped)) return serve({ ...clean, ...env });
      const { code, err } = await parley(["up"], { env: { ...UNTIL_STARTED, ...env } });
      if (code !== 0) throw new Error(`parley up: exit code ${code}\n${err}${await logOf(paths)}`);
    },
    client: (as = "human") => createClient(paths, { as, command }),
    registration,
    tokens: () => registration().tokens,
    url: () => `http://127.0.0.1:${registration().port}`,
    kill9: () => end("SIGKILL"),
    terminate: () => end("SIGTERM"),
    async dispose() {
      // Of several started at once the last to come may find the lock free again.
      let left: Running[] = [];
      const clean = await holds(async () => (await end("SIGTERM"), (left = processesOf(home)).length === 0));
      for (const { pid } of left) sendSignal(pid, "SIGKILL");
      const log = await logOf(paths);
      const told = Object.values(readRegistration(paths)?.tokens ?? {}).some((token) => log.includes(token));
      rmSync(root, { recursive: true, force: true });
      if (told) throw new Error("a token is in the daemon's log");
      if (!clean)
        throw new Error(
          `left behind:\n${left.map(({ pid, command }) => `${pid} ${command.slice(0, 300)}`).join("\n")}`,
        );
    },
  };
}

/** On a connection of its own: one that is kept would go past whoever stands on the socket later. */
async function answers(socket: string): Promise<boolean> {
  try {
    const options = { unix: socket, keepalive: false, signal: AbortSignal.timeout(1000) };
    return (await fetch("http://localhost/health", options)).ok;
  } catch {
    return false;
  }
}

/** Looks until it is so; false when it does not become so in time. */
export async function holds(look: () => boolean | Promise<boolean>): Promise<boolean> {
  const pause = growingPause();
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause())
    if (await look()) return true;
  return false;
}

/** Whatever was started for this home carries its name in the environment. */
const processesOf = (home: string) => processes().filter(({ env }) => env.includes(`PARLEY_HOME=${home}`));

async function logOf({ log }: Paths): Promise<string> {
  return Bun.file(log)
    .text()
    .catch(() => "");
}
