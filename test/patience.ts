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

/**
 * The dialog takes no key in its first 300 ms. Whoever sees it on the screen sees it later than it appeared, however busy
 * the machine is: after this pause its keys count.
 */
export const guardOver = () => Bun.sleep(350);
