const DAY_MS = 86_400_000;

/** `snoozed until 14:30`; with the day where it is not today's. */
export function snoozedWords(until: number, now: number): string {
  const date = new Date(until);
  const two = (n: number) => String(n).padStart(2, "0");
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const isToday = until - now < DAY_MS && date.getDate() === new Date(now).getDate();
  return `snoozed until ${isToday ? "" : `${two(date.getMonth() + 1)}-${two(date.getDate())} `}${time}`;
}
