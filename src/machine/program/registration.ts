import { readFileSync, statSync } from "node:fs";
import type { Paths } from "../home.ts";
import type { ProcessName } from "../process/process.ts";

// Hooks load this file: what only a writer needs is loaded when something is written.

/** How clients find the daemon. It stays after the daemon ended, because the tokens must outlive a restart. */
export type Registration = {
  state: "running" | "ended";
  process: ProcessName;
  instance: string;
  version: string;
  port: number | null;
  socket: string;
  tokens: { agent: string; human: string };
};

const LARGEST = 64 * 1024;

/** Undefined when there is none or it cannot be read: then nothing was ever started here. */
export function readRegistration(paths: Paths): Registration | undefined {
  try {
    if (statSync(paths.registration).size > LARGEST) return undefined;
    const found = JSON.parse(readFileSync(paths.registration, "utf8")) as Registration;
    const isWhole = typeof found.tokens.human === "string" && typeof found.tokens.agent === "string";
    return isWhole && typeof found.process.pid === "number" ? found : undefined;
  } catch {
    return undefined;
  }
}

export async function writeRegistration(paths: Paths, registration: Registration): Promise<void> {
  const { writeAtomic } = await import("../file/atomic-file.ts");
  await writeAtomic(paths.registration, `${JSON.stringify(registration, null, 2)}\n`, { mode: 0o600, own: true });
}
