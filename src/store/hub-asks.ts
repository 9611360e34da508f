import { type HubIntent, type HubMachine, INTENT, intentOf, type Row } from "./hub-rows.ts";
import type { HubDatabase } from "./hub-schema.ts";

export type HubAsk = {
  machine: Pick<HubMachine, "id" | "name" | "link" | "seenAt" | "revokedAt">;
  view: Record<string, unknown>;
  intent?: HubIntent;
};

const ASK = `a.data, m.id AS "machineId", m.name AS "machineName", m.link, m.seen_at AS "seenAt", m.revoked_at AS "revokedAt",
  ${INTENT.replaceAll(/(\w)\.(\w+)/g, '$1.$2 AS "$1_$2"')}`;
/** Of several intents for one Ask the newest, which is the one that counts. */
const ASKS = `SELECT ${ASK} FROM hub_asks a JOIN hub_machines m ON m.id = a.machine
  LEFT JOIN hub_intents i ON i.machine = a.machine AND i.ask = a.id
    AND i.n = (SELECT max(n) FROM hub_intents x WHERE x.machine = a.machine AND x.ask = a.id)
  LEFT JOIN hub_members p ON p.id = i.member`;
export const MOST_LIKE = 10;

/** Reads Asks as machines told of them, each with the intent that counts. */
export function createHubAsks({ run }: HubDatabase) {
  return {
    /** The longest waiting first; `open`: only those. `projects` null: of all; `after`: where the page before ended. */
    async asks(query: {
      open: boolean;
      projects: readonly string[] | null;
      limit: number;
      after?: { at: number; id: string } | undefined;
    }): Promise<HubAsk[]> {
      const { open, projects, limit, after = { at: -1, id: "" } } = query;
      const only = open ? "AND a.state = 'open' AND (a.created_at > $2 OR (a.created_at = $2 AND a.id > $3))" : "";
      const values = open ? [limit, after.at, after.id] : [limit];
      const rows = await run<Row>(
        `${ASKS} WHERE m.revoked_at IS NULL ${only} ${within(projects, values.length)}
           ORDER BY a.created_at ${open ? "" : "DESC"}, a.id LIMIT $1`,
        [...values, ...(projects ?? [])],
      );
      return rows.map(askOf);
    },
    /** What happened to a machine's Asks after this number, oldest first, each with its own. */
    async newsAfter(machine: string, after: number, limit: number): Promise<{ n: number; ask: HubAsk }[]> {
      const rows = await run<Row & { news: number }>(
        `${ASKS.replace("SELECT", "SELECT x.n AS news,")} JOIN hub_news x ON x.machine = a.machine AND x.ask = a.id
         WHERE m.revoked_at IS NULL AND x.machine = $1 AND x.n > $2 ORDER BY x.n LIMIT $3`,
        [machine, after, limit],
      );
      return rows.map(({ news, ...row }) => ({ n: news, ask: askOf(row) }));
    },
    /** Ids that begin with it, of letters and digits alone. */
    async asksLike(prefix: string, projects: readonly string[] | null): Promise<HubAsk[]> {
      const rows = await run<Row>(
        `${ASKS} WHERE m.revoked_at IS NULL AND a.id >= $1 AND a.id <= $2 ${within(projects, 2)}
           ORDER BY a.id LIMIT ${MOST_LIKE}`,
        // A range, which an index serves for any value; no letter of an id comes after z.
        [prefix, `${prefix}${"z".repeat(40)}`, ...(projects ?? [])],
      );
      return rows.map(askOf);
    },
  };
}

/** Only Asks of these projects, whose names are the values after so many others. */
const within = (projects: readonly string[] | null, before: number): string =>
  projects === null ? "" : `AND a.project IN (${projects.map((_, i) => `$${before + 1 + i}`).join(", ") || "NULL"})`;

function askOf(row: Row): HubAsk {
  const { data, machineId, machineName, link, seenAt, revokedAt, ...rest } = row;
  const intent = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.slice(2), value]));
  return {
    machine: { id: machineId, name: machineName, link, seenAt, revokedAt } as HubAsk["machine"],
    view: JSON.parse(String(data)),
    ...(rest["i_n"] !== null && { intent: intentOf(intent) }),
  };
}
