import { expect, test } from "bun:test";
import { countChanged, countInPatch } from "./line-counts.ts";

test("[NM8] only lines that differ count as changed", () => {
  expect(countChanged("a\nb\nc", "a\nB\nc\nd")).toEqual({ added: 2, removed: 1 });
  expect(countChanged("", "one\ntwo\n")).toEqual({ added: 2, removed: 0 });
  expect(countChanged("one\ntwo", "one\ntwo\n")).toEqual({ added: 0, removed: 0 });
  expect(countChanged("", "")).toEqual({ added: 0, removed: 0 });
});

test("[NM9] a change too large to be compared counts as replaced", () => {
  const lines = (mark: string) => Array.from({ length: 3000 }, (_, i) => `${mark}${i}`).join("\n");
  expect(countChanged(lines("a"), lines("b"))).toEqual({ added: 3000, removed: 3000 });
});

test("[NM10] a diff's own head is no change, a line that looks like it is", () => {
  const patch = "Index: a\n===\n--- a\n+++ a\n@@ -1,2 +1,2 @@\n x\n--- y\n+++ z\n+w\n";
  expect(countInPatch(patch)).toEqual({ added: 2, removed: 1 });
  expect(countInPatch("")).toEqual({ added: 0, removed: 0 });
});
