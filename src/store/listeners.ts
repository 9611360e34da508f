import type { LogEvent } from "../core/ask/event.ts";
import type { Store } from "./store.ts";

/** Who hears of what was committed. */
export function createListeners(): Pick<Store, "onCommit"> & { tell(events: readonly LogEvent[]): void } {
  const listeners = new Set<(events: readonly LogEvent[]) => void>();
  return {
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(events) {
      if (events.length === 0) return;
      for (const listener of listeners)
        try {
          listener(events);
        } catch (error) {
          // It is on disk, whatever became of a listener: the others hear of it, and its own error ends nothing here.
          setImmediate(() => {
            throw error;
          });
        }
    },
  };
}
