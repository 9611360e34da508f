import { afterAll, expect, test } from "bun:test";
import { openDatabase } from "./database.ts";

// What is asked often must not read history: SQLite says by which index it finds it.
const db = openDatabase(":memory:");
afterAll(() => db.close());

const plan = (sql: string, ...values: (string | number)[]) =>
  db
    .query<{ detail: string }, (string | number)[]>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...values)
    .map(({ detail }) => detail)
    .join("; ");

test("[EN10] which task comes next, and how many run, is found by an index", () => {
  const next = `SELECT data FROM tasks WHERE state = 'queued'
    ORDER BY json_extract(data, '$.order.priority') DESC, created_at, id LIMIT 1`;
  expect(plan(next)).toBe("SCAN tasks USING INDEX tasks_queued");
  const busy = "SELECT count(*) AS n FROM tasks WHERE state = 'in_progress'";
  expect(plan(busy)).toBe("SEARCH tasks USING COVERING INDEX tasks_busy (state=?)");
});

test("[AU35] none of it reads history: every look goes through an index", () => {
  const precedents = "SELECT ask, at FROM precedents WHERE project = ? AND key = ? ORDER BY at DESC LIMIT ?";
  expect(plan(precedents, "p", "k", 1)).toBe("SEARCH precedents USING PRIMARY KEY (project=? AND key=?)");
  const spent = "SELECT count(*) AS n FROM piloted WHERE spent = 1 AND";
  expect(plan(`${spent} session = ?`, "s")).toContain("piloted_of_session (session=?)");
  expect(plan(`${spent} at >= ?`, 1)).toContain("piloted_by_time (at>?)");
  expect(plan("DELETE FROM precedents WHERE ask = ?", "a")).toContain("precedents_of_ask");
  const marks = "SELECT * FROM marks WHERE project = ? AND decider = ? AND question = ?";
  expect(plan(`${marks} ORDER BY at DESC, ask DESC, part DESC LIMIT ?`, "p", "d", "q", 1)).toBe(
    "SEARCH marks USING PRIMARY KEY (project=? AND decider=? AND question=?)",
  );
  expect(plan("DELETE FROM marks WHERE ask = ?", "a")).toContain("marks_of_ask");
});

test("[VB12] what was settled last is found by an index", () => {
  const asks = `SELECT data FROM asks WHERE state IN ('verified', 'mismatched', 'closed') AND settled_at IS NOT NULL
    ORDER BY settled_at DESC, id DESC LIMIT ?`;
  expect(plan(asks, 100)).toStartWith("SEARCH asks USING INDEX asks_done");
});

test("[SX27] what is to be pruned is found by an index", () => {
  const asks = "SELECT id FROM asks WHERE state IN ('verified', 'mismatched', 'closed') AND settled_at < ? LIMIT ?";
  expect(plan(asks, 1, 200)).toBe("SEARCH asks USING INDEX asks_done (settled_at<?)");
  const sessions = `SELECT id FROM sessions WHERE ended_at < ?
    AND NOT EXISTS (SELECT 1 FROM asks WHERE session = sessions.id) LIMIT ?`;
  expect(plan(sessions, 1, 200)).toStartWith("SEARCH sessions USING INDEX sessions_ended (ended_at<?)");
});
