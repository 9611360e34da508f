import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Block, plainText, readMarkdown } from "../../src/core/text/markdown.ts";
import type { Inline } from "../../src/core/text/markdown-inline.ts";

const text = (words: string): Inline => ({ type: "text", text: words });

test("[WB41] markdown of a question is read as blocks", () => {
  const source = [
    "# Title",
    "Which **one** of `these`?",
    "",
    "- first",
    "- second",
    "  - inner",
    "",
    "1. one",
    "",
    "> quoted",
    "",
    "```sh",
    "rm -rf <dir>",
    "```",
    "",
    "| a | b |",
    "|---|:-:|",
    "| 1 | _2_ |",
    "",
    "---",
  ].join("\n");
  expect(readMarkdown(source)).toEqual([
    { type: "heading", level: 1, content: [text("Title")] },
    {
      type: "paragraph",
      content: [
        text("Which "),
        { type: "strong", content: [text("one")] },
        text(" of "),
        { type: "code", text: "these" },
        text("?"),
      ],
    },
    {
      type: "list",
      ordered: false,
      start: 1,
      items: [
        [{ type: "paragraph", content: [text("first")] }],
        [
          { type: "paragraph", content: [text("second")] },
          { type: "list", ordered: false, start: 1, items: [[{ type: "paragraph", content: [text("inner")] }]] },
        ],
      ],
    },
    { type: "list", ordered: true, start: 1, items: [[{ type: "paragraph", content: [text("one")] }]] },
    { type: "quote", blocks: [{ type: "paragraph", content: [text("quoted")] }] },
    { type: "code", text: "rm -rf <dir>" },
    {
      type: "table",
      head: [[text("a")], [text("b")]],
      rows: [[[text("1")], [{ type: "emphasis", content: [text("2")] }]]],
    },
    { type: "rule" },
  ]);
  expect(plainText("Which **one**\n\n- `a`\n- b")).toBe("Which one a, b");
});

test("[WB42] whatever the text, a link leads to a web page or a mail", () => {
  const piece = fc.constantFrom(
    "[a](",
    ")",
    "javascript:x",
    "http://a.b/",
    "**",
    "_",
    "`",
    "> ",
    "- ",
    "\n",
    "|",
    "<b>",
    "data:,",
    "#",
    " x ",
  );
  const source = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.array(piece, { maxLength: 40 }).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(source, (words) => {
      for (const href of linksIn(readMarkdown(words))) expect(href).toMatch(/^(https?|mailto):/);
    }),
    { numRuns: 500 },
  );
});

test("[WB46] a text made to be slow to read is read", () => {
  const spaces = " ".repeat(200_000);
  const slow = [
    `# ${spaces}x`,
    `-${spaces}-${spaces}x`,
    `a|b\n|${spaces}-${spaces}:${spaces}x`,
    `a|b\n${"|-".repeat(10_000)}x`,
    "`a".repeat(10_000),
    "<http://a".repeat(2000),
    "> ".repeat(10_000),
    "- ".repeat(10_000),
    "**a".repeat(7000),
  ];
  for (const words of slow) expect(readMarkdown(words).length).toBeGreaterThan(0);
});

function linksIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksIn);
  if (typeof value !== "object" || value === null) return [];
  const own = "href" in value && typeof value.href === "string" ? [value.href] : [];
  return [...own, ...Object.values(value as Block).flatMap(linksIn)];
}
