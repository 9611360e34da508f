import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { root, rulesIn } from "./rules.ts";

test("[A7] every rule that SPEC.md or a page of the docs names is quoted by a test", async () => {
  const tested = await rulesIn();
  const pages = ["SPEC.md", ...[...new Glob("*.md").scanSync(join(root, "docs"))].map((page) => `docs/${page}`)];
  const unknown: string[] = [];
  for (const page of pages)
    for (const [, id = ""] of (await Bun.file(join(root, page)).text()).matchAll(/\[([A-Z]{1,2}\d+)\]/g))
      if (!tested.has(id)) unknown.push(`${page}: [${id}]`);
  expect(unknown).toEqual([]);
  expect(tested.size).toBeGreaterThan(500);
});

test("[A7] SPEC.md stays short enough to be read", async () => {
  expect((await Bun.file(join(root, "SPEC.md")).text()).length).toBeLessThanOrEqual(15_000);
});
