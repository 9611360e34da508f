const NEWLINE = 10;
/** Fewer bytes are cut at once: to look through half of them costs more than it saves. */
const PIECE = 8 * 1024;

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

  /** Whole lines, in halves: of a million bytes with one line that is wanted, only those around it are cut. */
  function cut(bytes: Buffer, from: number): void {
    if (bytes.length === 0 || !mayHold(bytes)) return;
    const middle = bytes.length > PIECE ? bytes.indexOf(NEWLINE, bytes.length >> 1) + 1 : 0;
    if (middle > 0 && middle < bytes.length) {
      cut(bytes.subarray(0, middle), from);
      // Only now: what was taken may be what makes others wanted.
      cut(bytes.subarray(middle), from + middle);
      return;
    }
    let start = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, at);
      start = at + 1;
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
