/** More than a busy machine takes between two looks; what is beyond it this process slept through, and saw nothing. */
const MOST_MS = 100;
const EVERY_MS = 50;
/** Longer than any span that is measured by it. */
const WATCH_MS = 1000;

/**
 * Milliseconds in which this process was there to see them. A key typed ahead while it was stopped, or not run, is read
 * at the end of that time: by the clock on the wall it would come long after what it is to be kept from appeared.
 * Contract: between two calls at most `MOST_MS` pass, but where it was awake: it looks by itself for a while after each.
 */
export function createAwakeClock(wall: () => number = () => performance.now()): () => number {
  let [counted, last, until] = [0, wall(), 0];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function count(): void {
    const now = wall();
    counted += Math.max(0, Math.min(now - last, MOST_MS));
    last = now;
  }
  function watch(): void {
    timer = undefined;
    count();
    if (counted < until) arm();
  }
  function arm(): void {
    timer ??= setTimeout(watch, EVERY_MS);
    timer.unref?.();
  }
  return () => {
    count();
    until = counted + WATCH_MS;
    arm();
    return counted;
  };
}
