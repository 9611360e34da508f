type Waiting = { enter: () => void };

/** A bounded number of things at once; the others wait in the order they came. */
export function createPlaces(most: number) {
  const waiting = new Set<Waiting>();
  let taken = 0;

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (taken < most) return void (taken += 1);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const mine = { enter: resolve };
    const leave = () => (waiting.delete(mine), reject(signal.reason as Error));
    waiting.add(mine);
    signal.addEventListener("abort", leave, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** A place is handed on, never free in between. */
  function leave(): void {
    const [next] = waiting;
    if (!next) return void (taken -= 1);
    waiting.delete(next);
    next.enter();
  }

  return {
    /** Contract: who no longer wants to wait rejects with the signal's reason, and takes no place. */
    async within<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
