import { test } from "bun:test";
import { TEST_MS } from "../patience.ts";

/** What the tests of sandboxes need; a missing one is a failure in CI and said elsewhere. */
const missing = Bun.which("bwrap") ? undefined : "bubblewrap is not installed";

/** Contract: throws where it is missing. */
export function needsBubblewrap(): void {
  if (missing !== undefined) throw new Error(missing);
}

export function inSandbox(title: string, run: () => Promise<void>): void {
  const skip = missing !== undefined && process.env["CI"] !== "true";
  test.skipIf(skip)(
    skip ? `${title} (skipped: ${missing})` : title,
    async () => {
      needsBubblewrap();
      await run();
    },
    TEST_MS,
  );
}
