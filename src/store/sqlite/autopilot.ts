import type { Database } from "bun:sqlite";
import { type Agreement, tallyOf } from "../../core/ask/agreement.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { keysOf } from "../../core/autopilot/ladder/precedent.ts";
import type { Store } from "../store.ts";

/** So many at once: whoever asks something meanwhile waits for one such step. */
const STEP = 200;
type Row = { data: string };

/** What the autopilot finds an answered question by, and what is counted of its own part. */
export function createPilotWriter(db: Database): (before: Ask | undefined, ask: Ask) => void {
  const putPrecedent = precedentWriter(db);
  const putTally = db.query(
    `INSERT INTO piloted (ask, at, session, decider, result, spent) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (ask) DO UPDATE SET decider = ?4, result = ?5, spent = max(spent, ?6)`,
  );
  return (before, ask) => {
    if (ask.outcome && ask.outcome !== before?.outcome) putPrecedent(ask);
    const tally = tallyOf(ask);
    if (!tally) return;
    const { decider, result, spent } = tally;
    putTally.run(ask.id, ask.updatedAt, ask.origin.session ?? null, decider, result, spent ? 1 : 0);
  };
}

export function createPilotReader(db: Database): Pick<Store, "precedents" | "keyPrecedents" | "spent" | "agreements"> {
  const putPrecedent = precedentWriter(db);
  const byKey = db.query<{ ask: string; at: number }, [string, string, number]>(
    "SELECT ask, at FROM precedents WHERE project = ? AND key = ? ORDER BY at DESC LIMIT ?",
  );
  const byId = db.query<Row, [string]>("SELECT data FROM asks WHERE id = ?");
  const spentOf = db.query<{ n: number }, [string]>(
    "SELECT count(*) AS n FROM piloted WHERE spent = 1 AND session = ?",
  );
  const spentSince = db.query<{ n: number }, [number]>("SELECT count(*) AS n FROM piloted WHERE spent = 1 AND at >= ?");
  const unkeyed = db.query<{ ask: string }, []>(`SELECT ask FROM unkeyed LIMIT ${STEP}`);
  const keyed = db.query("DELETE FROM unkeyed WHERE ask = ?");
  const keyNext = db.transaction((ids: readonly string[]) => {
    for (const id of ids) {
      const row = byId.get(id);
      if (row) putPrecedent(JSON.parse(row.data) as Ask);
      keyed.run(id);
    }
  });

  return {
    async precedents(project, keys, limit) {
      const found = new Map(keys.flatMap((key) => byKey.all(project, key, limit).map(({ ask, at }) => [ask, at])));
      const newest = [...found].toSorted(([, a], [, b]) => b - a).slice(0, limit);
      return newest.flatMap(([id]) => {
        const row = byId.get(id);
        return row ? [JSON.parse(row.data) as Ask] : [];
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
      const sql = "SELECT decider, result, count(*) AS count FROM piloted GROUP BY decider, result ORDER BY decider";
      return db.query<{ decider: string; result: Agreement; count: number }, []>(sql).all();
    },
  };
}

/** Only what a person chose is a precedent. */
function precedentWriter(db: Database): (ask: Ask) => void {
  const forget = db.query("DELETE FROM precedents WHERE ask = ?");
  const put = db.query("INSERT OR IGNORE INTO precedents (project, key, at, ask) VALUES (?, ?, ?, ?)");
  return (ask) => {
    const { outcome, origin, id } = ask;
    forget.run(id);
    if (!outcome?.answers || outcome.actor.type !== "person" || origin.project === undefined) return;
    for (const key of keysOf(ask)) put.run(origin.project, key, outcome.at, id);
  };
}
