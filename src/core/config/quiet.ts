/** Minutes of the day; `to` is the first one that is not quiet any more, and may lie on the next day. */
export type Quiet = { from: number; to: number };

/** `22:00-07:00`; undefined when it is not of that form, or begins where it ends. */
export function parseQuiet(text: string): Quiet | undefined {
  const [, ...parts] = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(text) ?? [];
  const [h1, m1, h2, m2] = parts.map(Number);
  if (h1 === undefined || m1 === undefined || h2 === undefined || m2 === undefined) return undefined;
  if (h1 > 23 || h2 > 23 || m1 > 59 || m2 > 59) return undefined;
  const [from, to] = [h1 * 60 + m1, h2 * 60 + m2];
  return from === to ? undefined : { from, to };
}

/** Contract: `minute` is of the local day. Answers how many minutes the quiet still lasts; 0 when it is not quiet. */
export function quietFor(text: string, minute: number): number {
  const quiet = parseQuiet(text);
  if (!quiet) return 0;
  const length = (quiet.to - quiet.from + DAY) % DAY;
  const passed = (minute - quiet.from + DAY) % DAY;
  return passed < length ? length - passed : 0;
}

const DAY = 24 * 60;
