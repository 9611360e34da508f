/** The 95 % interval of a share after Wilson, in per cent. */
export function wilson(count: number, of: number): [low: number, high: number] {
  if (of === 0) return [0, 100];
  const z = 1.96;
  const share = count / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return [Math.max(0, 100 * (middle - half)), Math.min(100, 100 * (middle + half))];
}

/** "12 of 80, 15.0 % (8.8–24.4)" */
export function shareOf(count: number, of: number): string {
  const [low, high] = wilson(count, of);
  return `${count} of ${of}, ${((100 * count) / Math.max(1, of)).toFixed(1)} % (${low.toFixed(1)}–${high.toFixed(1)})`;
}

/** How far two readings agree beyond chance (Cohen). */
export function kappa(pairs: readonly (readonly [boolean, boolean])[]): number {
  const n = pairs.length;
  const same = pairs.filter(([a, b]) => a === b).length / n;
  const [a, b] = [0, 1].map((i) => pairs.filter((pair) => pair[i]).length / n);
  const chance = (a ?? 0) * (b ?? 0) + (1 - (a ?? 0)) * (1 - (b ?? 0));
  return chance === 1 ? 1 : (same - chance) / (1 - chance);
}
