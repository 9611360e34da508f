import type { Ask } from "../core/ask/ask.ts";
import type { AskEvent } from "../core/ask/event.ts";
import { GIVES_OUTCOME } from "../core/ask/event-lists.ts";
import type { Store } from "../store/store.ts";

export type Askers = ReturnType<typeof createAskers>;

/** Whoever asked has the outcome. */
export const TAKEN: readonly AskEvent[] = [
  { type: "ask.sent", key: "fetch", channel: "fetch" },
  { type: "ask.verified", key: "fetch", detail: "taken by the asker" },
];

/** Who asked through the API and waits for the answer right now. */
export function createAskers(store: Store) {
  const waiting = new Map<string, Set<() => void>>();
  store.onCommit((events) => {
    for (const { ask, type } of events)
      if (ask !== undefined && GIVES_OUTCOME.has(type)) for (const wake of waiting.get(ask) ?? []) wake();
  });

  return {
    areWaiting: (ask: string): boolean => waiting.has(ask),
    /** The Ask as it is once it has an outcome, or the time is over. Listens before it looks, so that no settlement falls between. */
    async settledWithin(id: string, ms: number, gone: AbortSignal): Promise<Ask | undefined> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      const mine = waiting.get(id) ?? new Set();
      waiting.set(id, mine.add(wake));
      const timer = setTimeout(wake, ms);
      gone.addEventListener("abort", wake, { once: true });
      // One that was aborted before says nothing any more.
      if (gone.aborted || (await store.ask(id))?.outcome) wake();
      await promise.finally(() => {
        clearTimeout(timer);
        gone.removeEventListener("abort", wake);
        mine.delete(wake);
        if (mine.size === 0) waiting.delete(id);
      });
      return store.ask(id);
    },
  };
}
