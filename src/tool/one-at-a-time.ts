import type { ShowDialog } from "./dialog-ref.ts";

/** Later dialogs wait until the earlier ones are closed; one that is over before its turn is never shown. */
export function oneAtATime(show: ShowDialog): ShowDialog {
  let last: Promise<unknown> = Promise.resolve();
  return async (asked) => {
    const before = last;
    let done = () => {};
    last = new Promise<void>((resolve) => (done = resolve));
    try {
      await either(before, asked.signal);
      if (asked.signal.aborted) return { type: "aborted", draft: { current: 0, entries: [] } };
      return await show(asked);
    } finally {
      void before.then(done);
    }
  };
}

async function either(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await Promise.race([before, stopped]).finally(() => signal.removeEventListener("abort", stop));
}
