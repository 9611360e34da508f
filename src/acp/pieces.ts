const NEWLINE = 10;
/** `isLine`: a whole line with its end. Else it is part of one that is too long to be kept, or that never ended. */
export type Piece = { bytes: Buffer; isLine: boolean };

/**
 * Cuts a stream of bytes into lines, and loses and changes nothing: the pieces, one after the other, are the stream.
 * Contract: keeps no more than `most` bytes and a chunk; a longer line comes in parts, as they arrive. A chunk is kept as it
 * is: whoever read it leaves it alone.
 */
export function createPieces(most: number) {
  let parts: Buffer[] = [];
  let held = 0;
  /** In the middle of a line of which a part is out already. */
  let isLong = false;

  function take(): Buffer {
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    [parts, held] = [[], 0];
    return bytes;
  }

  return {
    push(chunk: Buffer): Piece[] {
      const found: Piece[] = [];
      for (let start = 0; start < chunk.length;) {
        const end = chunk.indexOf(NEWLINE, start) + 1 || chunk.length;
        const isEnd = chunk[end - 1] === NEWLINE;
        parts.push(chunk.subarray(start, end));
        held += end - start;
        start = end;
        if (isEnd) {
          found.push({ bytes: take(), isLine: !isLong });
          isLong = false;
        } else if (held > most || isLong) {
          found.push({ bytes: take(), isLine: false });
          isLong = true;
        }
      }
      return found;
    },
    /** What never ended. */
    rest: (): Piece[] => (held === 0 ? [] : [{ bytes: take(), isLine: false }]),
    /** Nothing of a line has come yet: what is put in here stands in nobody's way. */
    isBetween: () => held === 0 && !isLong,
    /** The first part of a line is out, and its end is not. */
    isCut: () => isLong,
  };
}
