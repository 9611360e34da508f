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

test("[RE19] whoever came with a code is known or still expected in every moment: nobody stops listening to them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-pairs-"));
  try {
    const pairs = createPairs({ file: join(folder, "pairs.json"), now: () => 1 });
    const { code } = pairs.code("telegram");
    const taken = pairs.take(code, { messenger: "telegram", id: "1", chat: "1", name: "Ann" });
    expect([pairs.of("telegram").length, pairs.isExpecting("telegram")]).toEqual([0, true]);
    expect(await taken).toBe(true);
    expect([pairs.of("telegram").length, pairs.isExpecting("telegram")]).toEqual([1, false]);
    // Nobody else can come with it.
    expect(await pairs.take(code, { messenger: "telegram", id: "2", chat: "2", name: "Bob" })).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
