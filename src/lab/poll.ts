// The variable is for whoever looks for a failure.
/** How long is waited for what must come. Only a failure takes so long: a busy machine is late, not wrong. */
export const PATIENCE_MS = Number(process.env["PARLEY_PATIENCE_MS"] ?? 300_000);

/** Looks again and again until `look` gives something; `failure` is asked only when the time is over. */
export async function poll<T>(
  look: () => Promise<T | undefined> | T | undefined,
  {
    timeoutMs = PATIENCE_MS,
    everyMs,
    failure,
  }: { timeoutMs?: number; everyMs?: number; failure: () => string | Promise<string> },
): Promise<T> {
  const [pause, deadline] = [growingPause(), performance.now() + timeoutMs];
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(await failure());
    await (everyMs === undefined ? pause() : Bun.sleep(everyMs));
  }
}

/** What comes soon is seen soon; whoever waits for long does not keep the machine busy with looking. */
export function growingPause(): () => Promise<void> {
  let ms = 10;
  return () => Bun.sleep((ms = Math.min(ms * 1.15, 200)));
}
