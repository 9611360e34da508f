/** Tests that wait for the press of their button, by what it is called. */
export type Tests = Map<string, (by: string) => void>;

/** `send` sends the test and says to whom. Answers that, and whether the press came back within `ms`; 0: nobody waits for it. */
export async function provePress(
  tests: Tests,
  name: string,
  { ms, signal }: { ms: number; signal: AbortSignal },
  send: () => Promise<string>,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  tests.set(name, resolve);
  try {
    const sent = await send();
    if (ms === 0) return sent;
    const timer = setTimeout(resolve, ms, undefined);
    signal.addEventListener("abort", () => resolve(undefined));
    const by = await promise.finally(() => clearTimeout(timer));
    return by === undefined
      ? `${sent}; its button was not pressed within ${ms / 1000} s`
      : `${sent}; ${by} pressed its button, and that came back`;
  } finally {
    tests.delete(name);
  }
}
