import { useEffect, useLayoutEffect, useState } from "preact/hooks";

/** A component that is drawn again with every change of something outside of it. */
export function useChanging<T>(get: () => T, subscribe: (tell: () => void) => () => void): T {
  const [, redraw] = useState(0);
  // With the drawing, not after it: a change in between would be seen by nobody.
  useLayoutEffect(() => subscribe(() => redraw((count) => count + 1)), [subscribe]);
  return get();
}

/** The time, now and again: ages grow while nothing happens. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
