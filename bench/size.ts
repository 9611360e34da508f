// How large the database is, and what pruning gives back.
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../src/store/sqlite/open.ts";
import { putHistory } from "./history.ts";
import type { Part } from "./row.ts";

const ASKS = 25_000;

export const size: Part = {
  name: "size",
  about: "bytes of the database per settled ask, and what pruning gives back",
  notes: [
    `Size: a database of ${ASKS.toLocaleString("en")} settled asks with four events each, of one recorded question with three options. Pruning everything: free is what the file then has room for, which the next asks take; a file is made smaller only by copying it (\`parley backup\`).`,
  ],
  async run(say) {
    const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
    const path = join(folder, "parley.db");
    try {
      await putHistory(ASKS, path, say);
      const before = statSync(path).size;
      const store = openSqlite(path);
      const since = performance.now();
      const removed = await store.prune(Date.now());
      const took = performance.now() - since;
      await store.close();
      const db = new Database(path);
      const number = (pragma: string) => Number(Object.values(db.query(`PRAGMA ${pragma}`).get() as object)[0]);
      const free = number("freelist_count") * number("page_size");
      db.run(`VACUUM INTO '${path}.copy'`);
      db.close();
      const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
      const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
      return [
        { what: "database per settled ask, four events", measured: kb(before / ASKS), beside: mb(before) },
        {
          what: `pruning all ${ASKS.toLocaleString("en")} of them (${JSON.stringify(removed)} removed)`,
          measured: `${mb(free)} of ${mb(before)} free for what comes next, in ${(took / 1000).toFixed(1)} s`,
          beside: `a copy of what is left: ${mb(statSync(`${path}.copy`).size)}`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
