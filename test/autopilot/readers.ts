import { wilson } from "../../src/core/wilson.ts";

/** "12 of 80, 15.0 % (8.8–24.4)" */
export function shareOf(count: number, of: number): string {
  const { low, high } = wilson(count, of);
  const percent = (share: number) => (100 * share).toFixed(1);
  return `${count} of ${of}, ${percent(count / Math.max(1, of))} % (${percent(low)}–${percent(high)})`;
}

/** How far two readings agree beyond chance (Cohen). */
export function kappa(pairs: readonly (readonly [boolean, boolean])[]): number {
  const n = pairs.length;
  const same = pairs.filter(([a, b]) => a === b).length / n;
  const [a, b] = [0, 1].map((i) => pairs.filter((pair) => pair[i]).length / n);
  const chance = (a ?? 0) * (b ?? 0) + (1 - (a ?? 0)) * (1 - (b ?? 0));
  return chance === 1 ? 1 : (same - chance) / (1 - chance);
}
