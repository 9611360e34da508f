import { endsTask } from "../core/ask/ask-state.ts";
import type { Store } from "../store/store.ts";
import type { Channel } from "./channel.ts";

export type Deliver = (id: string) => Promise<void>;

/** Offers every delivery of an Ask to the channels, the better ones first; the first that can hand it over does. */
export function createDeliver({ store, channels }: { store: Store; channels: readonly Channel[] }): Deliver {
  return async (id) => {
    const ask = await store.ask(id);
    // The runner ends the agent of a cancelled task: one that was told of it first would act on that for a moment.
    if (!ask || endsTask(ask)) return;
    for (const delivery of ask.deliveries) {
      for (const channel of channels) {
        if (!channel.reaches(ask, delivery)) continue;
        if ((await channel.deliver(ask, delivery)) !== "never") break;
      }
    }
    for (const channel of channels) channel.letGo?.(ask);
  };
}
