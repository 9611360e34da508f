import type { AskView } from "../../../protocol/view.ts";

type Known = Pick<AskView, "id" | "version" | "outcome">;

/** Of those that have ended, so many stay known, the last that changed: a page may be open for weeks. */
export const MOST_ENDED = 500;

/** Contract: a new map; nothing open is forgotten, and nothing that `stays`. Whoever looks at an older one asks for it again. */
export function withAsks<Ask extends Known>(
  known: ReadonlyMap<string, Ask>,
  views: readonly Ask[],
  stays: (id: string) => boolean = () => false,
): Map<string, Ask> {
  const asks = new Map(known);
  for (const view of views) {
    const before = asks.get(view.id);
    if (before && before.version > view.version) continue;
    // It stands last again.
    asks.delete(view.id);
    asks.set(view.id, view);
  }
  if (asks.size <= MOST_ENDED) return asks;
  const ended = [...asks.values()].filter(({ outcome }) => outcome !== undefined);
  for (const { id } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) if (!stays(id)) asks.delete(id);
  return asks;
}
