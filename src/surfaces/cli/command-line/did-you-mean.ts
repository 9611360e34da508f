/** ` Did you mean ls?`, or nothing where nothing known is near. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const near = nearest(typed, known);
  return near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
}

/** What most likely was meant: beginnings first, then the fewest wrong letters. At most two. */
function nearest(typed: string, known: readonly string[]): string[] {
  const word = typed.toLowerCase().slice(0, 40);
  const letters = word.replace(/^-+/, "").length;
  const begun = letters < 2 ? [] : known.filter((name) => name.startsWith(word));
  if (begun.length > 0) return begun.slice(0, 2);
  const most = Math.min(2, Math.floor((letters + 1) / 3));
  const rated = known.map((name) => ({ name, wrong: distance(word, name) })).filter(({ wrong }) => wrong <= most);
  const least = Math.min(...rated.map(({ wrong }) => wrong));
  return rated
    .filter(({ wrong }) => wrong === least)
    .map(({ name }) => name)
    .slice(0, 2);
}

/** Letters to put in, leave out, replace or swap with their neighbour. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
