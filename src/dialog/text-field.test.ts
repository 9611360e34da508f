import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { cursorLine, layout } from "./field-layout.ts";
import { edit, insert, type TextField } from "./text-field.ts";

/** `|` is the cursor. */
const field = (drawn: string): TextField => ({ text: drawn.replace("|", ""), cursor: drawn.indexOf("|") });
const drawn = ({ text, cursor }: TextField) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const after = (start: string, ...keys: string[]) =>
  drawn(keys.reduce<TextField>((now, key) => edit(now, key, 10) ?? now, field(start)));

test("[DG49] the keys of the usual line editors move and cut, whole characters at a time", () => {
  expect(after("ab|", "left", "backspace")).toBe("|b");
  expect(after("a👨‍👩‍👧|", "backspace")).toBe("a|");
  expect(after("a|👨‍👩‍👧b", "right")).toBe("a👨‍👩‍👧|b");
  expect(after("|e\u0301x", "delete")).toBe("|x");
  expect(after("one two|", "ctrl+w")).toBe("one |");
  expect(after("one two|", "alt+left", "alt+left")).toBe("|one two");
  expect(after("|one two", "ctrl+right")).toBe("one| two");
  expect(after("one\ntw|o", "ctrl+u")).toBe("one\n|o");
  expect(after("one\nt|wo\nx", "ctrl+k")).toBe("one\nt|\nx");
  expect(after("one\ntwo|\nx", "home")).toBe("one\n|two\nx");
  expect(after("one\n|two\nx", "end")).toBe("one\ntwo|\nx");
  expect(after("|", "backspace", "delete", "left", "right", "up", "down", "ctrl+w")).toBe("|");
  expect(edit(field("a|"), "f5", 10)).toBeUndefined();
  expect(drawn(insert(field("a|c"), "b"))).toBe("ab|c");
});

test("[DG50] up and down keep the column, over wraps and wide characters too", () => {
  expect(after("abc\nde|f\nghi", "up")).toBe("ab|c\ndef\nghi");
  expect(after("abc\nde|f\ng", "down")).toBe("abc\ndef\ng|");
  expect(after("0123456789abc|", "up")).toBe("012|3456789abc");
  expect(after("012|3456789abc", "down")).toBe("0123456789abc|");
  expect(after("日本語\nab|c", "up")).toBe("日|本語\nabc");
  expect(after("ab|", "up")).toBe("|ab");
  expect(after("|ab", "down")).toBe("ab|");
});

test("[DG51] lines break between words", () => {
  const lines = (text: string) => layout(text, 10).map(({ start, end }) => text.slice(start, end));
  expect(lines("one two three")).toEqual(["one two ", "three"]);
  expect(lines("abcdefghijklm no")).toEqual(["abcdefghij", "klm no"]);
  expect(lines("0123456789 x")).toEqual(["0123456789", " x"]);
});

test("[DG51] every line fits, the lines together are the text, and the cursor is on one of them", () => {
  const word = fc.constantFrom("word", "日本", "👨‍👩‍👧", "\n", "\t", " ", "e\u0301", "\x1b[31m", "\u202e", "\0");
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 40 }), fc.nat({ max: 99 }), (given, width, at) => {
      const lines = layout(given, width);
      const sizes = lines.map(({ cells }) => cells.reduce((sum, cell) => sum + cell.width, 0));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(width);
      expect(lines.map(({ start, end }) => given.slice(start, end)).join("")).toBe(given.replaceAll("\n", ""));
      expect(lines.flatMap(({ cells }) => cells.map(({ shown }) => shown)).join("")).not.toMatch(/[\x00-\x1f\u202e]/);
      const line = lines[cursorLine(lines, Math.min(at, given.length))];
      expect(line?.start).toBeLessThanOrEqual(Math.min(at, given.length));
    }),
  );
});
