const MINUTE = 60_000;
const MOST_MS = 24 * 60 * MINUTE;
const MOST_CALLS = 1000;
const UNITS: Record<string, number> = { m: MINUTE, h: 60 * MINUTE };

/** What a grant is asked for: `30m`, `2h`, `10x`, `task`, `plan`. */
export type EndRequest = { until: number } | { calls: number } | { task: true } | { plan: true };

/** Undefined: nobody can mean that. A grant that lasts for ever is none. */
export function readEnd(text: string, now: number): EndRequest | undefined {
  if (text === "task") return { task: true };
  if (text === "plan") return { plan: true };
  const [, digits = "", unit = ""] = /^(\d{1,5})([mhx])$/.exec(text.trim()) ?? [];
  const count = Number(digits);
  if (count < 1) return undefined;
  if (unit === "x") return count <= MOST_CALLS ? { calls: count } : undefined;
  const ms = count * (UNITS[unit] ?? 0);
  return ms > 0 && ms <= MOST_MS ? { until: now + ms } : undefined;
}

export const ENDS = "30m, 2h (24h at most), 10x (1000x at most), task or plan";
