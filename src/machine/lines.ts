const NEWLINE = 10;

/**
 * Cuts a stream of bytes into lines.
 * Contract: memory is bounded by the longest line allowed; a longer one is left out whole and counted, never cut in two.
 */
export function createLineCutter(take: (line: Buffer) => void, longest = 64 * 1024 * 1024) {
  let parts: Buffer[] = [];
  let held = 0;
  let skipping = false;
  let skipped = 0;

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

  function end(): void {
    if (!skipping && held > 0) take(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
    [parts, held, skipping] = [[], 0, false];
  }

  return {
    write(bytes: Buffer): void {
      let start = 0;
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
        const line = bytes.subarray(start, at);
        start = at + 1;
        if (held === 0 && !skipping) {
          if (line.length > 0) take(line);
          continue;
        }
        add(line);
        end();
      }
      if (start < bytes.length) add(bytes.subarray(start));
    },
    /** What stands after the last newline may be half a line: the caller decides whether to take it. */
    end,
    get skipped() {
      return skipped;
    },
  };
}
