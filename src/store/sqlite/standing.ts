import type { Database } from "bun:sqlite";
import type { Agreement } from "../../core/ask/answer/agreement.ts";
import type { Session } from "../../core/ask/session.ts";
import type { Grant } from "../../core/grant/grant.ts";
import type { Standing } from "../fold.ts";
import { readAsk, readTask } from "../stored.ts";

type Row = { data: string };
type Piloted = { at: number; session: string | null; decider: string; result: Agreement; spent: number };

/** Single rows by their names, at once. */
export function createStanding(db: Database): Standing {
  const ask = db.query<Row, [string]>("SELECT data FROM asks WHERE id = ?");
  const session = db.query<Row, [string]>("SELECT data FROM sessions WHERE id = ?");
  const task = db.query<Row, [string]>("SELECT data FROM tasks WHERE id = ?");
  const grant = db.query<Row, [string]>("SELECT data FROM grants WHERE id = ?");
  const used = db.query<{ digest: string; ask: string }, [string]>("SELECT digest, ask FROM once WHERE key = ?");
  const tally = db.query<Piloted, [string]>("SELECT at, session, decider, result, spent FROM piloted WHERE ask = ?");
  const sequence = db.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'events'");
  return {
    lastSeq: () => sequence.get()?.seq ?? 0,
    ask: (id) => read(ask.get(id), readAsk),
    session: (id) => read(session.get(id), ({ data }) => JSON.parse(data) as Session),
    task: (id) => read(task.get(id), readTask),
    grant: (id) => read(grant.get(id), ({ data }) => JSON.parse(data) as Grant),
    used: (key) => used.get(key) ?? undefined,
    tally(id) {
      const row = tally.get(id);
      if (!row) return undefined;
      const { session: name, spent, ...rest } = row;
      return { ...rest, ...(name !== null && { session: name }), spent: spent === 1 };
    },
  };
}

const read = <T>(row: Row | null, readRow: (row: Row) => T): T | undefined => (row ? readRow(row) : undefined);
