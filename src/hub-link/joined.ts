import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { Trust } from "../core/hub-trust.ts";
import { writeAtomic } from "../machine/file/atomic-file.ts";
import type { LeftOut } from "./without.ts";

/** Which hub this machine has joined, as what, and what of it is shared. */
export type Joined = {
  url: string;
  machine: { id: string; name: string };
  token: string;
  projects: string[];
  joinedAt: number;
  /** Certificates of the authority that the hub's is from, where no system knows it. */
  ca?: string;
  /** Whose signatures count here, and what this machine demands of answers. */
  trust?: Trust;
  /** What is not told of a question. */
  without?: LeftOut[];
  /** Its person lets members of the hub give work in these projects. */
  tasks?: true;
  /** It came with the token of a job, and ends with this daemon. */
  job?: true;
  /** Where its log was then: what came later is told, also what ended before the first connection. */
  from?: number;
};

/** Its shape was looked at when the daemon started. */
export function readJoined(file: string): Joined | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Joined;
  } catch {
    return undefined;
  }
}

/** Undefined: none any more. */
export async function keepJoined(file: string, joined: Joined | undefined): Promise<void> {
  if (joined) await writeAtomic(file, JSON.stringify(joined), { mode: 0o600, own: true });
  else await rm(file, { force: true });
}
