import type { Database } from "bun:sqlite";

const QUIET_MS = 250;
/** Pages. Under constant load the write-ahead log gets so long (40 MB), and then a commit pays for it. */
export const LONGEST_WAL = 10_000;

/**
 * Moves what was written from the write-ahead log into the database while nobody waits. By itself SQLite does it inside
 * a commit, every thousand pages: with a hundred agents several times a second, and everybody waits for it.
 */
export function createCheckpoints(db: Database) {
  let writtenAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function look(): void {
    timer = undefined;
    const left = writtenAt + QUIET_MS - performance.now();
    if (left > 0) return lookIn(left);
    try {
      db.run("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // A full disk, a reader: nothing is lost, and the next one is as good.
    }
  }

  function lookIn(ms: number): void {
    timer = setTimeout(look, ms);
    timer.unref();
  }

  return {
    written(): void {
      writtenAt = performance.now();
      if (!timer) lookIn(QUIET_MS);
    },
    stop: (): void => clearTimeout(timer),
  };
}
