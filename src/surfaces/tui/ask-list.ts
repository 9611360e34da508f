import { isSnoozed } from "../../core/ask/ask-state.ts";
import type { AskView } from "../../protocol/view.ts";
import { isOlder, isWaiting, overAt } from "./hub/hub-ask.ts";

export type AskList = ReturnType<typeof createAskList>;
type Name = "waiting" | "settled";
/** `fixed`: what is searched of it and does not change. */
type Entry = { ask: AskView; fixed: string };
type Deps = {
  now: () => number;
  /** What waits stands in this order, small numbers first, then longest waiting first. */
  order?: (ask: AskView, now: number) => number;
  /** What else is searched, as it is now. */
  more?: (ask: AskView) => string;
  /** When one that waits is in another place, or found by other words, without anybody having changed it. */
  changesAt?: (ask: AskView, now: number) => number | undefined;
};
const whenItReturns = (ask: AskView, now: number) => (isSnoozed(ask, now) ? ask.snoozedUntil : undefined);
const snoozedLast = (ask: AskView, now: number) => Number(isSnoozed(ask, now));

/** Characters of one question that the filter looks at. */
const LONGEST_SEARCHED = 400;
/** So many of those that are over stay known, the newest: an inbox may be open for weeks. A few more, and the oldest are forgotten together. */
export const MOST_SETTLED = 500;
const SOME_MORE = 100;

/**
 * Every Ask the inbox knows, in the order it shows them. Contract: an older version never replaces a newer one, whatever
 * order pages and live events come in; a list is the same array until something in it changes.
 */
export function createAskList({ now, order = snoozedLast, more = () => "", changesAt = whenItReturns }: Deps) {
  const asks = new Map<string, Entry>();
  const sorted = new Map<Name, { entries: readonly Entry[]; until: number }>();
  const shown = new Map<string, readonly AskView[]>();
  let over = 0;

  /** Contract: nothing that waits is forgotten. */
  function forgetOldest(): void {
    if (over <= MOST_SETTLED + SOME_MORE) return;
    const oldest = [...asks.values()].filter(({ ask }) => !isWaiting(ask)).toSorted(newestSettled);
    for (const { ask } of oldest.slice(MOST_SETTLED)) asks.delete(ask.id);
    over = MOST_SETTLED;
  }

  function entriesOf(name: Name): readonly Entry[] {
    const at = now();
    const known = sorted.get(name);
    if (known && at < known.until) return known.entries;
    shown.clear();
    const wanted = name === "waiting";
    const found = [...asks.values()].filter(({ ask }) => isWaiting(ask) === wanted);
    const entries = found.toSorted(wanted ? longestWaiting(at) : newestSettled);
    const changes = wanted ? entries.map(({ ask }) => changesAt(ask, at) ?? Number.POSITIVE_INFINITY) : [];
    const until = changes.reduce((next, each) => Math.min(next, each), Number.POSITIVE_INFINITY);
    sorted.set(name, { entries, until });
    return entries;
  }

  function listOf(name: Name, filter: string): readonly AskView[] {
    const entries = entriesOf(name);
    const key = `${name} ${filter}`;
    const known = shown.get(key);
    if (known) return known;
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ ask, fixed }: Entry) => {
      const searched = `${fixed} ${more(ask).toLowerCase()}`;
      return words.every((word) => searched.includes(word));
    };
    const list = (words.length === 0 ? entries : entries.filter(fits)).map(({ ask }) => ask);
    shown.set(key, list);
    return list;
  }

  const longestWaiting =
    (at: number) =>
    ({ ask: a }: Entry, { ask: b }: Entry): number =>
      order(a, at) - order(b, at) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

  function changed(): void {
    sorted.clear();
    shown.clear();
  }

  function remove(id: string): void {
    const known = asks.get(id);
    if (!known) return;
    over -= Number(!isWaiting(known.ask));
    asks.delete(id);
    changed();
  }

  function put(ask: AskView): void {
    const known = asks.get(ask.id);
    if (known && isOlder(ask, known.ask)) return;
    over += Number(!isWaiting(ask)) - Number(known !== undefined && !isWaiting(known.ask));
    asks.set(ask.id, { ask, fixed: known?.fixed ?? searchedIn(ask) });
    forgetOldest();
    changed();
  }

  return {
    get: (id: string) => asks.get(id)?.ask,
    put,
    remove,
    /** Each as `change` makes it; undefined: it is not there any more. */
    each(change: (ask: AskView) => AskView | undefined): void {
      for (const [id, { ask }] of asks) {
        const next = change(ask);
        if (!next) remove(id);
        else if (next !== ask) put(next);
      }
    },
    waiting: (filter: string) => listOf("waiting", filter),
    settled: (filter: string) => listOf("settled", filter),
    /** How many of them each session has open. */
    waitingOf(): Map<string, number> {
      const counts = new Map<string, number>();
      for (const { origin } of listOf("waiting", ""))
        if (origin.session !== undefined) counts.set(origin.session, (counts.get(origin.session) ?? 0) + 1);
      return counts;
    },
  };
}

const newestSettled = ({ ask: a }: Entry, { ask: b }: Entry): number => overAt(b) - overAt(a) || (a.id < b.id ? -1 : 1);

function searchedIn({ id, kind, origin, agentTitle, questions }: AskView): string {
  const asked = questions.flatMap(({ header, text, title = "" }) => [header, title, text.slice(0, LONGEST_SEARCHED)]);
  return [id, kind, origin.project, origin.sessionTitle, origin.branch, agentTitle, ...asked]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
}
