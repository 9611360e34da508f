import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { createLineCutter } from "./lines.ts";

const CHUNK = 256 * 1024;
type Line = { line: Buffer; end: number };

/**
 * The whole lines of a file after an offset, each with the offset behind it, read as they are asked for.
 * Contract: what stands after the last newline is not there yet; an empty line is left out, and one over `longest`.
 */
export function* linesFrom(path: string, from: number, longest = 16 * 1024 * 1024): Generator<Line> {
  const found: Line[] = [];
  // The chunk is filled anew while somebody may still hold the line.
  const cutter = createLineCutter((line, end) => found.push({ line: Buffer.from(line), end: from + end }), { longest });
  // An agent can put what never ends, or never begins, in the place of its record: nobody waits for that.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) return;
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let at = from, size = 1; size > 0; at += size) {
      size = readSync(file, chunk, 0, CHUNK, at);
      cutter.write(chunk.subarray(0, size));
      yield* found.splice(0);
    }
  } finally {
    closeSync(file);
  }
}
