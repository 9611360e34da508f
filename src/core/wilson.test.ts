import { expect, test } from "bun:test";
import { wilson } from "./wilson.ts";

test("[TU16] a share has the bounds that statistics books print for it", () => {
  const rounded = (count: number, of: number) => {
    const { low, high } = wilson(count, of);
    return [low, high].map((share) => Math.round(share * 1000) / 10);
  };
  expect(rounded(0, 81)).toEqual([0, 4.5]);
  expect(rounded(31, 54)).toEqual([44.2, 69.7]);
  expect(rounded(10, 10)).toEqual([72.2, 100]);
  expect(rounded(0, 0)).toEqual([0, 100]);
});
