/** A share as counted, and between which bounds the true one lies, at 95 %: "0 of 81" is up to 4.5 %. */
export type Share = { count: number; of: number; low: number; high: number };

const Z = 1.959964;

export function wilson(count: number, of: number): Share {
  if (of === 0) return { count, of, low: 0, high: 1 };
  const [p, z2] = [count / of, Z * Z];
  const middle = (p + z2 / (2 * of)) / (1 + z2 / of);
  const half = (Z * Math.sqrt((p * (1 - p)) / of + z2 / (4 * of * of))) / (1 + z2 / of);
  return { count, of, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
