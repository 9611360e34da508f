export type Waits = ReturnType<typeof createWaits>;

/**
 * How long something still has to wait that is due at a time of the clock. A clock that is set back makes nobody wait
 * longer: while we run the time that passes counts, and no wait is longer than it was when it began. One that is set
 * ahead, or a machine that slept, ends it at once.
 */
export function createWaits(now: () => number) {
  /** `end` is of the clock that never jumps. */
  const known = new Map<string, { due: number; end: number }>();
  return {
    /** `from`: when the wait began, by the same clock as `due`. Zero or less: it is over. */
    left(name: string, due: number, from = -Infinity): number {
      const passing = performance.now();
      const before = known.get(name);
      const fresh = passing + Math.min(due - now(), due - from);
      const end = before?.due === due ? Math.min(before.end, fresh) : fresh;
      known.set(name, { due, end });
      return end - passing;
    },
    drop: (name: string): void => void known.delete(name),
    clear: (): void => known.clear(),
  };
}
