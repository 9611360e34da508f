import { type HubIntent, type HubMachine, INTENT, intentOf, type Row } from "./rows.ts";
import type { HubDatabase } from "./schema.ts";

export type HubAsk = {
  machine: Pick<HubMachine, "id" | "name" | "link" | "seenAt" | "revokedAt">;
  view: Record<string, unknown>;
  intent?: HubIntent;
  /** Nothing is kept beside it: nobody was on it, looks at it or was asked, and no policy may mean it. */
  isPlain: boolean;
};

/** In the statement that reads it: what is not there then is told of later. */
const PLAIN = `CASE WHEN (a.state = 'open' AND EXISTS (SELECT 1 FROM hub_policies))
  ${["claims", "halves", "routed", "looks"].map((kept) => `OR EXISTS (SELECT 1 FROM hub_${kept} k WHERE k.ask = a.id AND k.machine = a.machine)`).join(" ")}
  THEN 0 ELSE 1 END`;
const ASK = `a.data, ${PLAIN} AS plain, m.id AS "machineId", m.name AS "machineName", m.link, m.seen_at AS "seenAt", m.revoked_at AS "revokedAt",
  ${INTENT.replaceAll(/(\w)\.(\w+)/g, '$1.$2 AS "$1_$2"')}, r.reason AS "r_reason"`;
/** Of several intents for one Ask the newest, which is the one that counts. */
const ASKS = `SELECT ${ASK} FROM hub_asks a JOIN hub_machines m ON m.id = a.machine
  LEFT JOIN hub_intents i ON i.machine = a.machine AND i.ask = a.id
    AND i.n = (SELECT max(n) FROM hub_intents x WHERE x.machine = a.machine AND x.ask = a.id)
  LEFT JOIN hub_members p ON p.id = i.member
  LEFT JOIN hub_reasons r ON r.machine = i.machine AND r.n = i.n`;
export const MOST_LIKE = 10;

/** Reads Asks as machines told of them, each with the intent that counts. */
export function createHubAsks({ run }: HubDatabase) {
  return {
    /**
     * The longest waiting first; `open`: only those. `projects` null: of all; `after`: where the page before ended. The limit
     * stands in the text: for one that it does not know PostgreSQL plans to read a tenth of all.
     */
    async asks(query: {
      open: boolean;
      projects: readonly string[] | null;
      limit: number;
      after?: { at: number; id: string } | undefined;
      /** Of whom it is asked, or who is on it: by id or name. */
      member?: { named: string; now: number };
      /** By id or name. */
      machine?: string;
    }): Promise<HubAsk[]> {
      const { open, projects, limit, after = { at: -1, id: "" }, member, machine } = query;
      const only = open ? "AND a.state = 'open' AND (a.created_at, a.id) > ($1, $2)" : "";
      const values: (string | number)[] = open ? [after.at, after.id] : [];
      const chosen = [];
      if (machine !== undefined) chosen.push(`AND (m.id = $${values.push(machine)} OR m.name = $${values.length})`);
      if (member !== undefined) chosen.push(forMember(values.push(member.named), values.push(member.now)));
      const rows = await run<Row>(
        `${ASKS} WHERE m.revoked_at IS NULL ${only} ${chosen.join(" ")} ${within(projects, values.length)}
           ORDER BY a.created_at ${open ? "" : "DESC"}, a.id LIMIT ${Math.trunc(limit)}`,
        [...values, ...(projects ?? [])],
      );
      return rows.map(askOf);
    },
    async asksOf(machine: string, ids: readonly string[], projects: readonly string[] | null): Promise<HubAsk[]> {
      const named = ids.map((_, i) => `$${i + 2}`).join(", ");
      const text = `${ASKS} WHERE m.revoked_at IS NULL AND a.machine = $1 AND a.id IN (${named}) ${within(projects, ids.length + 1)}`;
      return ids.length === 0 ? [] : (await run<Row>(text, [machine, ...ids, ...(projects ?? [])])).map(askOf);
    },
    /** By their whole ids, of whichever machine. */
    async asksNamed(ids: readonly string[], projects: readonly string[] | null): Promise<HubAsk[]> {
      const named = ids.map((_, i) => `$${i + 1}`).join(", ");
      const text = `${ASKS} WHERE m.revoked_at IS NULL AND a.id IN (${named}) ${within(projects, ids.length)}`;
      return ids.length === 0 ? [] : (await run<Row>(text, [...ids, ...(projects ?? [])])).map(askOf);
    },
    /** What happened to a machine's Asks after this number, oldest first, each with its own. */
    async newsAfter(machine: string, after: number, limit: number): Promise<{ n: number; ask: HubAsk }[]> {
      const rows = await run<Row & { news: number }>(
        `${ASKS.replace(/^SELECT/, "SELECT x.n AS news,")} JOIN hub_news x ON x.machine = a.machine AND x.ask = a.id
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

/** It was asked of them, or they are on it. Nothing waits for a member who was revoked. */
const forMember = (n: number, now: number): string =>
  `AND EXISTS (SELECT 1 FROM (SELECT machine, ask, member FROM hub_asked
       UNION ALL SELECT machine, ask, member FROM hub_claims WHERE ends_at > $${now}) w
     JOIN hub_members q ON q.id = w.member AND (a.state <> 'open' OR q.revoked_at IS NULL)
     WHERE w.machine = a.machine AND w.ask = a.id AND (q.id = $${n} OR q.name = $${n}))`;

/** Only Asks of these projects, whose names are the values after so many others. */
const within = (projects: readonly string[] | null, before: number): string =>
  projects === null ? "" : `AND a.project IN (${projects.map((_, i) => `$${before + 1 + i}`).join(", ") || "NULL"})`;

function askOf(row: Row): HubAsk {
  const { data, plain, machineId, machineName, link, seenAt, revokedAt, ...rest } = row;
  const intent = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.slice(2), value]));
  return {
    machine: { id: machineId, name: machineName, link, seenAt, revokedAt } as HubAsk["machine"],
    view: JSON.parse(String(data)),
    isPlain: plain === 1,
    ...(rest["i_n"] !== null && { intent: intentOf(intent) }),
  };
}
