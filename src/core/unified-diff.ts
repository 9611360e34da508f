/** A change of a text file as `patch` takes it; undefined is "no file". */
export function unifiedDiff(
  { before, after }: { before: string | undefined; after: string | undefined },
  path: string,
): string[] {
  const lines = compare(linesOf(before), linesOf(after));
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - 3), i + 4).some((line) => !line.startsWith(" ")));
  const hunks = lines.flatMap((line, i) => {
    if (!near[i]) return [];
    if (near[i - 1]) return [line];
    const stop = near.indexOf(false, i);
    const range = (not: string) => {
      const [above, inside] = [lines.slice(0, i), lines.slice(i, stop === -1 ? undefined : stop)].map(
        (part) => part.filter((each) => !each.startsWith(not)).length,
      );
      return `${(above ?? 0) + (inside ? 1 : 0)},${inside}`;
    };
    return [`@@ -${range("+")} +${range("-")} @@`, line];
  });
  const name = (text: string | undefined) => (text === undefined ? "/dev/null" : path);
  return [`--- ${name(before)}`, `+++ ${name(after)}`, ...hunks];
}

/** Every line of both with its sign, by the longest common subsequence. */
function compare(a: string[], b: string[]): string[] {
  const rows = [...a, ""].map(() => new Uint32Array(b.length + 1));
  const common = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (const [i, row] of [...rows.entries()].toReversed())
    for (let j = b.length - 1; j >= 0 && i < a.length; j--)
      row[j] = a[i] === b[j] ? common(i + 1, j + 1) + 1 : Math.max(common(i + 1, j), common(i, j + 1));
  const lines: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const same = i < a.length && a[i] === b[j];
    const gone = !same && i < a.length && (j === b.length || common(i + 1, j) >= common(i, j + 1));
    lines.push(same ? ` ${a[i]}` : gone ? `-${a[i]}` : `+${b[j]}`);
    if (same || gone) i++;
    if (!gone) j++;
  }
  return lines;
}

/** A project's settings come from strangers too: what would steer the terminal or turn the text round is shown as its code. */
function linesOf(text: string | undefined): string[] {
  const steering = /[\p{Cf}\u007f-\u009f\u2028\u2029]/gu;
  const shown = (text ?? "").replaceAll(steering, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
  return shown.split(/\r\n|\r|\n/).filter((line, i, all) => line !== "" || i < all.length - 1);
}
