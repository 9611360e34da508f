/** An element of a list: the index of a label, or text that is none. */
export type Element = number | string;

/**
 * Reads `A, B, my own` where nothing is quoted. The longest label is tried first, so `Yes, all` is not read as `Yes`;
 * neighbouring elements that are no label stay one text with the commas they had.
 */
export function readLabelList(labels: readonly string[], raw: string): Element[] {
  const longestFirst = labels
    .map((label, index) => ({ label, index }))
    .filter(({ label }) => label !== "")
    .toSorted((a, b) => b.label.length - a.label.length);
  const elements: Element[] = [];
  let textStart = 0;
  let at = afterSpace(raw, 0);
  while (at < raw.length) {
    const start = at;
    const found = longestFirst.find(({ label }) => raw.startsWith(label, start) && endsAt(raw, start + label.length));
    if (found) elements.push(...textOf(raw.slice(textStart, start)), found.index);
    const comma = raw.indexOf(",", found ? start + found.label.length : start);
    at = comma === -1 ? raw.length : afterSpace(raw, comma + 1);
    if (found) textStart = at;
  }
  return [...elements, ...textOf(raw.slice(textStart))];
}

function afterSpace(raw: string, from: number): number {
  const space = /\s*/y;
  space.lastIndex = from;
  space.test(raw);
  return space.lastIndex;
}

function endsAt(raw: string, from: number): boolean {
  const next = afterSpace(raw, from);
  return next === raw.length || raw[next] === ",";
}

/** The ends are walked, not matched: a pattern for trailing commas is quadratic in a long run of them. */
function textOf(slice: string): string[] {
  let start = 0;
  let end = slice.length;
  while (start < end && isSeparator(slice[start])) start += 1;
  while (end > start && isSeparator(slice[end - 1])) end -= 1;
  return start === end ? [] : [slice.slice(start, end)];
}

function isSeparator(char: string | undefined): boolean {
  return char !== undefined && (char === "," || char.trim() === "");
}
