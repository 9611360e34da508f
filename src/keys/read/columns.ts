const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The part of a line in front of a column of the terminal, and the part from there on. */
export function splitAt(line: string, column: number): [left: string, right: string] {
  let width = 0;
  for (const { segment, index } of GRAPHEMES.segment(line)) {
    if (width >= column) return [line.slice(0, index), line.slice(index)];
    width += Bun.stringWidth(segment);
  }
  return [line, ""];
}

/** The column of the terminal where this part of a line begins; undefined when it is not there. */
export function columnOf(line: string, part: string): number | undefined {
  const index = line.indexOf(part);
  return index < 0 ? undefined : Bun.stringWidth(line.slice(0, index));
}

/** Pieces of at most `size` characters as a person counts them. */
export function pieces(text: string, size: number): string[] {
  const all = [...GRAPHEMES.segment(text)].map(({ segment }) => segment);
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size).join(""));
}
