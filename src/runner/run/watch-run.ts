import { appendFileSync, closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import type { Headless, StreamItem } from "../../agents/capability/headless.ts";
import { createLineCutter } from "../../machine/file/lines.ts";
import { isAlive } from "../../machine/process/process.ts";
import { isPassing } from "../../machine/time/patience.ts";
import { revokeRun, supervisorOf, tryClaim } from "./claim.ts";
import { endRun } from "./end-run.ts";
import { exitOf, NOT_STARTED, type RunExit, type RunFolder, writeWhole } from "./run-folder.ts";

const EVERY_MS = 150;
const CHUNK = 256 * 1024;
/** At once; an agent, or a daemon that was away, may have left hundreds of megabytes. */
const MOST_CHUNKS = 8;
/** A supervisor that was started and has not claimed its run has this long. */
const CLAIM_MS = 15_000;
const NOBODY_CAME = `Nothing picked up this run within ${CLAIM_MS / 1000} seconds.\n`;

export type RunWatch = { stop(): void; ended: Promise<RunExit> };

/**
 * Reads what a run prints as it grows, from its beginning, until it has ended; also one that an earlier daemon began.
 * Without a reader only its end is waited for.
 */
export function watchRun(
  folder: RunFolder,
  reader?: Pick<Headless, "readStream">,
  take: (item: StreamItem) => void = () => undefined,
  /** All that was printed so far has been taken. */
  caughtUp: () => void = () => undefined,
): RunWatch {
  const { promise: ended, resolve } = Promise.withResolvers<RunExit>();
  const lines = createLineCutter((line) => reader?.readStream(line.toString("utf8")).forEach(take));
  const wasThere = existsSync(folder.path);
  let looked = performance.now();
  let waited = 0;
  let offset = 0;
  let ending: Promise<void> | undefined;
  let isOver = false;
  let isRevoked = false;
  let isFull = false;
  let next: ReturnType<typeof setImmediate> | undefined;

  /** True: there is more than others should have to wait for. */
  function read(): boolean {
    const file = reader && openStream();
    if (file === undefined) return false;
    const buffer = Buffer.allocUnsafe(CHUNK);
    let size = CHUNK;
    try {
      for (let chunks = 0; size > 0 && chunks < MOST_CHUNKS; chunks++, offset += size) {
        size = readSync(file, buffer, 0, CHUNK, offset);
        lines.write(buffer.subarray(0, size));
      }
    } finally {
      closeSync(file);
    }
    return size > 0;
  }

  /** Undefined: there is none, or none that can be read. It is looked at by a timer: what is thrown there would fill the log. */
  function openStream(): number | undefined {
    try {
      return statSync(folder.stream).isFile() ? openSync(folder.stream, "r") : undefined;
    } catch {
      return undefined;
    }
  }

  function look(): void {
    // In this order: what was printed before the end is there when the end is.
    const exit = exitOf(folder) ?? (isGone() ? { code: null, signal: null } : lost());
    clearImmediate(next);
    if (read()) return void (next = setImmediate(look));
    caughtUp();
    if (!exit) return;
    lines.end();
    stop();
    resolve(exit);
  }

  /** Its task was removed, and everything of it. */
  const isGone = () => wasThere && !existsSync(folder.path);

  /**
   * Nobody will write down how it ended: its supervisor is gone, and with it the agent's input and output, or none came.
   * Its end is said when nothing of it runs: the next run may follow at once, in the same session.
   */
  function lost(): RunExit | undefined {
    const supervisor = supervisorOf(folder);
    if (supervisor ? isAlive(supervisor) : !isNobodys()) return undefined;
    const exit = { code: isRevoked ? NOT_STARTED : null, signal: null };
    ending ??= endRun(folder).then(
      () => (writeEnd(exit), (isOver = true), undefined),
      () => (ending = undefined),
    );
    return isOver ? exit : undefined;
  }

  /** Contract: when it says so, a supervisor that comes later does nothing. */
  function isNobodys(): boolean {
    const now = performance.now();
    // A machine, or a daemon, that was stopped for a while says nothing about a supervisor that was stopped with it.
    waited += Math.min(now - looked, 2 * EVERY_MS);
    looked = now;
    if (waited < CLAIM_MS || isRevoked) return isRevoked;
    try {
      if (isFull) {
        tryClaim(folder);
        [waited, isFull] = [0, false];
      } else isRevoked = revokeRun(folder) || supervisorOf(folder) === undefined;
    } catch (error) {
      // As on a full disk: no supervisor could claim it either. Once there is room it has all its time again.
      // What does not pass, as a file in the place of its folder, keeps every supervisor away for good.
      if (isPassing(error)) isFull = true;
      else isRevoked = true;
    }
    return isRevoked;
  }

  /** For whoever looks later: nothing of it is left to end. */
  function writeEnd(exit: RunExit): void {
    try {
      if (isRevoked) appendFileSync(folder.errors, NOBODY_CAME, { mode: 0o600 });
      writeWhole(folder.exit, exit);
    } catch {
      // Then its processes are looked for once more.
    }
  }

  const timer = setInterval(look, EVERY_MS);
  const stop = () => {
    clearInterval(timer);
    clearImmediate(next);
  };
  return { stop, ended };
}
