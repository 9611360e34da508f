import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { type MarkdownLook, markdownLines, paintedInline } from "./markdown-lines.ts";

const mark = (open: string, close: string) => (text: string) => `${open}${text}${close}`;
const none = (text: string) => text;
const MARKED = { text: none, strong: mark("⟪", "⟫"), code: mark("‹", "›"), muted: none };
const PLAIN = { text: none, strong: none, code: none, muted: none };
const cut = (line: string, width: number): string[] =>
  line.length <= width ? [line] : [line.slice(0, width), ...cut(line.slice(width), width)];
const look = (paint = MARKED, width = 60): MarkdownLook => ({
  paint,
  width,
  wrap: cut,
  widthOf: (line) => line.length,
});
const drawn = (text: string, width?: number) => markdownLines(text, look(MARKED, width));

describe("markdown in a terminal", () => {
  test("[VB21] bold, code, headings, lists, fences, quotes, tables", () => {
    const source = [
      "# Title",
      "Use **SQLite** or `pg`?",
      "- one **big**",
      "- two",
      "  - inner",
      "",
      "3. three",
      "",
      "> quoted",
      "",
      "```sh",
      "rm  -rf x",
      "```",
      "",
      "| a | b |",
      "|---|---|",
      "| long | 2 |",
      "",
      "Last *words*.",
    ].join("\n");
    expect(drawn(source)).toEqual([
      "⟪Title⟫",
      "Use ⟪SQLite⟫ or ‹pg›?",
      "• one ⟪big⟫",
      "• two",
      "  • inner",
      "",
      "3. three",
      "",
      "│ quoted",
      "",
      "  ‹rm  -rf x›",
      "",
      "⟪a⟫  │ ⟪b⟫",
      "long │ 2  ",
      "",
      "Last *words*.",
    ]);
  });

  test("[VB21] a link shows where it leads", () => {
    expect(drawn("see [docs](https://example.com/x) and https://example.com/y")).toEqual([
      "see docs (https://example.com/x) and https://example.com/y",
    ]);
  });

  test.each([
    "2**3 and 4**5",
    "*.js and *.ts",
    "delete **/*.log?",
    "*.js,*.ts",
    "a * b * c",
    "__init__ and snake_case_name",
  ])("[VB22] %s stays to the letter", (text) => expect(drawn(text)).toEqual([text]));

  test("[VB21] what goes before and after stands on the line of the words, or on its own", () => {
    expect(markdownLines("Which?", look(), { lead: "[DB] ", tail: " (one or more)" })).toEqual([
      "[DB] Which? (one or more)",
    ]);
    expect(markdownLines("- a\n- b", look(), { lead: "[DB] ", tail: " (q1)" })).toEqual(["[DB]", "• a", "• b", "(q1)"]);
  });

  test("[VB22] plain lines come out as they went in", () => {
    const lines = ["first line", "  indented", "last"];
    expect(drawn(lines.join("\n"))).toEqual(lines);
  });

  test("[VB23] whatever the text, no line is too wide, and nothing but its own letters and our marks is drawn", () => {
    const piece = fc.constantFrom(
      "**",
      "*",
      "`",
      "```\n",
      "\n",
      "- ",
      "1. ",
      "# ",
      "> ",
      "| a |\n|---|\n",
      "[x](http://e.f)",
      "a",
      "b c",
      " ",
    );
    const text = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 60 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.integer({ min: 12, max: 60 }), (source, width) => {
        const lines = markdownLines(source, look(PLAIN, width));
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
        const ours = new Set("•│─ ()/*~.0123456789httpef:");
        for (const letter of lines.join("")) expect(source.includes(letter) || ours.has(letter)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("[VB23] a text made to be slow is drawn", () => {
    for (const evil of ["**a ", "`", "> ", "- ", "| ", "[", "*", "_a", "~~a", "1. x\n"])
      expect(markdownLines(evil.repeat(20_000), look(PLAIN, 80)).length).toBeGreaterThan(0);
  });

  test("[VB21] one line alone", () => expect(paintedInline("a **b** `c`", MARKED)).toBe("a ⟪b⟫ ‹c›"));
});
