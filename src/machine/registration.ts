import { readFileSync } from "node:fs";
import { writeAtomic } from "./atomic-file.ts";
import type { Paths } from "./home.ts";
import { isAlive, type ProcessName } from "./process.ts";

/**
 * How clients find the daemon. It stays after the daemon ended, because the tokens must outlive a restart and
 * `stopped` says that nobody may start it again but a person.
 */
export type Registration = {
  state: "running" | "ended" | "stopped";
  process: ProcessName;
  instance: string;
  version: string;
  port: number | null;
  socket: string;
  tokens: { agent: string; human: string };
};

/** Undefined when there is none or it cannot be read: then nothing was ever started here. */
export function readRegistration(paths: Paths): Registration | undefined {
  try {
    const found = JSON.parse(readFileSync(paths.registration, "utf8")) as Registration;
    return typeof found.tokens?.human === "string" && typeof found.tokens.agent === "string" ? found : undefined;
  } catch {
    return undefined;
  }
}

/** A registration left by a killed daemon names a dead process, or a pid that is somebody else's by now. */
export function isStale({ state, process }: Registration): boolean {
  return state === "running" && !isAlive(process);
}

export async function writeRegistration(paths: Paths, registration: Registration): Promise<void> {
  await writeAtomic(paths.registration, `${JSON.stringify(registration, null, 2)}\n`, { mode: 0o600 });
}
