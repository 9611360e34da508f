/** Runs work of the same name one after the other, of different names at once. */
export function createSerial(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = tails.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    tails.set(name, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(name) === mine) tails.delete(name);
    }
  };
}
