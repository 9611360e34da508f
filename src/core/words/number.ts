/** `1 question`, `2 questions`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `950`, `1.2k`, `35k`, `1M`: nobody counts single tokens. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const [size, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1e6, "M"];
  return `${size < 10 ? size.toFixed(1).replace(/\.0$/, "") : Math.round(size)}${unit}`;
}

export const dollars = (usd: number): string => `$${usd.toFixed(2)}`;

/** Of a limit, and what is held against it: both may be less than a cent. */
export const exactDollars = (usd: number): string =>
  usd === 0 || usd >= 0.01 ? dollars(usd) : `$${Number(usd.toPrecision(2))}`;

export function byteSize(bytes: number): string {
  if (bytes < 1024) return counted(bytes, "byte");
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
