import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unifiedDiff } from "./unified-diff.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-diff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const numbers = (count: number, change: (n: number) => string[] = (n) => [`${n}`]) =>
  Array.from({ length: count }, (_, i) => change(i + 1))
    .flat()
    .map((line) => `${line}\n`)
    .join("");

test.each([
  ["one line", "a\nb\nc\n", "a\nB\nc\n"],
  ["two hunks", numbers(40), numbers(40, (n) => (n === 5 || n === 30 ? [`${n}`, "new"] : [`${n}`]))],
  ["hunks that touch", numbers(20), numbers(20, (n) => (n === 5 || n === 12 ? [] : [`${n}`]))],
  ["the first and the last line", numbers(9), `0\n${numbers(9)}10\n`],
  ["everything", "a\nb\n", "c\nd\ne\n"],
  ["all gone", "a\nb\n", ""],
  ["ten thousand other lines", numbers(10_000), numbers(10_000, (n) => [`other ${n}`])],
  ["two of ten thousand lines", numbers(10_000), numbers(10_000, (n) => (n === 7 || n === 9000 ? [] : [`${n}`]))],
])("[CF80] %s: what patch makes of it is the new text", async (_, before, after) => {
  const file = join(folder, "file");
  await Bun.write(file, before);
  const diff = `${unifiedDiff({ before, after }, file).join("\n")}\n`;
  const { exitCode, stdout } = Bun.spawnSync(["patch", "--batch", "-p0", "-o", "-", file], {
    stdin: Buffer.from(diff),
  });
  const out = stdout.toString().replace(/^patching file .*\n/, "");
  expect([exitCode, out]).toEqual([0, after]);
});

test("[CF81] a file that is made or taken away is /dev/null on the other side", () => {
  expect(unifiedDiff({ before: undefined, after: "a\n" }, "f")).toEqual([
    "--- /dev/null",
    "+++ f",
    "@@ -0,0 +1,1 @@",
    "+a",
  ]);
  expect(unifiedDiff({ before: "a\n", after: undefined }, "f")).toEqual([
    "--- f",
    "+++ /dev/null",
    "@@ -1,1 +0,0 @@",
    "-a",
  ]);
});

test("[CF82] what would steer a terminal or turn the text round is shown as its code", () => {
  const lines = unifiedDiff({ before: "", after: "a\u202eb\u009bc\u2028d\n" }, "f");
  expect(lines.at(-1)).toBe("+a\\u{202e}b\\u{9b}c\\u{2028}d");
});
