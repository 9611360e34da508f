import { expect, test } from "bun:test";
import { array, assert, nat, property, string } from "fast-check";
import { createLineCutter } from "./lines.ts";

function cut(chunks: readonly Buffer[], longest?: number) {
  const lines: string[] = [];
  const cutter = createLineCutter(
    (line) => lines.push(line.toString("utf8")),
    longest === undefined ? {} : { longest },
  );
  for (const chunk of chunks) cutter.write(chunk);
  cutter.end();
  return { lines, skipped: cutter.skipped };
}

test("[SC1] lines are the same however the bytes arrive; empty ones are left out", () => {
  assert(
    property(array(string({ unit: "grapheme" })), array(nat(7)), (words, sizes) => {
      const bytes = Buffer.from(words.join("\n"));
      const chunks: Buffer[] = [];
      for (let at = 0, i = 0; at < bytes.length; i += 1) {
        const size = (sizes[i % (sizes.length || 1)] ?? 3) + 1;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      const expected = words
        .join("\n")
        .split("\n")
        .filter((line) => line !== "");
      expect(cut(chunks).lines).toEqual(expected);
    }),
  );
});

test("[SC2] a line that is too long is left out whole and counted; the next one is read", () => {
  const chunks = ["short\nlo", "ooooooooo", "ng\nafter\n"].map((text) => Buffer.from(text));
  expect(cut(chunks, 10)).toEqual({ lines: ["short", "after"], skipped: 1 });
});

test("[SC3] a reader that fills its buffer anew does not change a line already held", () => {
  const lines: string[] = [];
  const cutter = createLineCutter((line) => lines.push(line.toString("utf8")));
  const buffer = Buffer.from("half");
  cutter.write(buffer);
  buffer.write("XXXX");
  cutter.write(Buffer.from(" whole\n"));
  expect(lines).toEqual(["half whole"]);
});

test("[TC39] what is looked for in many lines at once is found wherever the bytes are divided", () => {
  assert(
    property(array(string({ unit: "grapheme" })), array(nat(20)), (words, sizes) => {
      const text = words.map((word, i) => (i % 3 === 0 ? `${word}MARK` : word)).join("\n");
      const bytes = Buffer.from(text);
      const lines: string[] = [];
      const cutter = createLineCutter(
        (line) => {
          if (line.includes("MARK")) lines.push(line.toString("utf8"));
        },
        { seek: (some) => (from) => some.indexOf("MARK", from) },
      );
      for (let at = 0, i = 0; at < bytes.length; i += 1) {
        const size = (sizes[i % (sizes.length || 1)] ?? 3) + 1;
        cutter.write(bytes.subarray(at, at + size));
        at += size;
      }
      cutter.end();
      expect(lines).toEqual(
        bytes
          .toString("utf8")
          .split("\n")
          .filter((line) => line.includes("MARK")),
      );
    }),
  );
});

test("[PF14] of many lines those that are wanted are found, also where one of them makes others wanted", () => {
  const key = (i: number) => `key-${String(i).padStart(4, "0")}`;
  const some = array(nat(1999), { minLength: 1, maxLength: 5 });
  assert(
    property(some, nat(300), (asked, length) => {
      // Each question is answered by a line somewhere behind it, which only its key tells.
      const all = Array.from({ length: 2000 }, (_, i) => `line ${i} ${"x".repeat(length)}`);
      const questions = [...new Set(asked)].toSorted((a, b) => a - b);
      const text = all.flatMap((line, i) => {
        const answers = questions.filter((at) => at + ((at * 7) % 900) === i).map((at) => `answer ${key(at)}`);
        return questions.includes(i) ? [`ASK ${key(i)}`, ...answers, line] : [...answers, line];
      });
      const waiting = new Set<string>();
      const found: string[] = [];
      const seek = (bytes: Buffer) => (from: number) => {
        const places = ["ASK", ...waiting].map((each) => bytes.indexOf(each, from)).filter((at) => at >= 0);
        return places.length > 0 ? Math.min(...places) : -1;
      };
      const wanted = (line: Buffer) => seek(line)(0) >= 0;
      const cutter = createLineCutter(
        (line, end) => {
          if (!wanted(line)) return;
          found.push(line.toString("utf8"));
          expect(bytes.subarray(end - line.length - 1, end - 1).equals(line)).toBe(true);
          waiting.add(line.toString("utf8").slice(-8));
        },
        { seek },
      );
      const bytes = Buffer.from(`${text.join("\n")}\n`);
      for (let at = 0; at < bytes.length; at += 100_000) cutter.write(bytes.subarray(at, at + 100_000));
      cutter.end();
      expect(found).toEqual(text.filter((line) => line.startsWith("ASK") || line.startsWith("answer")));
    }),
    { numRuns: 30 },
  );
});

test("[LZ9] a place that is a line's first byte, its end, or before where it was asked for, ends no search and loses no line", () => {
  const bytes = Buffer.from("\nfirst\n\nsecond\nthird\n");
  const taken = (seek: (from: number) => number) => {
    const lines: string[] = [];
    const cutter = createLineCutter((line) => lines.push(line.toString("utf8")), { seek: () => seek });
    cutter.write(bytes);
    cutter.end();
    return lines;
  };
  expect(taken((from) => from)).toEqual(["first", "second", "third"]);
  expect(taken((from) => bytes.indexOf("\n", from))).toEqual(["first", "second", "third"]);
  expect(taken((from) => bytes.indexOf("t", from))).toEqual(["first", "third"]);
  expect(taken(() => -1)).toEqual([]);
  expect(taken(() => 0)).toEqual([]);
  expect(taken(() => bytes.length)).toEqual([]);
});
