import { pathsIn, readRegistration } from "../../machine/home.ts";
import { selfCommand } from "../../machine/self-command.ts";
import { isAlive } from "../../machine/process/process.ts";
import { stoppedAt } from "../../machine/program/stopped.ts";

const EVERY_MS = 1000;

/** Elsewhere an agent's hooks start the daemon again when it was killed. In a sandbox they cannot: its supervisor does. */
export function keepDaemon(home: string, env: Record<string, string>): void {
  const paths = pathsIn(home);
  let starting: Bun.Subprocess | undefined;
  const timer = setInterval(() => {
    const daemon = readRegistration(paths);
    const isStarting = starting !== undefined && starting.exitCode === null && starting.signalCode === null;
    if (isStarting || !daemon || isAlive(daemon.process) || stoppedAt(paths) !== undefined) return;
    starting = Bun.spawn([...selfCommand(), "ls"], {
      env: { ...env, PARLEY_HOME: home },
      stdio: ["ignore", "ignore", "ignore"],
    });
  }, EVERY_MS);
  timer.unref();
}
