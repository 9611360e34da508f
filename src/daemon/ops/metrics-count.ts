import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LogEvent } from "../../core/ask/event.ts";
import { writeAtomic } from "../../machine/file/atomic-file.ts";
import type { Paths } from "../../machine/home.ts";
import type { Store } from "../../store/store.ts";
import { count, emptyTally, Tally } from "./metrics-tally.ts";

const PAGE = 500;
const SAVE_MS = 60_000;
type Deps = {
  store: Store;
  paths: Paths;
  failed: (error: unknown) => void;
  /** What comes first: whoever waits for the daemon does not wait for a long log. */
  after?: Promise<void>;
};

/**
 * Keeps the tally of the log as it grows. It begins where the file ends that an earlier daemon left, and reads what
 * is missing in pages, so that requests come through between them.
 */
export function startCounting({ store, paths, failed, after }: Deps) {
  const path = join(paths.home, "metrics.json");
  let tally = emptyTally();
  let isCaughtUp = false;
  let isStopped = false;
  const { promise: stopped, resolve: end } = Promise.withResolvers<void>();
  let savedSeq = 0;
  /** Committed while the log was being read. */
  const later: LogEvent[] = [];
  const off = store.onCommit((events) => {
    if (!isCaughtUp) later.push(...events);
    else countAll(events);
  });
  const caughtUp = catchUp().catch(failed);
  const saver = setInterval(() => void save().catch(failed), SAVE_MS);

  /** Nobody else who listens may miss a commit because of this. */
  function countAll(events: readonly LogEvent[]): void {
    for (const event of events)
      try {
        count(tally, event);
      } catch (error) {
        failed(error);
      }
  }

  async function catchUp(): Promise<void> {
    await Promise.race([after, stopped]);
    if (isStopped) return;
    tally = await savedTally(path, identityOf(paths.database), store);
    savedSeq = tally.seq;
    while (!isStopped) {
      const events = await store.events({ after: tally.seq, limit: PAGE });
      countAll(events);
      if (events.length === 0) break;
      await Bun.sleep(0);
    }
    if (isStopped) return;
    countAll(later.splice(0));
    isCaughtUp = true;
  }

  async function save(): Promise<void> {
    if (tally.seq === savedSeq) return;
    savedSeq = tally.seq;
    await writeAtomic(path, JSON.stringify(tally), { mode: 0o600 });
  }

  return {
    /** Undefined while a long log is still being counted. */
    now: () => (isCaughtUp ? tally : undefined),
    async stop(): Promise<void> {
      isStopped = true;
      end();
      off();
      clearInterval(saver);
      await caughtUp;
      await save().catch(failed);
    },
  };
}

/** A count that is damaged, or of another database, is worth nothing: the log is counted anew. */
async function savedTally(path: string, database: string, store: Store): Promise<Tally> {
  try {
    const saved = Tally.parse(JSON.parse(readFileSync(path, "utf8")));
    const [event] = await store.events({ after: saved.seq - 1, limit: 1 });
    const isThere = event?.seq === saved.seq;
    // Of the same file the last event may have been pruned.
    if (isThere ? event.at === saved.at : saved.database === database) return { ...saved, database };
  } catch {
    // None yet, or one that cannot be read.
  }
  return emptyTally(database);
}

/** The file itself, not its name: a backup may have taken its place. */
function identityOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  return `${file?.ino} ${file?.birthtimeMs}`;
}
