import type { Database } from "bun:sqlite";
import type { CheckpointThread } from "./checkpoint-thread.ts";

const QUIET_MS = 250;
/** Changes without a quiet moment, some ten pages each: then the log is moved by a thread of its own. */
const MANY = 300;
const IDLE_MS = 30_000;
/** Pages. The log gets so long (40 MB) where the thread cannot be had, or does not keep up; then a commit pays for it. */
export const LONGEST_WAL = 10_000;

/**
 * Moves what was written from the write-ahead log into the database while nobody waits. By itself SQLite does it inside
 * a commit, every thousand pages: with a hundred agents several times a second, and everybody waits for it.
 */
export function createCheckpoints(db: Database, thread: CheckpointThread) {
  let writtenAt = 0;
  let unmoved = 0;
  let isPassing = false;
  let isAlone = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function look(): void {
    timer = undefined;
    const left = writtenAt + QUIET_MS - performance.now();
    if (left > 0) return lookIn(left);
    if (thread.isRunning()) void pass();
    else move();
  }

  function lookIn(ms: number): void {
    timer = setTimeout(look, ms);
    timer.unref();
  }

  function move(): void {
    unmoved = 0;
    try {
      db.run("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // A full disk, a reader: nothing is lost, and the next one is as good.
    }
  }

  /** The log begins anew only when all of it was moved, and more was written during each pass: the little that is left is moved here. */
  async function pass(): Promise<void> {
    if (isPassing || isAlone) return;
    isPassing = true;
    clearTimeout(idle);
    try {
      await thread.pass();
      move();
      idle = setTimeout(() => void thread.stop(), IDLE_MS);
      idle.unref();
    } catch {
      isAlone = true;
    } finally {
      isPassing = false;
    }
  }

  return {
    written(changes: number): void {
      writtenAt = performance.now();
      unmoved += changes;
      if (unmoved >= MANY) void pass();
      if (!timer) lookIn(QUIET_MS);
    },
    async stop(): Promise<void> {
      isAlone = true;
      clearTimeout(timer);
      clearTimeout(idle);
      await thread.stop();
    },
  };
}
