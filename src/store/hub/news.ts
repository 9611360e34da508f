import { settleNotices } from "./notices.ts";
import type { HubDatabase, HubRun } from "./schema.ts";

export type HubHead = { id: string; name: string; link: string | null; seenAt: number; n: number };

/**
 * Something happened to these Asks of a machine. Contract: the caller holds that machine's row, so its numbers grow in the
 * order of commits, and whoever reads from a number on misses nothing. `link`: only if that is its connection.
 */
export function noteNews(say: HubRun, machine: string, ids: readonly string[], link: string | null = null): void {
  const asks = [...new Set(ids)];
  numberNews(say, machine, asks, link);
  settleNotices(say, machine, asks, link);
}

/** The same where none of them was ever asked of anybody. */
export function numberNews(say: HubRun, machine: string, asks: readonly string[], link: string | null = null): void {
  for (const ask of asks)
    void say(
      `INSERT INTO hub_news (machine, n, ask)
       SELECT m.id, (SELECT coalesce(max(n), 0) + 1 FROM hub_news x WHERE x.machine = m.id), CAST($2 AS text)
       FROM hub_machines m WHERE m.id = $1 AND (CAST($3 AS text) IS NULL OR (m.link = $3 AND m.revoked_at IS NULL))
       ON CONFLICT (machine, ask) DO UPDATE SET n = excluded.n`,
      [machine, ask, link],
    );
}

/**
 * Something that a team has in common changed: its rules, its people, their browsers, work that was given. Pages that show it
 * read it again. Contract: said after the machine is locked and before the log is.
 */
export function noteTeam(say: HubRun): void {
  void say(
    `INSERT INTO hub_facts (name, value) VALUES ('team', '1')
     ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(hub_facts.value AS bigint) + 1 AS text)`,
  );
}

/** What pages follow: for each machine how far its news go, and which Asks they are about. */
export function createHubNews({ run }: HubDatabase) {
  return {
    /** How often what a team has in common was changed. */
    async teamChanges(): Promise<string> {
      return (await run<{ value: string }>("SELECT value FROM hub_facts WHERE name = 'team'"))[0]?.value ?? "0";
    },
    async heads(): Promise<HubHead[]> {
      return run<HubHead>(
        `SELECT m.id, m.name, m.link, m.seen_at AS "seenAt",
           (SELECT coalesce(max(n), 0) FROM hub_news x WHERE x.machine = m.id) AS n
         FROM hub_machines m WHERE m.revoked_at IS NULL ORDER BY m.joined_at, m.id`,
      );
    },
  };
}
