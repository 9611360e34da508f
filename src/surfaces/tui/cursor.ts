export type Row = { id: string };
export type Cursor = ReturnType<typeof createCursor>;

/** So long after another Ask came under the cursor by itself, no key settles it: it was meant for the one before. */
export const GUARD_MS = 300;

/** The selected row of a list that changes under it. Contract: what is selected stays so as long as it is in the list. */
export function createCursor({ now }: { now: () => number }) {
  let id: string | undefined;
  let index = 0;
  let list: readonly Row[] = [];
  let appearedAt = Number.NEGATIVE_INFINITY;

  function select(next: number): void {
    index = Math.max(0, Math.min(next, list.length - 1));
    id = list[index]?.id;
  }

  return {
    get index() {
      return index;
    },
    get id() {
      return id;
    },
    /** Takes the list as it is now. */
    follow(next: readonly Row[]): void {
      if (next === list) return;
      list = next;
      if (list[index]?.id === id && id !== undefined) return;
      const before = id;
      const found = list.findIndex((row) => row.id === id);
      select(found === -1 ? index : found);
      if (id !== before) appearedAt = now();
    },
    move: (by: number) => select(index + by),
    to: (next: number) => select(next),
    /** The row came here by itself a moment ago. */
    isFresh: () => now() - appearedAt < GUARD_MS,
  };
}

/** The first row to draw, so that the selected one is in sight and the view moves as little as it can. */
export function firstShown(first: number, selected: number, room: number, count: number): number {
  const least = Math.max(0, Math.min(first, count - room));
  if (selected < least) return selected;
  return selected >= least + room ? selected - room + 1 : least;
}
