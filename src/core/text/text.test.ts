import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { characterCount, safeLine, safeText, tailText, truncate } from "./text.ts";

const MIB = 1 << 20;
const FORBIDDEN =
  /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2028\u2029\ufeff\u00ad\u{e0000}-\u{e007f}]/u;

/** Mostly ordinary text, often enough a piece that could start, end or split a sequence. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\x1b", "[", "]", "31m", "\x9b", "\x9d", "\x07", "\x1b\\", "\x9c", "\x1bP", "\r", "\n", "\t"),
      fc.constantFrom(
        "\u200d",
        "\u200c",
        "\ufe0f",
        "\u202e",
        "👩",
        "❤",
        "1",
        "\u20e3",
        "ن",
        "क",
        "\u{e0041}",
        "\ud800",
      ),
    ),
  )
  .map((parts) => parts.join(""));

describe("safeText", () => {
  test.each([
    ["colour", "a\x1b[31mred\x1b[0m", "ared"],
    ["cursor and screen", "a\x1b[2J\x1b[1;1Hb\x1b[?1049hc", "abc"],
    ["title", "\x1b]0;title\x07a", "a"],
    ["OSC 8 link", "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["OSC 52 clipboard", "\x1b]52;c;cm0gLXJm\x07a\x1b]52;c;cm0gLXJm\x9cb", "ab"],
    ["DCS, APC, PM, SOS", "a\x1bPq#0;2;0\x1b\\b\x1b_Gf=100;AAAA\x1b\\c\x1b^pm\x1b\\d\x1bXsos\x1b\\e", "abcde"],
    ["8-bit forms", "a\x9b31mb\x9d0;title\x9cc\x90q\x9cd\x9fG\x9ce", "abcde"],
    ["reset and charset", "a\x1bcb\x1b(0c\x1b7d\x1b#8e", "abcde"],
  ])("[T1] complete terminal sequences are removed: %s", (_, text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  test.each([
    ["CSI", "a\x1b[31", "a"],
    ["OSC", "a\x1b]0;title", "a"],
    ["OSC before a line", "a\x1b]52;c;AAAA\nRun this?", "a\nRun this?"],
    ["DCS before CSI", "a\x1bPq\x1b[31mb", "ab"],
    ["8-bit OSC twice", "a\x9d0;x\x9d0;y\nb", "a\nb"],
  ])("[T2] a sequence nobody ended is removed and hides nothing after its line: %s", (_, text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  test.each([
    ["C0, DEL, C1", "a\x00b\x07c\x08d\x7fe\x80f", "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf"],
    ["lone ESC", "a\x1b", "a\ufffd"],
    ["nested halves", "\x1b\x1b[0m[31m", "\ufffd[31m"],
    ["split by an invisible", "\x1b\u200b[31m", "\ufffd[31m"],
    ["surrogates", "a\ud800b\udc00", "a\ufffdb\ufffd"],
  ])("[T3] what is left of control characters and lone surrogates becomes U+FFFD: %s", (_, text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  test("[T4] every kind of line end becomes one newline, a tab four spaces", () => {
    expect(safeText("a\r\nb\rc\vd\fe\x85f\u2028g\u2029h\n\ti")).toBe("a\nb\nc\nd\ne\nf\ng\nh\n    i");
  });

  test("[T5] marks that turn the reading direction are removed", () => {
    expect(safeText("a\u202ab\u202bc\u202cd\u202de\u202ef\u2066g\u2067h\u2068i\u2069j\u200ek\u200fl\u061cm")).toBe(
      "abcdefghijklm",
    );
  });

  test("[T6] invisible characters are removed", () => {
    expect(safeText("a\u200bb\u2060c\u2061d\u2064e\ufefff\u00adg\u{e0041}\u{e007f}h\u3164i\u180ej\ufff9k")).toBe(
      "abcdefghijk",
    );
    expect(safeText("a\ufe0fb\u200dc\u200cd\u{e0100}e\ufe01f1\ufe0fg")).toBe("abcdef1g");
    expect(safeText("👍\ufe0f\ufe0f\ufe0f \u{1f44d}\u200d\u200d\u{1f44d}")).toBe("👍\ufe0f \u{1f44d}\u{1f44d}");
  });

  test.each([
    "👨‍👩‍👧‍👦 ❤️‍🔥 🏳️‍🌈 👩🏽‍💻 👁️‍🗨️ ✈️ ☎︎",
    "1️⃣ #️⃣",
    "می‌خواهم",
    "क्‍ष श्री‌मान",
    "ශ්‍රී",
    "葛\u{e0100}",
    "Grüße, 日本語, עברית, e\u0301",
  ])("[T7] joiners and selectors stay where an emoji or a script needs them: %s", (text) => {
    expect(safeText(text)).toBe(text);
  });

  test("[T8] no text leaves a character that acts on a terminal, and safe text stays as it is", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const safe = safeText(text);
        expect(safe).not.toMatch(FORBIDDEN);
        expect(safe.isWellFormed()).toBe(true);
        expect(safeText(safe)).toBe(safe);
      }),
      { numRuns: 2000 },
    );
  });

  test("[T9] a maximum cuts the safe text, not the raw one", () => {
    expect(safeText("\x1b[31mabc\u200bdef", { max: 4 })).toBe("abc…");
    expect(safeText("\x1b[31mabc\x1b[0m", { max: 3 })).toBe("abc");
  });
});

test("[T10] a safe line has no newline and no run of white space", () => {
  expect(safeLine("  a\r\n\tb \u00a0 c\x1b[K\u2028d  ")).toBe("a b c d");
  expect(safeLine("one\ntwo three", { max: 8 })).toBe("one two…");
  fc.assert(fc.property(hostile, (text) => expect(safeLine(text)).not.toMatch(/\n|\s\s|^\s|\s$/)));
});

describe("truncate", () => {
  test("[T11] a cut falls between characters as a person sees them and shows …", () => {
    expect(truncate("héllo", 5)).toBe("héllo");
    expect(truncate("e\u0301e\u0301e\u0301", 2)).toBe("e\u0301…");
    expect(truncate("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 2)).toBe("👨‍👩‍👧‍👦…");
    expect(truncate("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 2)).toBe("👨‍👩‍👧‍👦👨‍👩‍👧‍👦");
    expect(truncate("abc", 1)).toBe("…");
    expect(truncate("abc", 0)).toBe("");
  });

  test("[LZ3] plain text is cut where the way for all others cuts it", () => {
    const plain = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "."), maxLength: 40 });
    fc.assert(
      fc.property(plain, fc.constantFrom(-1, 0, 0.5, 1, 2, 2.5, 7, 30), (text, max) => {
        if (text.length > max) expect(truncate(text, max)).toBe(truncate(`${text}é`, max));
      }),
    );
  });

  test("[T12] one character of a megabyte of marks does not slip through a maximum", () => {
    expect(truncate(`e${"\u0301".repeat(MIB)}`, 12)).toBe("…");
    expect(characterCount(`e${"\u0301".repeat(MIB)}`)).toBeGreaterThan(12);
  });

  test("[T11] the result is never longer than the maximum", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat({ max: 20 }), (text, max) => {
        expect(characterCount(truncate(text, max))).toBeLessThanOrEqual(max);
      }),
    );
  });
});

test("[T13] a tail holds at most the given bytes and splits no character", () => {
  expect(tailText("aé€😀", 4)).toBe("😀");
  expect(tailText("aé€😀", 6)).toBe("😀");
  expect(tailText("aé€😀", 7)).toBe("€😀");
  expect(tailText("abc", 0)).toBe("");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 40 }), (text, max) => {
      const tail = tailText(text, max);
      expect(text.endsWith(tail)).toBe(true);
      expect(tail.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(max);
      const before = Array.from(text.slice(0, text.length - tail.length)).at(-1) ?? "";
      if (before !== "") expect(Buffer.byteLength(before + tail)).toBeGreaterThan(max);
    }),
  );
});

describe("a megabyte of hostile text", () => {
  const repeated = (seed: string) => seed.repeat(Math.ceil(MIB / seed.length));
  const zeros = "0".repeat(MIB);
  const spaces = " ".repeat(MIB);

  test.each([
    ["openings of sequences", ["\x1b[", "\x1b]", "\x9d", "\x9b0;", "\x1b[0;"].map(repeated), ""],
    ["a sequence that never ends", ["\x1b[", "\x1b]", "\x9d", "\x1bP"].flatMap((o) => [o + zeros, o + spaces]), ""],
    ["joiners and selectors alone", ["\u200d", "\ufe0f"].map(repeated), ""],
    ["an escape before ordinary text", [`\x1b${zeros}`], "0".repeat(MIB - 1)],
    ["an escape before spaces", [`\x1b${spaces}`], `\ufffd${spaces}`],
    ["escapes between spaces", [repeated("\x1b ")], "\ufffd ".repeat(MIB / 2)],
    ["openings cut off by an escape", [repeated("\x1bP\x1b")], "\ufffd".repeat(Math.ceil(MIB / 3))],
    ["carriage returns", [repeated("\r")], "\n".repeat(MIB)],
    ["script joiners", [repeated("ن\u200c")], repeated("ن\u200c")],
    ["emoji joiners", [repeated("👩\u200d")], repeated("👩\u200d").slice(0, -1)],
    ["combining marks", [repeated("a\u0301")], repeated("a\u0301")],
  ])("[T14] comes out as short text would: %s", (_, texts, safe) => {
    for (const text of texts) expect(safeText(text) === safe).toBe(true);
  });

  test("[T14] is cut to the maximum whatever it is made of", () => {
    for (const text of ["\x1b ", "\r", "\u200d", "👩\u200d", "ن\u200c", "a\u0301", "\u0301"].map(repeated)) {
      expect(characterCount(safeLine(text, { max: 200 }))).toBeLessThanOrEqual(200);
      expect(characterCount(truncate(text, 100_000))).toBeLessThanOrEqual(100_000);
      expect(Buffer.byteLength(tailText(text, 100_000))).toBeLessThanOrEqual(100_000);
    }
  });
});

test("[PF13] what needs no cleaning is, untouched, what cleaning would make of it", () => {
  const plain = fc.string({
    unit: fc.constantFrom(...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)), " ", "\n"),
  });
  fc.assert(
    fc.property(plain, (text) => {
      // The invisible character at the end takes the long way, and leaves nothing behind.
      expect(safeText(text)).toBe(safeText(`${text}\u200b`));
      expect(safeLine(text)).toBe(safeLine(`${text}\u200b`));
      expect(characterCount(text)).toBe([...new Intl.Segmenter().segment(text)].length);
    }),
  );
});
