import type { Database } from "bun:sqlite";
import { quotedStates } from "./read.ts";
import { DONE } from "../store.ts";

/** So many at once: whoever asks something meanwhile waits for one such step, not for a year of history. */
const STEP = 200;

/** See `Store.prune`. */
export function createPrune(db: Database) {
  const done = quotedStates(DONE);
  const oldAsks = db.query<{ id: string }, [number]>(
    `SELECT id FROM asks WHERE state IN (${done}) AND settled_at < ? LIMIT ${STEP}`,
  );
  /** One that is over, and that nothing is about any more. */
  const oldSessions = db.query<{ id: string }, [number]>(
    `SELECT id FROM sessions WHERE ended_at < ? AND NOT EXISTS (SELECT 1 FROM asks WHERE session = sessions.id) LIMIT ${STEP}`,
  );
  const remove = db.transaction((ids: readonly string[], statements: readonly string[]) => {
    for (const sql of statements) for (const id of ids) db.query(sql).run(id);
  });

  return async function prune(before: number): Promise<number> {
    let removed = 0;
    for (let ids = idsOf(oldAsks.all(before)); ids.length > 0; ids = idsOf(oldAsks.all(before))) {
      remove(ids, OF_ASK);
      removed += ids.length;
      await pause();
    }
    for (let ids = idsOf(oldSessions.all(before)); ids.length > 0; ids = idsOf(oldSessions.all(before))) {
      remove(ids, OF_SESSION);
      await pause();
    }
    return removed;
  };
}

const OF_ASK = [
  "DELETE FROM events WHERE ask = ?",
  "DELETE FROM once WHERE ask = ?",
  "DELETE FROM drafts WHERE ask = ?",
  "DELETE FROM precedents WHERE ask = ?",
  "DELETE FROM unkeyed WHERE ask = ?",
  "DELETE FROM asks WHERE id = ?",
];
const OF_SESSION = ["DELETE FROM events WHERE session = ? AND ask IS NULL", "DELETE FROM sessions WHERE id = ?"];

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const pause = () => new Promise((resolve) => setImmediate(resolve));
