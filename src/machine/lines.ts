const NEWLINE = 10;

type Options = {
  longest?: number;
  /** False for whole lines none of which is wanted: they are not cut. Looking through many at once costs a fraction. */
  mayHold?: (lines: Buffer) => boolean;
};

/**
 * Cuts a stream of bytes into lines; `take` hears how many bytes of the stream end with it.
 * Contract: memory is bounded by the longest line allowed; a longer one is left out whole and counted, never cut in two.
 */
export function createLineCutter(
  take: (line: Buffer, end: number) => void,
  { longest = 64 * 1024 * 1024, mayHold = () => true }: Options = {},
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
    if (!skipping && held > 0) take(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts), at);
    [parts, held, skipping] = [[], 0, false];
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
      if (last > start && mayHold(bytes.subarray(start, last)))
        for (let at = bytes.indexOf(NEWLINE, start); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
          const line = bytes.subarray(start, at);
          start = at + 1;
          if (line.length > 0) take(line, from + start);
        }
      if (last < bytes.length) add(bytes.subarray(last));
    },
    /** What stands after the last newline may be half a line: the caller decides whether to take it. */
    end: () => end(),
    get skipped() {
      return skipped;
    },
  };
}
