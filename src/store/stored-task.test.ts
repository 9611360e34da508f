import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasProcess } from "../core/task/task-state.ts";
import { openSqlite } from "./sqlite/open.ts";

test("[EF15] of tasks that an earlier version stored as parked because their process had ended, those that wait are", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "parley-")), "parley.db");
  const db = new Database(path);
  db.run(readFileSync(join(import.meta.dir, "sqlite/fixtures/before-effects.sql"), "utf8"));
  const parkedThen = db
    .query<{ n: number }, []>("SELECT count(*) AS n FROM tasks WHERE json_extract(data, '$.parked')")
    .get()?.n;
  expect(parkedThen).toBe(12);
  // Its process had ended, and its daemon was killed before it looked.
  const stopped = "json_remove(json_set(data, '$.state', 'in_progress'), '$.waitingFor')";
  db.run(`UPDATE tasks SET state = 'in_progress', data = ${stopped} WHERE data LIKE '%"name":"gate"%'`);
  db.close();
  const store = openSqlite(path);
  const tasks = await store.tasks({});
  const said = tasks.map((task) => [task.order.name, [task.state, hasProcess(task), task.parked]]);
  const waits = ["waiting", false, true];
  expect(Object.fromEntries(said)).toEqual({
    ...Object.fromEntries(["idle", "dead", "error", "budget", "review", "question"].map((name) => [name, waits])),
    ...Object.fromEntries(["idle-settled", "dead-settled", "review-settled"].map((name) => [name, waits])),
    gate: ["in_progress", false, false],
    over: ["done", false, false],
    cancelled: ["cancelled", false, false],
    running: ["in_progress", true, false],
  });
  for (const { id, parked } of tasks) expect((await store.task(id))?.parked).toBe(parked);
  await store.close();
});
