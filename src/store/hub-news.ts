import { settleNotices } from "./hub-notices.ts";
import type { HubDatabase, HubRun } from "./hub-schema.ts";

type Row = Record<string, string | number | null>;
const TOGETHER = 200;
export type HubHead = { id: string; name: string; link: string | null; seenAt: number; n: number };

/**
 * Something happened to these Asks of a machine. Contract: the caller holds that machine's row, so its numbers grow in the
 * order of commits, and whoever reads from a number on misses nothing.
 */
export async function noteNews(say: HubRun, machine: string, ids: readonly string[]): Promise<void> {
  const asks = [...new Set(ids)];
  if (asks.length === 0) return;
  const [row] = await say<Row>("SELECT coalesce(max(n), 0) + 1 AS n FROM hub_news WHERE machine = $1", [machine]);
  for (let at = 0; at < asks.length; at += TOGETHER) {
    const some = asks.slice(at, at + TOGETHER);
    await say(
      `INSERT INTO hub_news (machine, n, ask) VALUES ${some.map((_, i) => `($1, $2, $${i + 3})`).join(", ")}
       ON CONFLICT (machine, ask) DO UPDATE SET n = excluded.n`,
      [machine, Number(row?.["n"]), ...some],
    );
    await settleNotices(say, machine, some);
  }
}

/** What pages follow: for each machine how far its news go, and which Asks they are about. */
export function createHubNews({ run }: HubDatabase) {
  return {
    async heads(): Promise<HubHead[]> {
      return run<HubHead>(
        `SELECT m.id, m.name, m.link, m.seen_at AS "seenAt",
           (SELECT coalesce(max(n), 0) FROM hub_news x WHERE x.machine = m.id) AS n
         FROM hub_machines m WHERE m.revoked_at IS NULL ORDER BY m.joined_at, m.id`,
      );
    },
    async newsOf(machine: string, after: number, limit: number): Promise<string[]> {
      const text = "SELECT ask FROM hub_news WHERE machine = $1 AND n > $2 ORDER BY n LIMIT $3";
      return (await run<{ ask: string }>(text, [machine, after, limit])).map(({ ask }) => ask);
    },
  };
}
