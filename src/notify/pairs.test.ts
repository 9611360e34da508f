import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPairs } from "./pairs.ts";

test("[RE12] two who are paired in the same moment are both known, also to the next daemon", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-pairs-"));
  try {
    const file = join(folder, "pairs.json");
    const pairs = createPairs({ file, now: () => 1 });
    const names = ["telegram", "slack"];
    const taken = names.map((messenger) =>
      pairs.take(pairs.code(messenger).code, { messenger, id: "1", chat: "1", name: "Ann" }),
    );
    expect(await Promise.all(taken)).toEqual([true, true]);
    const next = createPairs({ file, now: () => 1 });
    for (const each of [pairs, next]) expect(each.list().map(({ messenger }) => messenger)).toEqual(names);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
