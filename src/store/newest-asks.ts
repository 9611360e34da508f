import type { Ask } from "../core/ask/ask.ts";
import type { Store } from "./store.ts";

const PAGE = 200;

/** The newest first, until there is nobody left who could be of interest. */
export async function* newestAsks(
  store: Store,
  isEnough: (ask: Ask) => boolean,
  project?: string,
): AsyncGenerator<Ask> {
  const of = project === undefined ? {} : { project };
  for (let after: string | undefined; ;) {
    const page = await store.list({ order: "newest", limit: PAGE, ...of, ...(after !== undefined && { after }) });
    for (const ask of page) {
      if (isEnough(ask)) return;
      yield ask;
    }
    after = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}
