import { LEAVES, namesAt } from "./config.ts";

/** The known key a person most likely meant: of the same table if there is one as near as any. */
export function nearestKey(path: readonly PropertyKey[], name: string): string {
  const table = path.map(String);
  const dotted = [...table, name].join(".");
  const siblings = (namesAt(path) ?? []).map((known) => ({
    key: [...table, known].join("."),
    distance: distance(name, known),
  }));
  const others = LEAVES.map(({ key, path: parts }) => ({
    key,
    distance: Math.min(distance(dotted, key), distance(name, parts.at(-1) ?? "")),
  }));
  return [...siblings, ...others].toSorted((a, b) => a.distance - b.distance)[0]?.key ?? "";
}

/** How many letters have to be changed, put in, left out, or swapped with their neighbour. */
function distance(a: string, b: string): number {
  const [from, to] = [a.slice(0, LONGEST), b.slice(0, LONGEST)];
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const ways = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same];
      row.push(Math.min(...ways, swapped ? (before[j - 2] ?? 0) + 1 : Infinity));
    }
    [before, last] = [last, row];
  }
  return last[to.length] ?? 0;
}

/** Names come from files of strangers. */
const LONGEST = 80;
