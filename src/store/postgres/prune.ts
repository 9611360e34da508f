import type { Prunable } from "../prune-in-steps.ts";
import { quotedStates } from "../quoted-states.ts";
import { DONE } from "../store.ts";
import type { Database } from "./database.ts";

export function createPrunable(db: Database): Prunable {
  const done = quotedStates(DONE);
  /** With the counter taken: nobody appends to what is just being removed. */
  const remove = (ids: readonly string[], statements: readonly string[]) =>
    db.transaction(async (run) => {
      await run("SELECT seq FROM counter WHERE one FOR UPDATE");
      for (const sql of statements) void run(sql, [ids]);
    });
  const found = async (sql: string, before: number, limit: number) =>
    (await db.run<{ id: string }>(sql, [before, limit])).map(({ id }) => id);
  return {
    doneAsks: (before, limit) =>
      found(`SELECT id FROM asks WHERE state IN (${done}) AND settled_at < $1 LIMIT $2`, before, limit),
    removeAsks: (ids) => remove(ids, OF_ASK),
    endedSessions: (before, limit) =>
      found(
        `SELECT id FROM sessions WHERE ended_at < $1
         AND NOT EXISTS (SELECT 1 FROM asks WHERE asks.session = sessions.id) LIMIT $2`,
        before,
        limit,
      ),
    removeSessions: (ids) => remove(ids, OF_SESSION),
  };
}

const OF_ASK = [
  ...["events", "once", "drafts", "precedents", "marks"].map(
    (table) => `DELETE FROM ${table} WHERE ask = ANY($1::text[])`,
  ),
  "DELETE FROM asks WHERE id = ANY($1::text[])",
];
const OF_SESSION = [
  "DELETE FROM events WHERE session = ANY($1::text[]) AND ask IS NULL",
  "DELETE FROM sessions WHERE id = ANY($1::text[])",
];
