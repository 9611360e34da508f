import { expect, test } from "bun:test";
import { rowsIn } from "./ancestry.ts";

test("[DC90] a start that ps pads stays as it is written, so that the same process is known again", () => {
  const text = "    1     0 Sun Nov  1 09:05:00 2026\n  612     1 Mon Nov 16 18:15:00 2026    \n\n";
  expect(rowsIn(text)).toEqual([
    [1, { parent: 0, started: "Sun Nov  1 09:05:00 2026" }],
    [612, { parent: 1, started: "Mon Nov 16 18:15:00 2026" }],
  ]);
});
