import type { Ask } from "../core/ask/ask.ts";
import type { Store } from "../store/store.ts";

/**
 * Asks as they are now, read once and again only when something has happened to them: a crowd that waits is looked at
 * after every message. Contract: never older than the last commit before the call.
 */
export function createKnownAsks(store: Store) {
  const known = new Map<string, Ask | undefined>();
  const changes = new Map<string, number>();
  const off = store.onCommit((events) => {
    for (const { ask } of events)
      if (ask !== undefined) {
        known.delete(ask);
        if (changes.has(ask)) changes.set(ask, (changes.get(ask) ?? 0) + 1);
      }
  });
  return {
    async ask(id: string): Promise<Ask | undefined> {
      if (known.has(id)) return known.get(id);
      const before = changes.get(id) ?? 0;
      changes.set(id, before);
      const found = await store.ask(id);
      // Something came between: what was read may be older than that.
      if (found && changes.get(id) === before) known.set(id, found);
      return found;
    },
    /** Of the others nothing is kept. */
    only(ids: ReadonlySet<string>): void {
      for (const id of changes.keys())
        if (!ids.has(id)) {
          changes.delete(id);
          known.delete(id);
        }
    },
    stop: off,
  };
}
