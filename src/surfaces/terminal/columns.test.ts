import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { atMost, fit, hang, pad, wrap } from "./columns.ts";

const words = fc.string({
  unit: fc.constantFrom(..."aé漢か👍 -.".split(/(?:)/u), "👨‍👩‍👧‍👦", "e\u0301", "\n"),
  maxLength: 80,
});
const widest = (lines: readonly string[]) => Math.max(0, ...lines.map((line) => Bun.stringWidth(line)));

describe("fit", () => {
  test.each([
    ["short", 10, "short"],
    ["exactly 10", 10, "exactly 10"],
    ["a little more", 10, "a little…"],
    ["どのデータベース", 6, "どの…"],
    ["どのデータベース", 5, "どの…"],
    ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 4, "👨‍👩‍👧‍👦…"],
  ])("[X90] %j in %d columns is %j", (text, columns, shown) => {
    expect(fit(text, columns)).toBe(shown);
  });

  test("[LZ2] a line of plain letters is cut where the way for all others cuts it", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "-", "."), maxLength: 40 });
    const columns = fc.constantFrom(0.5, 1, 1.5, 2, 3.5, 7, 12, 30);
    fc.assert(
      fc.property(line, columns, (text, most) => {
        // A letter beyond the cut makes it no plain line.
        if (text.length > most) expect(fit(text, most)).toBe(fit(`${text}é`, most));
      }),
    );
  });

  test("[X91] nothing is ever wider than asked for, and padding makes it exact", () => {
    const line = words.map((text) => text.replaceAll("\n", " "));
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 60 }), (text, columns) => {
        expect(Bun.stringWidth(fit(text, columns))).toBeLessThanOrEqual(columns);
        expect(Bun.stringWidth(pad(fit(text, columns), columns))).toBe(columns);
      }),
    );
  });
});

describe("wrap and hang", () => {
  test("[X92] words stay whole, indentation stays, empty lines stay empty", () => {
    expect(wrap("one two three", 8)).toEqual(["one two", "three"]);
    expect(wrap("x\n\n    four five", 9)).toEqual(["x", "", "    four", "    five"]);
    expect(wrap("one two three", Infinity)).toEqual(["one two three"]);
    expect(hang("1. ", "one two\n\nthree", 8)).toEqual(["1. one", "   two", "", "   three"]);
    expect(hang("- ", "one two", 5, (line) => `<${line}>`)).toEqual(["- <one>", "  <two>"]);
  });

  test("[X93] no line is wider than asked for, and no letter is lost", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 8, max: 60 }), (text, columns) => {
        expect(widest(wrap(text, columns))).toBeLessThanOrEqual(columns);
        expect(widest(hang("12. ", text, columns))).toBeLessThanOrEqual(columns);
        expect(wrap(text, columns).join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
      }),
    );
  });

  test("[X94] a text without end is cut, and says how much", () => {
    expect(atMost(["a", "b", "c"], 3)).toEqual(["a", "b", "c"]);
    expect(atMost(["a", "b", "c"], 1)).toEqual(["a", "… 2 more lines"]);
  });
});
