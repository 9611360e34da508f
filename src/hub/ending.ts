const SAME_MS = 1000;

export type Ending = ReturnType<typeof createEnding>;

/** What a hub is told to end by. `again`: somebody does not want to wait. `now`: in milliseconds, never set back. */
export function createEnding(now: () => number) {
  const [first, second] = [Promise.withResolvers<NodeJS.Signals>(), Promise.withResolvers<void>()];
  let toldAt: number | undefined;
  return {
    told: first.promise,
    again: second.promise,
    tell(signal: NodeJS.Signals): void {
      // A terminal, npm and a service manager each pass the same one on.
      if (toldAt !== undefined && now() - toldAt > SAME_MS) second.resolve();
      toldAt ??= now();
      first.resolve(signal);
    },
  };
}
