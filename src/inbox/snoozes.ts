import { GIVES_OUTCOME } from "../core/ask/event-lists.ts";
import { eachAsk } from "../store/each-ask.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./inbox.ts";

/** Which open Asks are put aside, and until when: they do not count as waiting. */
export function createSnoozes({ store, now }: { store: Store; now: Clock }) {
  const until = new Map<string, number>();
  let known: Promise<void> | undefined;
  store.onCommit((events) => {
    for (const { type, ask, data } of events) {
      if (ask === undefined) continue;
      if (type === "ask.snoozed") until.set(ask, Number(data["until"]));
      if (GIVES_OUTCOME.has(type)) until.delete(ask);
    }
  });

  async function read(): Promise<void> {
    for await (const { id, snoozedUntil } of eachAsk(store, ["open"]))
      if (snoozedUntil !== undefined && !until.has(id)) until.set(id, snoozedUntil);
  }

  return {
    async count(): Promise<number> {
      await (known ??= read());
      const at = now();
      for (const [id, time] of until) if (time <= at) until.delete(id);
      return until.size;
    },
  };
}
