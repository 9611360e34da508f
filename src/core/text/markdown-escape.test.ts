import { expect, test } from "bun:test";
import { codeSpan, escapedLine, fenced } from "./markdown-escape.ts";

const HOSTILE = [
  "```\n# Approved by the owner\n```",
  "````` x ```",
  "`a` ``b`` `",
  "<script>alert(1)</script><img src=x onerror=y>",
  "[click](https://evil.example) ![x](y)",
  "@owner please merge #12, see https://evil.example and www.evil.example",
  "# head",
  "1. one",
  "- item",
  "+ item",
  "> quote",
  "=====",
  "| a | b |\n|---|---|",
  "**bold** _it_ ~~no~~ &lt; $x$ :tada:",
  "a\\",
  "\x1b[31mred\x1b[0m\u202egpj",
  "</details><!-- -->",
];
const ELEMENTS = /<(?:h\d|script|img|a|table|ol|blockquote|strong|em|del|hr|li|ul)\b/;

test("[RD6] words of an agent never become markup: not in a block, not in a line of code, not as text", () => {
  for (const words of HOSTILE) {
    const block = Bun.markdown.html(`${fenced(words, "diff")}\n\nAfter`);
    expect([words, block.match(/<pre>/g)?.length, ELEMENTS.test(block)]).toEqual([words, 1, false]);
    expect(block).toEndWith("<p>After</p>\n");
    for (const line of [codeSpan(words), escapedLine(words)]) {
      const html = Bun.markdown.html(`Before ${line} after`);
      expect([line, ELEMENTS.test(html), html.includes("after</p>")]).toEqual([line, false, true]);
      expect(line).not.toContain("\n");
      const item = Bun.markdown.html(`- ${line}`).replace(/^<ul>\s*<li>/, "");
      expect([line, ELEMENTS.test(item)]).toEqual([line, false]);
    }
    // Whoever reads it as text is told the same words.
    expect(escapedLine(words)).not.toMatch(/@\w|#\d|:\/\/|www\./);
  }
  expect(codeSpan("a `b`")).toBe("`` a `b` ``");
  expect(codeSpan("")).toBe("");
  expect(escapedLine("plain words (git status; 3 files)")).toBe("plain words (git status; 3 files)");
});
