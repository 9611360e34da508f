/** Text in columns of a terminal, where a wide letter takes two. Contract: all of it takes text that is already safe. */

/** Cut to one line of at most so many columns. */
export function fit(text: string, columns: number): string {
  if (text.length <= columns / 2 || Bun.stringWidth(text) <= columns) return text;
  // A letter a column; to make a segmenter takes 2 ms.
  if (/^[ -~]*$/.test(text)) return `${text.slice(0, Math.max(0, Math.floor(columns) - 1)).trimEnd()}…`;
  let [cut, used] = ["", 0];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += Bun.stringWidth(segment);
    if (used > columns - 1) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}

export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - Bun.stringWidth(text)));
}

/** Lines of at most so many columns; what an author indented stays indented. */
export function wrap(text: string, columns: number): string[] {
  if (columns === Infinity) return text.split("\n");
  return text.split("\n").flatMap((line) => {
    const indent = (/^ */.exec(line)?.[0] ?? "").slice(0, columns / 2);
    const lines = wrapped(line.trim(), Math.max(2, columns - indent.length), { hard: true });
    return lines.map((part) => (part === "" ? "" : `${indent}${part}`));
  });
}

/** What is painted is painted on each of its lines; each ends as ours do. */
export function wrapped(line: string, columns: number, how: Parameters<typeof Bun.wrapAnsi>[2]): string[] {
  return Bun.wrapAnsi(line, columns, how)
    .replaceAll(/\x1b\[(?:22|39)m/g, "\x1b[0m")
    .split("\n");
}

/** The same behind a lead-in, which may be painted: the first line carries it, the others stand under its end. */
export function hang(lead: string, text: string, columns: number, paint = (line: string) => line): string[] {
  const width = Bun.stringWidth(lead);
  const indent = " ".repeat(width);
  return wrap(text, columns - width).map((line, i) => (i === 0 ? lead : line && indent) + (line && paint(line)));
}

/** The first lines of a text without end, and how many were left out. */
export function atMost(lines: readonly string[], most: number): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `… ${lines.length - most} more lines`];
}
