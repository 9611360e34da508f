import type { Database } from "bun:sqlite";
import type { Prunable } from "../prune-in-steps.ts";
import { quotedStates } from "../quoted-states.ts";
import { DONE } from "../store.ts";

export function createPrunable(db: Database): Prunable {
  const done = quotedStates(DONE);
  const doneAsks = db.query<{ id: string }, [number, number]>(
    `SELECT id FROM asks WHERE state IN (${done}) AND settled_at < ? LIMIT ?`,
  );
  const endedSessions = db.query<{ id: string }, [number, number]>(
    `SELECT id FROM sessions WHERE ended_at < ? AND NOT EXISTS (SELECT 1 FROM asks WHERE session = sessions.id) LIMIT ?`,
  );
  const remove = db.transaction((ids: readonly string[], statements: readonly string[]) => {
    for (const sql of statements) for (const id of ids) db.query(sql).run(id);
  });
  return {
    doneAsks: (before, limit) => idsOf(doneAsks.all(before, limit)),
    removeAsks: (ids) => remove(ids, OF_ASK),
    endedSessions: (before, limit) => idsOf(endedSessions.all(before, limit)),
    removeSessions: (ids) => remove(ids, OF_SESSION),
  };
}

const OF_ASK = [
  "DELETE FROM events WHERE ask = ?",
  "DELETE FROM once WHERE ask = ?",
  "DELETE FROM drafts WHERE ask = ?",
  "DELETE FROM precedents WHERE ask = ?",
  "DELETE FROM marks WHERE ask = ?",
  "DELETE FROM unkeyed WHERE ask = ?",
  "DELETE FROM asks WHERE id = ?",
];
const OF_SESSION = ["DELETE FROM events WHERE session = ? AND ask IS NULL", "DELETE FROM sessions WHERE id = ?"];

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
