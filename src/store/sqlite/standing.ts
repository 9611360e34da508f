import type { Database } from "bun:sqlite";
import type { Agreement } from "../../core/ask/agreement.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Session } from "../../core/ask/session.ts";
import type { Task } from "../../core/task/task.ts";
import type { Standing } from "../fold.ts";

type Row = { data: string };
type Piloted = { at: number; session: string | null; decider: string; result: Agreement; spent: number };

// Not parsed by their schemas: this store wrote every row from something that was, and reads one for each thing it does.

/** Single rows by their names, at once. */
export function createStanding(db: Database): Standing {
  const ask = db.query<Row, [string]>("SELECT data FROM asks WHERE id = ?");
  const session = db.query<Row, [string]>("SELECT data FROM sessions WHERE id = ?");
  const task = db.query<Row, [string]>("SELECT data FROM tasks WHERE id = ?");
  const used = db.query<{ digest: string; ask: string }, [string]>("SELECT digest, ask FROM once WHERE key = ?");
  const tally = db.query<Piloted, [string]>("SELECT at, session, decider, result, spent FROM piloted WHERE ask = ?");
  const sequence = db.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'events'");
  return {
    lastSeq: () => sequence.get()?.seq ?? 0,
    ask: (id) => content(ask.get(id)) as Ask | undefined,
    session: (id) => content(session.get(id)) as Session | undefined,
    task: (id) => content(task.get(id)) as Task | undefined,
    used: (key) => used.get(key) ?? undefined,
    tally(id) {
      const row = tally.get(id);
      if (!row) return undefined;
      const { session: name, spent, ...rest } = row;
      return { ...rest, ...(name !== null && { session: name }), spent: spent === 1 };
    },
  };
}

const content = (row: Row | null): unknown => (row ? JSON.parse(row.data) : undefined);
