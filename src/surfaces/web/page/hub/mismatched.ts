const KEPT = "parley-hub-mismatches";
const MOST = 200;

/** What was read here of answers that arrived otherwise: it is not said again in this browser. */
export const readMismatches = {
  has: (id: string): boolean => read().includes(id),
  add(ids: readonly string[]): void {
    try {
      localStorage.setItem(KEPT, JSON.stringify([...new Set([...read(), ...ids])].slice(-MOST)));
    } catch {
      // A browser that keeps nothing says it again with the next page.
    }
  },
};

function read(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return [];
  }
}
