import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, openSync, rmSync, writeFileSync, writeSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bothEndsFrom, bothEndsOf, type Room } from "./both-ends.ts";

const dir = mkdtempSync(join(tmpdir(), "parley-ends-"));
afterAll(() => rmSync(dir, { recursive: true }));
const path = join(dir, "out");
const ROOM: Room = { head: 10, tail: 20 };

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([
  ["nothing", "", ""],
  ["what fits", "a".repeat(30), "a".repeat(30)],
  ["a byte more", `${"a".repeat(10)}x${"b".repeat(20)}`, `${"a".repeat(10)}\n… 1 byte left out …\n${"b".repeat(20)}`],
  ["much", `first ${"x".repeat(5_000_000)} last`, `first xxxx\n… 4.8 MiB left out …\n${"x".repeat(15)} last`],
  [
    "characters at the cut",
    `${"ü".repeat(9)}€${"€".repeat(20)}`,
    `${"ü".repeat(5)}\n… 51 bytes left out …\n${"€".repeat(6)}`,
  ],
  ["half characters", `x${"€".repeat(40)}x`, `x€€€\n… 92 bytes left out …\n${"€".repeat(6)}x`],
])(
  "[EN11] of what is printed its two ends are kept, and how much is missing is said: %s",
  async (_what, text, shown) => {
    writeFileSync(path, text);
    expect(bothEndsOf(path, ROOM)).toBe(shown);
    for (const size of [1, 7, 64 * 1024]) {
      if (text.length / size > 100_000) continue;
      expect(await bothEndsFrom(inChunks(text, size), ROOM)).toBe(shown);
    }
  },
);

test("[EN11] a file of many gigabytes is not read, one that is not there is empty", () => {
  const file = openSync(path, "w");
  writeSync(file, "first");
  writeSync(file, "last", 2 ** 36);
  closeSync(file);
  const shown = bothEndsOf(path, { head: 5, tail: 4 });
  expect(shown).toBe(`first\n… ${((2 ** 36 - 5) / 1024 / 1024).toFixed(1)} MiB left out …\nlast`);
  expect(bothEndsOf(join(dir, "none"), ROOM)).toBe("");
  expect(bothEndsOf(dir, ROOM)).toBe("");
});
