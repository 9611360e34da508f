const MOST_REMEMBERED = 20_000;

/** What was found out about a word; questions use the same ones again and again. */
export function remembering<T>(find: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    if (known.has(word)) return known.get(word) as T;
    const found = find(word);
    if (known.size >= MOST_REMEMBERED) known.clear();
    if (word.length <= 40) known.set(word, found);
    return found;
  };
}

/** Made when it is first wanted. */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
