import { growingPause, PATIENCE_MS } from "../src/lab/poll.ts";

/** How long a whole test may take: longer than any wait in it, which says what did not come. */
export const TEST_MS = 2 * PATIENCE_MS;

/** For a command that waits for the agent's receipt: until it has come, however busy the machine is. */
export const UNTIL_RECEIVED = { PARLEY_RECEIPT_MS: String(PATIENCE_MS) };

/** For a hook: until the daemon has heard it, and what it says last, however busy the machine is. */
export const UNTIL_HEARD = { PARLEY_HOOK_MS: String(PATIENCE_MS) };

/** Looks until nothing in `check` fails any more; after a long time its last failure is thrown, with what was seen. */
export async function eventually<T>(check: () => Promise<T> | T): Promise<T> {
  const pause = growingPause();
  for (const until = performance.now() + PATIENCE_MS; ; await pause()) {
    try {
      return await check();
    } catch (failure) {
      if (performance.now() > until) throw failure;
    }
  }
}

/** Looks of 50 ms that came in time, one after the other; and when it is enough though there were not so many. */
const [LOOK_MS, LATE_MS, LOOKS, ENOUGH_MS] = [50, 75, 10, 3000];

/**
 * The dialog takes no key in its first 300 ms, of which it counts no more than 100 between two of its own looks
 * (`dialog/awake-clock.ts`): on a busy machine that is longer than 300 by the clock. Whoever sees it on the screen sees it
 * later than it appeared. After this pause its keys count: half a second in which this process was run in time, or three.
 */
export async function guardOver(): Promise<void> {
  const end = performance.now() + ENOUGH_MS;
  for (let inTime = 0; inTime < LOOKS && performance.now() < end;) {
    const before = performance.now();
    await Bun.sleep(LOOK_MS);
    inTime = performance.now() - before < LATE_MS ? inTime + 1 : 0;
  }
}
