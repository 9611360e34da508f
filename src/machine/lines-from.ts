import { closeSync, openSync, readSync } from "node:fs";

const CHUNK = 256 * 1024;
const NEWLINE = 10;

/**
 * The whole lines of a file after an offset, each with the offset behind it, read as they are asked for.
 * Contract: what stands after the last newline is not there yet; a line over `longest` is left out.
 */
export function* linesFrom(
  path: string,
  from: number,
  longest = 16 * 1024 * 1024,
): Generator<{ line: Buffer; end: number }> {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let parts: Buffer[] = [];
    let held = 0;
    for (let at = from, size = 1; size > 0; at += size) {
      size = readSync(file, chunk, 0, CHUNK, at);
      const bytes = chunk.subarray(0, size);
      let start = 0;
      for (let newline = bytes.indexOf(NEWLINE); newline >= 0; newline = bytes.indexOf(NEWLINE, start)) {
        const last = bytes.subarray(start, newline);
        start = newline + 1;
        const fits = held + last.length <= longest;
        if (fits) yield { line: Buffer.concat([...parts, last]), end: at + start };
        [parts, held] = [[], 0];
      }
      held += size - start;
      // The chunk is filled anew before the line has ended.
      parts = held > longest ? [] : [...parts, Buffer.from(bytes.subarray(start))];
    }
  } finally {
    closeSync(file);
  }
}
