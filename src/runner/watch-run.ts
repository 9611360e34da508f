import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { Headless, StreamItem } from "../agents/agent.ts";
import { createLineCutter } from "../machine/lines.ts";
import { isAlive } from "../machine/process.ts";
import { endRun } from "./end-run.ts";
import { exitOf, type RunExit, type RunFolder, supervisorOf } from "./run-folder.ts";

const EVERY_MS = 150;
const CHUNK = 256 * 1024;
/** A supervisor that was started and never claimed its run has this long. */
const CLAIM_MS = 15_000;

export type RunWatch = { stop(): void; ended: Promise<RunExit> };

/** Reads what a run prints as it grows, from its beginning, until it has ended; also one that an earlier daemon began. */
export function watchRun(
  folder: RunFolder,
  { readStream }: Pick<Headless, "readStream">,
  take: (item: StreamItem) => void,
): RunWatch {
  const { promise: ended, resolve } = Promise.withResolvers<RunExit>();
  const lines = createLineCutter((line) => readStream(line.toString("utf8")).forEach(take));
  const began = performance.now();
  let offset = 0;
  let ending: Promise<void> | undefined;
  let isOver = false;

  function read(): void {
    if (!existsSync(folder.stream)) return;
    const file = openSync(folder.stream, "r");
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (let size = 1; size > 0; offset += size) {
      size = readSync(file, buffer, 0, CHUNK, offset);
      lines.write(buffer.subarray(0, size));
    }
    closeSync(file);
  }

  function look(): void {
    // In this order: what was printed before the end is there when the end is.
    const exit = exitOf(folder) ?? lost();
    read();
    if (!exit) return;
    lines.end();
    stop();
    resolve(exit);
  }

  /**
   * Nobody will write down how it ended: its supervisor is gone, and with it the agent's input and output. Its end is
   * said when nothing of it runs: the next run may follow at once, in the same session.
   */
  function lost(): RunExit | undefined {
    const supervisor = supervisorOf(folder);
    if (supervisor ? isAlive(supervisor) : performance.now() - began < CLAIM_MS) return undefined;
    ending ??= endRun(folder).finally(() => (isOver = true));
    return isOver ? { code: null, signal: null } : undefined;
  }

  const timer = setInterval(look, EVERY_MS);
  const stop = () => clearInterval(timer);
  return { stop, ended };
}
