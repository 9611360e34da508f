import type { Agreement } from "../../core/ask/answer/agreement.ts";
import type { TrustKey, TrustMark } from "../../core/autopilot/trust/marks.ts";
import { newestOf } from "../projections.ts";
import { readAsk } from "../stored.ts";
import type { Store } from "../store.ts";
import type { Run } from "./line.ts";
import type { Row } from "./standing.ts";

type MarkRow = TrustKey & Row & { at: number; ask: string; part: number };
type PilotReader = Pick<Store, "precedents" | "keyPrecedents" | "spent" | "agreements" | "marks" | "trusted">;

export function createPilotReader(run: Run): PilotReader {
  return {
    async precedents(project, keys, limit) {
      const found = await Promise.all(
        keys.map((key) =>
          run<{ ask: string; at: number }>(
            "SELECT ask, at FROM precedents WHERE project = $1 AND key = $2 ORDER BY at DESC LIMIT $3",
            [project, key, limit],
          ),
        ),
      );
      const ids = newestOf(found.flat(), limit);
      const rows = await run<Row & { id: string }>("SELECT id, data FROM asks WHERE id = ANY($1::text[])", [ids]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.flatMap((id) => {
        const row = byId.get(id);
        return row ? [readAsk(row)] : [];
      });
    },
    // None is older than its keys.
    keyPrecedents: async () => 0,
    async spent({ session, since = 0 }) {
      const where = session === undefined ? "at >= $1" : "session = $1";
      const sql = `SELECT count(*) AS n FROM piloted WHERE spent = 1 AND ${where}`;
      return (await run<{ n: number }>(sql, [session ?? since]))[0]?.n ?? 0;
    },
    agreements: () =>
      run<{ decider: string; result: Agreement; count: number }>(
        "SELECT decider, result, count(*) AS count FROM piloted GROUP BY decider, result ORDER BY decider, result",
      ).then((rows) => [...rows]),
    async marks({ project, decider, question }, limit) {
      const sql = `SELECT * FROM marks WHERE project = $1 AND decider = $2 AND question = $3
        ORDER BY at DESC, ask DESC, part DESC LIMIT $4`;
      return (await run<MarkRow>(sql, [project, decider, question, limit])).map(markOf);
    },
    async trusted(limit) {
      const sql = `SELECT * FROM (
          SELECT DISTINCT ON (project, decider, question) * FROM marks
          ORDER BY project, decider, question, at DESC, ask DESC, part DESC
        ) AS newest ORDER BY at DESC, ask DESC LIMIT $1`;
      return (await run<MarkRow>(sql, [limit])).map(markOf);
    },
  };
}

function markOf({ data, ...row }: MarkRow): TrustMark {
  return { ...(JSON.parse(data) as Omit<TrustMark, keyof MarkRow>), ...row };
}
