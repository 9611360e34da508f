import type { Database } from "bun:sqlite";
import type { Agreement } from "../../core/ask/answer/agreement.ts";
import type { TrustKey, TrustMark } from "../../core/autopilot/trust/marks.ts";
import { newestOf, type Precedent, precedentOf, type TallyRow } from "../projections.ts";
import { readAsk } from "../stored.ts";
import type { Store } from "../store.ts";

/** So many at once: whoever asks something meanwhile waits for one such step. */
const STEP = 200;
type Row = { data: string };
type MarkRow = TrustKey & Row & { at: number; ask: string; part: number };
type PilotReader = Pick<Store, "precedents" | "keyPrecedents" | "spent" | "agreements" | "marks" | "trusted">;

export function createPilotWriter(db: Database) {
  const forget = db.query("DELETE FROM precedents WHERE ask = ?");
  const put = db.query("INSERT OR IGNORE INTO precedents (project, key, at, ask) VALUES (?, ?, ?, ?)");
  const upsert = db.query(
    `INSERT INTO piloted (ask, at, session, decider, result, spent) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (ask) DO UPDATE SET decider = ?4, result = ?5, spent = ?6`,
  );
  const unmark = db.query("DELETE FROM marks WHERE ask = ?");
  const mark = db.query(
    "INSERT INTO marks (project, decider, question, at, ask, part, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  return {
    putPrecedent(ask: string, precedent: Precedent | undefined): void {
      forget.run(ask);
      if (!precedent) return;
      for (const key of precedent.keys) put.run(precedent.project, key, precedent.at, ask);
    },
    putTally(ask: string, { at, session, decider, result, spent }: TallyRow): void {
      upsert.run(ask, at, session ?? null, decider, result, spent ? 1 : 0);
    },
    putMarks(ask: string, marks: readonly TrustMark[]): void {
      unmark.run(ask);
      for (const { project, decider, question, at, part, ...more } of marks)
        mark.run(project, decider, question, at, ask, part, JSON.stringify(more));
    },
  };
}

export function createPilotReader(db: Database): PilotReader {
  const { putPrecedent } = createPilotWriter(db);
  const byKey = db.query<{ ask: string; at: number }, [string, string, number]>(
    "SELECT ask, at FROM precedents WHERE project = ? AND key = ? ORDER BY at DESC LIMIT ?",
  );
  const byId = db.query<Row, [string]>("SELECT data FROM asks WHERE id = ?");
  const spentOf = db.query<{ n: number }, [string]>(
    "SELECT count(*) AS n FROM piloted WHERE spent = 1 AND session = ?",
  );
  const spentSince = db.query<{ n: number }, [number]>("SELECT count(*) AS n FROM piloted WHERE spent = 1 AND at >= ?");
  const ofKey = db.query<MarkRow, [string, string, string, number]>(
    `SELECT * FROM marks WHERE project = ? AND decider = ? AND question = ? ORDER BY at DESC, ask DESC, part DESC LIMIT ?`,
  );
  const newestOfEach = db.query<MarkRow, [number]>(
    `SELECT project, decider, question, max(at) AS at, ask, part, data FROM marks
     GROUP BY project, decider, question ORDER BY at DESC, ask DESC LIMIT ?`,
  );
  const unkeyed = db.query<{ ask: string }, []>(`SELECT ask FROM unkeyed LIMIT ${STEP}`);
  const keyed = db.query("DELETE FROM unkeyed WHERE ask = ?");
  const keyNext = db.transaction((ids: readonly string[]) => {
    for (const id of ids) {
      const row = byId.get(id);
      if (row) putPrecedent(id, precedentOf(readAsk(row)));
      keyed.run(id);
    }
  });

  return {
    async precedents(project, keys, limit) {
      const found = keys.flatMap((key) => byKey.all(project, key, limit));
      return newestOf(found, limit).flatMap((id) => {
        const row = byId.get(id);
        return row ? [readAsk(row)] : [];
      });
    },
    async keyPrecedents() {
      const ids = unkeyed.all().map(({ ask }) => ask);
      keyNext(ids);
      return ids.length < STEP ? 0 : (db.query<{ n: number }, []>("SELECT count(*) AS n FROM unkeyed").get()?.n ?? 0);
    },
    async spent({ session, since = 0 }) {
      return (session === undefined ? spentSince.get(since) : spentOf.get(session))?.n ?? 0;
    },
    async agreements() {
      const sql =
        "SELECT decider, result, count(*) AS count FROM piloted GROUP BY decider, result ORDER BY decider, result";
      return db.query<{ decider: string; result: Agreement; count: number }, []>(sql).all();
    },
    marks: async ({ project, decider, question }, limit) => ofKey.all(project, decider, question, limit).map(markOf),
    trusted: async (limit) => newestOfEach.all(limit).map(markOf),
  };
}

function markOf({ data, ...row }: MarkRow): TrustMark {
  return { ...(JSON.parse(data) as Omit<TrustMark, keyof MarkRow>), ...row };
}
