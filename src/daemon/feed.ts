import type { LogEvent } from "../core/event.ts";
import type { Store } from "../store/store.ts";

const PAGE = 500;
/** Answers false when it cannot take more: the subscriber is dropped. */
type Send = (events: readonly LogEvent[]) => boolean;
export type Feed = ReturnType<typeof createFeed>;

/** Live events from any point of the log on. Contract: each subscriber gets every event after `after` once, in order. */
export function createFeed(store: Store) {
  const live = new Set<{ send: Send; drop: () => void }>();
  store.onCommit((events) => {
    for (const subscriber of live) if (!subscriber.send(events)) subscriber.drop();
  });

  return {
    subscribe(after: number, send: Send, dropped: () => void): () => void {
      const subscriber = { send, drop: () => (close(), dropped()) };
      let closed = false;
      const close = () => {
        closed = true;
        live.delete(subscriber);
      };
      void catchUp();
      return close;

      async function catchUp(): Promise<void> {
        for (let seq = after; !closed;) {
          const events = await store.events({ after: seq, limit: PAGE });
          const last = events.at(-1);
          if (last && !send(events)) return subscriber.drop();
          seq = last?.seq ?? seq;
          // Nothing ran between the empty read and this line, so no commit can slip through.
          if (events.length < PAGE && seq >= (await store.lastSeq())) return void (closed || live.add(subscriber));
        }
      }
    },
    get size() {
      return live.size;
    },
  };
}
