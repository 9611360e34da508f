import { readFileSync, statSync } from "node:fs";
import { writeAtomic } from "../file/atomic-file.ts";
import { isAlive, type ProcessName } from "./process.ts";

/** A process that runs an agent's session. */
export type KnownAgent = ProcessName & { session: string };

/** Far more than all processes of a machine take. */
const LARGEST = 64 * 1024 * 1024;

/** Those that still live. None when there is no such file, or it cannot be read. */
export function readKnownAgents(path: string): KnownAgent[] {
  try {
    const file = statSync(path);
    if (!file.isFile() || file.size > LARGEST) return [];
    const found: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(found) ? (found as KnownAgent[]).filter(isAlive) : [];
  } catch {
    return [];
  }
}

export async function writeKnownAgents(path: string, agents: readonly KnownAgent[]): Promise<void> {
  await writeAtomic(path, `${JSON.stringify(agents)}\n`, { mode: 0o600, own: true });
}
