/** As many rows as fit, one at least. */
export function withinBytes<T extends { data: string }>(bytes: number, rows: Iterable<T>): T[] {
  const taken: T[] = [];
  let left = bytes;
  for (const row of rows) {
    left -= row.data.length;
    if (left < 0 && taken.length > 0) break;
    taken.push(row);
  }
  return taken;
}
