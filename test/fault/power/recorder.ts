import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { daemonEnv } from "../../../src/client/start-daemon.ts";
import { COMMAND, holds, type Program } from "../../e2e/program.ts";

/** Between what a program asks of the disk and the disk: as long as a fast one takes. */
const SYNC_MS = 2;

/** Why nothing can be recorded here; undefined when it can. */
export function noRecorder(): string | undefined {
  if (process.platform !== "linux") return "seccomp is Linux's";
  return Bun.which("gcc") === null ? "there is no gcc" : undefined;
}

export type Recorder = {
  /** Starts the daemon under it; `command`: another program than the one at hand. */
  start(program: Program, log: string, env: Record<string, string>, command?: string[]): Promise<void>;
  [Symbol.dispose](): void;
};

export function buildRecorder(): Recorder {
  const folder = mkdtempSync(join(tmpdir(), "parley-recorder-"));
  const binary = join(folder, "recorder");
  const { exitCode, stderr } = Bun.spawnSync(["gcc", "-O1", "-o", binary, join(import.meta.dir, "recorder.c")]);
  if (exitCode !== 0) throw new Error(`the recorder was not built: ${stderr.toString()}`);
  chmodSync(folder, 0o755);
  return {
    async start({ root, home, user, paths }, log, env, command = COMMAND) {
      const out = openSync(paths.log, "a", 0o600);
      const recorded = [binary, root, log, String(SYNC_MS), ...command, "serve", "--detached"];
      const all = { PATH: process.env["PATH"] ?? "", HOME: user, LANG: "C.UTF-8", PARLEY_PORT: "0", ...env };
      const child = Bun.spawn(recorded, {
        cwd: home,
        env: { ...daemonEnv(all), PARLEY_HOME: home },
        stdio: ["ignore", out, out],
        detached: true,
      });
      closeSync(out);
      child.unref();
      const isUp = await holds(async () => {
        if (child.exitCode !== null)
          throw new Error(`the recorder ended (${child.exitCode}): ${await Bun.file(paths.log).text()}`);
        return isHealthy(paths.socket);
      });
      if (!isUp) throw new Error(`the daemon did not start: ${await Bun.file(paths.log).text()}`);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Where the log is now: whatever was done before this moment ends there or before. */
export const placeIn = (log: string): number => (existsSync(log) ? statSync(log).size : 0);

async function isHealthy(socket: string): Promise<boolean> {
  try {
    return (await fetch("http://localhost/health", { unix: socket, keepalive: false })).ok;
  } catch {
    return false;
  }
}
