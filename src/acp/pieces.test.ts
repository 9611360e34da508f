import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { createPieces } from "./pieces.ts";

const runs = { numRuns: Number(process.env["FUZZ_RUNS"]) || 500 };
/** Bytes as they come over a pipe: many ends of lines, of both kinds, and what is no text at all. */
const bytes = fc
  .array(fc.oneof(fc.constantFrom("\n", "\r\n", "\n\n", '{"id":1}', "é", "😀", " "), fc.string(), fc.uint8Array()), {
    maxLength: 40,
  })
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part as string))));

test("[AC10] however a stream is cut, its pieces are the stream, and its lines are whole", () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(200)), fc.integer({ min: 1, max: 300 }), (stream, cuts, most) => {
      const pieces = createPieces(most);
      const ends = [...new Set(cuts.map((at) => Math.min(at, stream.length)))].toSorted((a, b) => a - b);
      const chunks = [...ends, stream.length].map((end, i) => stream.subarray(ends[i - 1] ?? 0, end));
      const found = chunks.flatMap((chunk) => {
        const out = pieces.push(chunk);
        // Nothing is kept that is too long, and nothing is out but what was cut.
        expect(pieces.isCut() && pieces.isBetween()).toBe(false);
        return out;
      });
      const all = [...found, ...pieces.rest()];
      expect(Buffer.concat(all.map((piece) => piece.bytes)).equals(stream)).toBe(true);
      for (const { bytes: line, isLine } of all) {
        expect(line.length).toBeGreaterThan(0);
        if (isLine) expect(line.indexOf(10)).toBe(line.length - 1);
      }
      // A line that is short enough is never cut.
      const lines = stream.toString("latin1").split("\n").slice(0, -1);
      const whole = all.filter(({ isLine }) => isLine).map((piece) => piece.bytes.toString("latin1").slice(0, -1));
      expect(whole.filter((line) => line.length < most)).toEqual(lines.filter((line) => line.length < most));
    }),
    runs,
  );
});
