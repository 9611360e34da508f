import type { LogEvent } from "../../core/ask/event.ts";
import type { Store } from "../../store/store.ts";

const PAGE = 100;
export type Feed = ReturnType<typeof createFeed>;

/**
 * Live events from any point of the log on. The log is the only buffer: a subscriber gets the next page when it has
 * taken the one before, so one that does not read costs nothing, holds up nobody, and misses nothing.
 */
export function createFeed(store: Store) {
  const sleepers = new Set<() => void>();
  let commits = 0;
  let shared: { after: number; commits: number; page: Promise<readonly LogEvent[]> } | undefined;
  let readers = 0;
  store.onCommit(() => {
    commits++;
    for (const wake of sleepers) wake();
  });

  return {
    /** Contract: every event after `after` once, in order, until `gone`; an empty page after each silence of `beatMs`. */
    async *read(after: number, gone: AbortSignal, beatMs: number): AsyncGenerator<readonly LogEvent[]> {
      readers++;
      try {
        yield* pages(after, gone, beatMs);
      } finally {
        readers--;
      }
    },
    /** How many are subscribed. */
    get readers() {
      return readers;
    },
    /** How many wait for news right now. */
    get waiting() {
      return sleepers.size;
    },
  };

  async function* pages(after: number, gone: AbortSignal, beatMs: number): AsyncGenerator<readonly LogEvent[]> {
    // Somebody who has seen more than there is had another database: they go on with this one.
    for (let seq = Math.min(after, await store.lastSeq()); !gone.aborted;) {
      const seen = commits;
      const events = await pageAfter(seq);
      const last = events.at(-1);
      if (!last && seen === commits && !gone.aborted) await newsOr(beatMs, gone);
      // Also what was committed while we were reading.
      if (!last && seen !== commits) continue;
      if (last) seq = last.seq;
      if (!gone.aborted) yield events;
    }
  }

  /** Subscribers at the same place share what is read there: what happens is read once, not once for each of them. */
  function pageAfter(after: number): Promise<readonly LogEvent[]> {
    if (shared?.after === after && shared.commits === commits) return shared.page;
    const page = store.events({ after, limit: PAGE });
    shared = { after, commits, page };
    page.catch(() => (shared = undefined));
    return page;
  }

  function newsOr(ms: number, gone: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const timer = setTimeout(wake, ms);
    sleepers.add(wake);
    gone.addEventListener("abort", wake);
    return promise.finally(() => {
      clearTimeout(timer);
      sleepers.delete(wake);
      gone.removeEventListener("abort", wake);
    });
  }
}
