/** Timers cannot wait longer, and do not see the clock being set: then `look` does. */
const LONGEST_MS = 60_000;

export type Alarm = ReturnType<typeof createAlarm>;

/** Calls `ring` with every name whose time has come. */
export function createAlarm(now: () => number, ring: (name: string) => void) {
  const due = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = Infinity;

  function look(): void {
    timerAt = Infinity;
    let next = Infinity;
    for (const [name, at] of due)
      if (at > now()) next = Math.min(next, at);
      else {
        due.delete(name);
        ring(name);
      }
    wakeAt(next);
  }

  function wakeAt(time: number): void {
    if (time >= timerAt) return;
    clearTimeout(timer);
    timerAt = time;
    timer = setTimeout(look, Math.min(Math.max(time - now(), 0), LONGEST_MS));
  }

  return {
    look,
    at(name: string, time: number): void {
      due.set(name, time);
      wakeAt(time);
    },
    drop: (name: string): void => void due.delete(name),
    stop(): void {
      due.clear();
      clearTimeout(timer);
    },
  };
}
