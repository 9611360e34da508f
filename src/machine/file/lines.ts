const NEWLINE = 10;

type Options = {
  longest?: number;
  /**
   * Of whole lines: where, from a place on, the next byte stands that makes its line wanted; -1: none is. Only such lines are
   * cut: to search through many at once costs a fraction.
   */
  seek?: (lines: Buffer) => (from: number) => number;
};

/**
 * Cuts a stream of bytes into lines; `take` hears how many bytes of the stream end with it.
 * Contract: memory is bounded by the longest line allowed; a longer one is left out whole and counted, never cut in two.
 */
export function createLineCutter(
  take: (line: Buffer, end: number) => void,
  { longest = 64 * 1024 * 1024, seek }: Options = {},
) {
  let parts: Buffer[] = [];
  let held = 0;
  let skipping = false;
  let skipped = 0;
  /** Of the stream, before the bytes that are being written. */
  let before = 0;

  function add(bytes: Buffer): void {
    if (skipping) return;
    held += bytes.length;
    if (held > longest) {
      [parts, held, skipping] = [[], 0, true];
      skipped += 1;
      return;
    }
    // The reader may fill its buffer anew before the line has ended.
    parts.push(Buffer.from(bytes));
  }

  function end(at = before): void {
    const line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const isWanted = !skipping && held > 0 && (!seek || seek(line)(0) >= 0);
    [parts, held, skipping] = [[], 0, false];
    if (isWanted) take(line, at);
  }

  /** Whole lines: all of them, or those that are wanted. What is taken may be what makes others wanted. */
  function cut(bytes: Buffer, from: number): void {
    const next = seek?.(bytes);
    for (let start = 0; start < bytes.length;) {
      const found = next ? next(start) : start;
      if (found < start || found >= bytes.length) return;
      if (found > start) start = Math.max(start, bytes.lastIndexOf(NEWLINE, found - 1) + 1);
      const end = bytes.indexOf(NEWLINE, found);
      const line = bytes.subarray(start, end);
      start = end + 1;
      if (line.length > 0) take(line, from + start);
    }
  }

  return {
    write(bytes: Buffer): void {
      let start = 0;
      const from = before;
      before += bytes.length;
      if (held > 0 || skipping) {
        const at = bytes.indexOf(NEWLINE);
        add(at < 0 ? bytes : bytes.subarray(0, at));
        if (at < 0) return;
        start = at + 1;
        end(from + start);
      }
      const last = bytes.lastIndexOf(NEWLINE) + 1;
      if (last > start) cut(bytes.subarray(start, last), from + start);
      if (last < bytes.length) add(bytes.subarray(last));
    },
    /** What stands after the last newline may be half a line: the caller decides whether to take it. */
    end: () => end(),
    get skipped() {
      return skipped;
    },
  };
}
