import type { HubRun } from "./schema.ts";

export type HubCounts = {
  machines: { online: number; offline: number };
  members: number;
  openAsks: number;
  intents: Record<string, number>;
  events: number;
};
type Count = { name: string; count: number };

/** How much of what a hub has now. `heardSince`: a machine that was not heard since then is away. */
export async function countsOf(run: HubRun, heardSince: number): Promise<HubCounts> {
  const one = async (text: string, values: readonly number[] = []) =>
    (await run<Count>(`SELECT count(*) AS count ${text}`, values))[0]?.count ?? 0;
  const joined = await one("FROM hub_machines WHERE revoked_at IS NULL");
  const online = await one("FROM hub_machines WHERE revoked_at IS NULL AND link IS NOT NULL AND seen_at > $1", [
    heardSince,
  ]);
  const intents = await run<Count>("SELECT state AS name, count(*) AS count FROM hub_intents GROUP BY state");
  const [head] = await run<{ seq: number }>("SELECT seq FROM hub_audit_head WHERE one = 1");
  return {
    machines: { online, offline: joined - online },
    members: await one("FROM hub_members WHERE revoked_at IS NULL"),
    openAsks: await one(
      "FROM hub_asks a JOIN hub_machines m ON m.id = a.machine WHERE a.state = 'open' AND m.revoked_at IS NULL",
    ),
    intents: Object.fromEntries(intents.map(({ name, count }) => [name, count])),
    events: head?.seq ?? 0,
  };
}
