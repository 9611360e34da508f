/** So many at once: whoever asks something meanwhile waits for one such step, not for a year of history. */
const STEP = 200;

/** An engine's own way to find and remove; `limit` bounds what is found. */
export type Prunable = {
  /** Asks that are done and were settled before. */
  doneAsks(before: number, limit: number): readonly string[] | Promise<readonly string[]>;
  /** With their events, keys, drafts and precedents. */
  removeAsks(ids: readonly string[]): void | Promise<void>;
  /** Sessions that ended before and that no Ask is about. */
  endedSessions(before: number, limit: number): readonly string[] | Promise<readonly string[]>;
  /** With their events. */
  removeSessions(ids: readonly string[]): void | Promise<void>;
};

/** See `StoreUpkeep.prune`. */
export async function pruneInSteps(engine: Prunable, before: number): Promise<number> {
  const removed = await inSteps(() => engine.doneAsks(before, STEP), engine.removeAsks);
  await inSteps(() => engine.endedSessions(before, STEP), engine.removeSessions);
  return removed;
}

async function inSteps(
  find: () => readonly string[] | Promise<readonly string[]>,
  remove: (ids: readonly string[]) => void | Promise<void>,
): Promise<number> {
  for (let removed = 0; ;) {
    const ids = await find();
    if (ids.length === 0) return removed;
    await remove(ids);
    removed += ids.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
