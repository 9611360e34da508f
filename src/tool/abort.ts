import { aborted } from "./error.ts";

/** Rejects as soon as the signal says so, whatever the work does then; leaves no listener behind. */
export async function unlessAborted<T>(working: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => (stop = () => reject(aborted())));
  working.catch(() => undefined);
  if (signal.aborted) throw aborted();
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([working, stopped]).finally(() => signal.removeEventListener("abort", stop));
}
