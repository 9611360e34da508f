export type Dues = ReturnType<typeof createDues>;

/** A clock is not set ahead by less; who waits is late by that at most. */
const JUMP_MS = 20;

/**
 * What is due when, the earliest at hand: a crowd that waits costs nothing until one of it is due. Set back or ahead, the
 * clock does to a wait what it does in waits.ts.
 */
export function createDues(now: () => number) {
  /** `end` is of the clock that never jumps. */
  type Entry = { name: string; due: number; end: number; order: number; isTaken: boolean };
  const known = new Map<string, Entry>();
  /** A binary heap by `end`; what is not the one known by its name any more is passed over. */
  let heap: Entry[] = [];
  const drift = () => now() - performance.now();
  let seen = drift();
  let names = 0;

  function push(entry: Entry): void {
    let at = heap.push(entry) - 1;
    for (let up = (at - 1) >> 1; at > 0 && endAt(up) > entry.end; up = (at - 1) >> 1) {
      heap[at] = heap[up] as Entry;
      at = up;
    }
    heap[at] = entry;
  }

  function pop(): void {
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least = endAt(right) < endAt(left) ? right : left;
      if (endAt(least) >= last.end) break;
      heap[at] = heap[least] as Entry;
      at = least;
    }
    heap[at] = last;
  }

  const endAt = (at: number): number => heap[at]?.end ?? Infinity;

  function earliest(): Entry | undefined {
    followClock();
    for (let first = heap[0]; first; first = heap[0]) {
      if (known.get(first.name) === first && !first.isTaken) return first;
      pop();
    }
    return undefined;
  }

  /** Set ahead, it ends every wait so much sooner; set back, it prolongs none. */
  function followClock(): void {
    const current = drift();
    if (current <= seen + JUMP_MS) {
      seen = Math.min(seen, current);
      return;
    }
    seen = current;
    const waiting = heap.filter((entry) => known.get(entry.name) === entry);
    heap = [];
    for (const entry of waiting) push(Object.assign(entry, { end: Math.min(entry.end, entry.due - current) }));
  }

  return {
    /** `from`: when the wait began, by the same clock as `due`. Answers what is left of it; zero or less: it is over. */
    set(name: string, due: number, from = -Infinity): number {
      const passing = performance.now();
      const before = known.get(name);
      const fresh = passing + Math.min(due - now(), due - from);
      const end = before?.due === due ? Math.min(before.end, fresh) : fresh;
      if (before && before.due === due && before.end === end && !before.isTaken) return end - passing;
      const entry = { name, due, end, order: before?.order ?? names++, isTaken: false };
      known.set(name, entry);
      if (end !== Infinity) push(entry);
      return end - passing;
    },
    /** Not due before it is set again; how long it has waited is not forgotten. */
    rest(name: string): void {
      const entry = known.get(name);
      if (entry) entry.isTaken = true;
    },
    drop: (name: string): void => void known.delete(name),
    /** Those whose time has come, each once until it is set again; in the order in which they were first known. */
    take(): string[] {
      const taken: Entry[] = [];
      for (let first = earliest(); first && first.end <= performance.now(); first = earliest()) {
        taken.push(first);
        first.isTaken = true;
        pop();
      }
      return taken.toSorted((a, b) => a.order - b.order).map(({ name }) => name);
    },
    /** Until the next one. */
    left: (): number => (earliest()?.end ?? Infinity) - performance.now(),
  };
}
