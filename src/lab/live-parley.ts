import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Paths, pathsIn, readRegistration } from "../machine/home.ts";
import { isAlive } from "../machine/process/process.ts";
import { poll } from "./poll.ts";
import { signal } from "./process-tree.ts";

export type Ran = { code: number; out: string; err: string };
export type LiveParley = {
  paths: Paths;
  /** The environment of everything that is to find this Parley. */
  env: Record<string, string>;
  /** A real command, as a person types it. */
  run(args: readonly string[], at: { home: string; cwd: string }): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
};

const START_MS = 20_000;
const END_MS = 5_000;
const COMMAND_MS = 60_000;

/** A Parley with a home and a daemon of its own. `command` starts the program. */
export async function startParley(command: readonly string[], root: string): Promise<LiveParley> {
  const paths = pathsIn(join(root, "parley"));
  const env = { PARLEY_HOME: paths.home, PARLEY_PORT: "0" };
  const clean = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", TMPDIR: root, ...env };
  await mkdir(paths.home, { mode: 0o700 });
  // In a session of its own: Ctrl-C is for the check, which then ends it in the right order.
  const daemon = Bun.spawn([...command, "serve", "--json"], {
    cwd: root,
    env: { ...clean, HOME: root },
    stdio: ["ignore", "pipe", Bun.file(paths.log)],
    detached: true,
  });

  const commands = new Set<Bun.Subprocess>();

  async function end(): Promise<void> {
    // One that nobody waits for any more would go on writing into its home.
    for (const child of commands) child.kill("SIGKILL");
    await Promise.all([...commands].map((child) => child.exited));
    // A hook that is just about to start the next daemon finds that none is wanted.
    writeFileSync(paths.stopped, "", { mode: 0o600 });
    const kill = setTimeout(() => daemon.kill("SIGKILL"), END_MS);
    daemon.kill("SIGTERM");
    await daemon.exited;
    clearTimeout(kill);
    const other = readRegistration(paths)?.process;
    if (other && isAlive(other)) signal(other.pid, "SIGKILL");
    // A home with a long path has its socket elsewhere.
    if (!paths.socket.startsWith(paths.home)) await rm(dirname(paths.socket), { recursive: true, force: true });
  }

  try {
    const isUp = () => (existsSync(paths.socket) && readRegistration(paths)?.state === "running" ? true : undefined);
    await poll(
      () => {
        if (daemon.exitCode !== null) throw new Error(`Parley's daemon did not start: ${lastLine(paths.log)}`);
        return isUp();
      },
      { timeoutMs: START_MS, failure: () => `Parley's daemon did not start within ${START_MS / 1000} s` },
    );
  } catch (problem) {
    await end();
    throw problem;
  }

  return {
    paths,
    env,
    async run(args, { home, cwd }) {
      const child = Bun.spawn([...command, ...args], {
        cwd,
        env: { ...clean, HOME: home },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: COMMAND_MS,
        killSignal: "SIGKILL",
      });
      commands.add(child);
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      commands.delete(child);
      return { code, out, err };
    },
    [Symbol.asyncDispose]: end,
  };
}

function lastLine(path: string): string {
  return readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "";
}
