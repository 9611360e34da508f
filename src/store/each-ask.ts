import type { Ask, AskState } from "../core/ask/ask.ts";
import type { Store } from "./store.ts";

const PAGE = 20;

/**
 * All Asks in these states, oldest first. In pages, with room for others between them: a store full of giant questions
 * must neither fill the memory nor keep a hook waiting.
 * Behind the Ask `from` where that is given.
 */
export async function* eachAsk(store: Store, states: readonly AskState[], from?: string): AsyncGenerator<Ask> {
  for (let after = from; ;) {
    const page = await store.list({ states, limit: PAGE, ...(after !== undefined && { after }) });
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined || page.length < PAGE) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
