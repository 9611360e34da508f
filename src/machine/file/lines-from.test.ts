import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linesFrom } from "./lines-from.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "lines");
const read = (from: number, longest?: number) =>
  [...linesFrom(file, from, longest)].map(({ line, end }) => [line.toString(), end]);

test("[TC27] whole lines after an offset, each with the offset behind it; half a line is not there yet", () => {
  writeFileSync(file, "one\n\ntwo ü\nhalf");
  expect(read(0)).toEqual([
    ["one", 4],
    ["two ü", 12],
  ]);
  expect(read(5)).toEqual([["two ü", 12]]);
  expect(read(12)).toEqual([]);
  expect(read(999)).toEqual([]);
});

test("[TC28] a line longer than a chunk is whole, one over the limit is left out", () => {
  const [long, longer] = ["x".repeat(600_000), "y".repeat(1_200_000)];
  writeFileSync(file, `${long}\n${longer}\nend\n`);
  const found = [...linesFrom(file, 0, 1_000_000)];
  expect(found.map(({ line }) => line.length)).toEqual([600_000, 3]);
  expect(found[0]?.line.toString()).toBe(long);
  expect(found[1]?.end).toBe(600_001 + 1_200_001 + 4);
});
