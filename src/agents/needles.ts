/**
 * Where in these bytes the next of the needles stands, from a place on; -1: nowhere. There may be more of them with each call.
 * Contract: each is searched for once in all of the bytes.
 */
export function seekAny(bytes: Buffer, needles: () => readonly Buffer[]): (from: number) => number {
  const places = new Map<Buffer, number>();
  return (from) => {
    let first = -1;
    for (const needle of needles()) {
      const known = places.get(needle);
      const at = known === undefined || (known >= 0 && known < from) ? bytes.indexOf(needle, from) : known;
      if (at !== known) places.set(needle, at);
      if (at >= 0 && (first < 0 || at < first)) first = at;
    }
    return first;
  };
}

/** What of a call's key stands in a line as it is, however JSON writes the rest of it; empty: nothing does. */
export function needleOf(key: string): Buffer {
  const plain = key.match(/[\w-]+/g) ?? [];
  return Buffer.from(plain.reduce((longest, each) => (each.length > longest.length ? each : longest), ""));
}

const ESCAPE = Buffer.from(String.raw`\u00`);
const ESCAPES = ["2", "3", "4", "5", "6", "7"].map((digit) => Buffer.from(`${ESCAPE.toString()}${digit}`));
/** A letter, a digit, a dash or an underscore that JSON may spell as a number: no agent does, what passed its record on could. */
const SPELLED = /\\u00(2d|3\d|[46][1-9a-f]|5[0-9af]|7[0-9a])/gi;

/** What to look for besides, so that a mark spelled in numbers is found. Most records of programs have none of them, or only colours. */
export const escapesIn = (bytes: Buffer): readonly Buffer[] => (bytes.indexOf(ESCAPE) < 0 ? [] : ESCAPES);

/** The line, with plain letters where some are spelled in numbers: to search in, not to parse, because it may no longer be JSON. */
export function inLetters(line: Buffer): Buffer {
  if (line.indexOf(ESCAPE) < 0) return line;
  const text = line.toString("latin1");
  const plain = text.replaceAll(SPELLED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain === text ? line : Buffer.from(plain, "latin1");
}

/** Without their quotes fewer do: where one stands in another, the search for it finds both. Each line is looked at again. */
export function fewest(marks: readonly string[]): Buffer[] {
  const bare = [...new Set(marks.map((mark) => mark.replaceAll(/^"|"$/g, "")))];
  const others = (each: string) => bare.filter((other) => other !== each);
  return bare.filter((each) => !others(each).some((other) => each.includes(other))).map((each) => Buffer.from(each));
}
