import type * as ChildProcess from "node:child_process";
import { createRequire } from "node:module";

const MOST_BYTES = 64 * 1024 * 1024;

/** What `ps` prints; nothing where it fails. On Node too. Its module is loaded only now: it takes 3 ms in Bun. */
export function ps(...args: string[]): string {
  const { spawnSync } = createRequire(import.meta.url)("node:child_process") as typeof ChildProcess;
  return spawnSync("ps", args, { encoding: "utf8", maxBuffer: MOST_BYTES }).stdout ?? "";
}
