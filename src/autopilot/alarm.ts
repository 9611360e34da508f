import { createWaits } from "../machine/time/waits.ts";

/** Timers cannot wait longer, and do not see the clock being set: then `look` does. */
const LONGEST_MS = 60_000;

export type Alarm = ReturnType<typeof createAlarm>;
type Wait = { due: number; from: number };

/** Calls `ring` with every name whose time has come. */
export function createAlarm(now: () => number, ring: (name: string) => void) {
  const waits = createWaits(now);
  const pending = new Map<string, Wait>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = Infinity;

  function look(): void {
    timerAt = Infinity;
    let next = Infinity;
    for (const [name, { due, from }] of pending) {
      const left = waits.left(name, due, from);
      if (left > 0) next = Math.min(next, left);
      else {
        pending.delete(name);
        ring(name);
      }
    }
    wakeIn(next);
  }

  function wakeIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(look, Math.min(Math.max(ms, 0), LONGEST_MS));
  }

  return {
    look,
    /** Is its time still to come? Then it rings. Who has rung is due, wherever the clock was set meanwhile. */
    isAhead(name: string, due: number, from: number): boolean {
      const left = waits.left(name, due, from);
      if (left <= 0) return false;
      pending.set(name, { due, from });
      wakeIn(left);
      return true;
    },
    drop(name: string): void {
      pending.delete(name);
      waits.drop(name);
    },
    stop(): void {
      pending.clear();
      waits.clear();
      clearTimeout(timer);
    },
  };
}
