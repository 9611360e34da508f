import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const page = await Bun.file(join(root, "docs/approvals.md")).text();
const table = /<!-- matrix -->\n([\s\S]*?)<!-- \/matrix -->/.exec(page)?.[1] ?? "";
const rows = table
  .trim()
  .split("\n")
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
/** Tests that play with a real agent, and those that refuse before one is there. */
const PLACES = ["test/agents/*.test.ts", "test/web/*.test.ts", "test/terminal/*.test.ts", "src/core/ask/edit.test.ts"];

async function testIds(): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const place of PLACES)
    for await (const file of new Glob(place).scan(root))
      for (const [, id = ""] of (await Bun.file(join(root, file)).text()).matchAll(/["`]\[([A-Z]+\d+)\] /g))
        ids.add(id);
  return ids;
}

test("[MX60] every cell of the matrix of approvals names a test that is there, also where nobody is asked; only what cannot be has none", async () => {
  const known = await testIds();
  const [head = [], , ...body] = rows;
  expect(head.length).toBe(8);
  expect(body.length).toBeGreaterThan(10);
  for (const row of body) {
    expect(row.length).toBe(head.length);
    for (const cell of row.slice(2)) {
      const named = [...cell.matchAll(/\[([A-Z]+\d+)\]/g)].map(([, id = ""]) => id);
      const isSaid = /^(?:cannot|none)$/.test(cell);
      expect({ row: row.slice(0, 2), cell, isSaid: isSaid || named.length > 0 }).toMatchObject({ isSaid: true });
      expect({ cell, missing: named.filter((id) => !known.has(id)) }).toMatchObject({ missing: [] });
    }
  }
});
