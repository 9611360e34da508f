/** How long is waited for what must come. Only a failure takes so long: a busy machine is late, not wrong. */
export const PATIENCE_MS = 300_000;

/** Looks again and again until `look` gives something; `failure` is asked only when the time is over. */
export async function poll<T>(
  look: () => Promise<T | undefined> | T | undefined,
  {
    timeoutMs = PATIENCE_MS,
    everyMs = 40,
    failure,
  }: { timeoutMs?: number; everyMs?: number; failure: () => string | Promise<string> },
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(await failure());
    await Bun.sleep(everyMs);
  }
}
