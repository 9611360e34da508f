import type { Ask } from "../core/ask/ask.ts";
import type { AskView } from "../protocol/view.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import { isShared } from "./is-shared.ts";

const PAGE = 200;
const BYTES_TOGETHER = 1024 * 1024;
/** What is of other projects is passed over in silence, up to here: then it need not be looked through again. */
const SILENT = 2000;

type Deps = {
  store: Store;
  projects: readonly string[];
  view: (ask: Ask) => AskView;
  /** Resolves when the next may be sent: what a hub has on disk it says itself when it is asked again. */
  send: (asks: AskView[], upTo: number | undefined) => Promise<void>;
  /** Where the log was when the machine joined: nothing that came later is left out. */
  from: number | undefined;
  over: AbortSignal;
};

/** Tells a hub what happens to the Asks it may see, from a number of the log on. Contract: ends with the signal, or throws. */
export async function tellAsks(after: number | null, { store, projects, view, send, from, over }: Deps): Promise<void> {
  let news = Promise.withResolvers<void>();
  const leave = store.onCommit(() => news.resolve());
  over.addEventListener("abort", () => news.resolve());
  try {
    // A log that ends before what the hub has seen was put back from a backup.
    const isKnown = after !== null && after <= (await store.lastSeq());
    let read = isKnown ? after : await tellAll();
    for (let told = read; !over.aborted;) {
      news = Promise.withResolvers<void>();
      const events = await store.events({ after: read, limit: PAGE });
      const last = events.at(-1);
      if (!last) {
        if (!over.aborted) await news.promise;
        continue;
      }
      const ids = new Set(events.flatMap(({ ask }) => ask ?? []));
      const asks = await Promise.all([...ids].map((id) => store.ask(id)));
      const shared = await onlyShared(asks.filter((ask) => ask !== undefined));
      read = last.seq;
      if (shared.length === 0 && read - told < SILENT) continue;
      await tell(shared, read);
      told = read;
    }
  } finally {
    leave();
  }

  /** What is open, and what is on its way back. The rest since the machine joined follows from the log. */
  async function tellAll(): Promise<number> {
    const last = await store.lastSeq();
    const upTo = Math.min(last, from ?? last);
    for (let cursor: string | undefined; !over.aborted;) {
      const page = await store.list({
        states: ACTIVE,
        order: "oldest",
        limit: PAGE,
        maxBytes: BYTES_TOGETHER,
        ...(cursor !== undefined && { after: cursor }),
      });
      cursor = page.at(-1)?.id;
      if (cursor === undefined) break;
      await tell(await onlyShared(page), undefined);
    }
    await send([], upTo);
    return upTo;
  }

  async function onlyShared(asks: readonly Ask[]): Promise<Ask[]> {
    const may = await Promise.all(asks.map((ask) => isShared(ask, projects, store)));
    return asks.filter((_, i) => may[i]);
  }

  async function tell(asks: readonly Ask[], upTo: number | undefined): Promise<void> {
    let together: AskView[] = [];
    let bytes = 0;
    for (const ask of asks.map(view)) {
      const size = JSON.stringify(ask).length;
      if (bytes + size > BYTES_TOGETHER && together.length > 0) {
        await send(together, undefined);
        [together, bytes] = [[], 0];
      }
      together.push(ask);
      bytes += size;
    }
    if (together.length > 0 || upTo !== undefined) await send(together, upTo);
  }
}
