import { isSnoozed } from "../../core/ask/ask-state.ts";
import type { AskView } from "../../protocol/view.ts";

export type AskList = ReturnType<typeof createAskList>;
type Name = "waiting" | "settled";
type Entry = { ask: AskView; searched: string };

/** Characters of one question that the filter looks at. */
const LONGEST_SEARCHED = 400;
/** So many of those that are over stay known, the newest: an inbox may be open for weeks. A few more, and the oldest are forgotten together. */
export const MOST_SETTLED = 500;
const SOME_MORE = 100;

/**
 * Every Ask the inbox knows, in the order it shows them. Contract: an older version never replaces a newer one, whatever
 * order pages and live events come in; a list is the same array until something in it changes.
 */
export function createAskList({ now }: { now: () => number }) {
  const asks = new Map<string, Entry>();
  const sorted = new Map<Name, { entries: readonly Entry[]; until: number }>();
  const shown = new Map<string, readonly AskView[]>();
  let over = 0;

  /** Contract: nothing that waits is forgotten. */
  function forgetOldest(): void {
    if (over <= MOST_SETTLED + SOME_MORE) return;
    const oldest = [...asks.values()].filter(({ ask }) => ask.state !== "open").toSorted(newestSettled);
    for (const { ask } of oldest.slice(MOST_SETTLED)) asks.delete(ask.id);
    over = MOST_SETTLED;
  }

  function entriesOf(name: Name): readonly Entry[] {
    const at = now();
    const known = sorted.get(name);
    if (known && at < known.until) return known.entries;
    shown.clear();
    const isWaiting = name === "waiting";
    const found = [...asks.values()].filter(({ ask }) => (ask.state === "open") === isWaiting);
    const entries = found.toSorted(isWaiting ? longestWaiting(at) : newestSettled);
    // One that was snoozed comes back by itself.
    sorted.set(name, { entries, until: isWaiting ? nextReturn(entries, at) : Number.POSITIVE_INFINITY });
    return entries;
  }

  function listOf(name: Name, filter: string): readonly AskView[] {
    const entries = entriesOf(name);
    const key = `${name} ${filter}`;
    const known = shown.get(key);
    if (known) return known;
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = entries.filter(({ searched }) => words.every((word) => searched.includes(word)));
    const list = fitting.map(({ ask }) => ask);
    shown.set(key, list);
    return list;
  }

  function changed(): void {
    sorted.clear();
    shown.clear();
  }

  return {
    get: (id: string) => asks.get(id)?.ask,
    put(ask: AskView): void {
      const known = asks.get(ask.id);
      if (known && known.ask.version > ask.version) return;
      over += Number(ask.state !== "open") - Number(known !== undefined && known.ask.state !== "open");
      asks.set(ask.id, { ask, searched: known?.searched ?? searchedIn(ask) });
      forgetOldest();
      changed();
    },
    remove(id: string): void {
      const known = asks.get(id);
      if (!known) return;
      over -= Number(known.ask.state !== "open");
      asks.delete(id);
      changed();
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

const longestWaiting =
  (now: number) =>
  ({ ask: a }: Entry, { ask: b }: Entry): number =>
    Number(isSnoozed(a, now)) - Number(isSnoozed(b, now)) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

const newestSettled = ({ ask: a }: Entry, { ask: b }: Entry): number =>
  (b.settledAt ?? b.updatedAt) - (a.settledAt ?? a.updatedAt) || (a.id < b.id ? -1 : 1);

/** Snoozed ones stand at the end. */
function nextReturn(entries: readonly Entry[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (let i = entries.length - 1; i >= 0; i--) {
    const ask = entries[i]?.ask;
    if (!ask || !isSnoozed(ask, now)) break;
    next = Math.min(next, ask.snoozedUntil ?? next);
  }
  return next;
}

function searchedIn({ id, kind, origin, agentTitle, questions }: AskView): string {
  const asked = questions.flatMap(({ header, text, title = "" }) => [header, title, text.slice(0, LONGEST_SEARCHED)]);
  return [id, kind, origin.project, origin.sessionTitle, origin.branch, agentTitle, ...asked]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
}
