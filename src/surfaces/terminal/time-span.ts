import { ParleyError } from "../../core/error.ts";

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90`, `90s`, `10m`, `2h`, `1d` as milliseconds; a bare number is seconds. */
export function timeSpan(text: string, option: string): number {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const ms = Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (ms >= 1) return Math.round(ms);
  throw new ParleyError("usage", `${option}: expected a time such as 90s, 10m or 2h, not "${text}"`);
}
