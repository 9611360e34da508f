export function duration(ms: number): string {
  const s = Math.max(0, ms) / 1000;
  if (s < 1) return `${Math.round(s * 1000)} ms`;
  if (s < 90) return `${s < 10 ? s.toFixed(1).replace(/\.0$/, "") : Math.round(s)} s`;
  if (s < 5400) return `${Math.round(s / 60)} min`;
  if (s < 129_600) return `${Math.round(s / 3600)} h`;
  return `${Math.round(s / 86_400)} d`;
}

/** A new one has no age worth a number, and no age has a fraction of a second. */
export function ageOf(since: number, now: number): string {
  const ms = now - since;
  return ms < 1000 ? "now" : duration(Math.floor(ms / 1000) * 1000);
}

export function agoWords(since: number, now: number): string {
  const age = ageOf(since, now);
  return age === "now" ? age : `${age} ago`;
}

/** `2026-03-01 14:30:05`, as the person's clock says. */
export function clock(at: number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

const DAY_MS = 86_400_000;

/** `snoozed until 14:30`; with the day where it is not today's. */
export function snoozedWords(until: number, now: number): string {
  const date = new Date(until);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const isToday = until - now < DAY_MS && date.getDate() === new Date(now).getDate();
  return `snoozed until ${isToday ? "" : `${two(date.getMonth() + 1)}-${two(date.getDate())} `}${time}`;
}

const two = (n: number) => String(n).padStart(2, "0");
