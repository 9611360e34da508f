import type { Policy } from "../core/hub-policy.ts";
import { note, recordOf } from "./hub-audit.ts";
import type { Row } from "./hub-rows.ts";
import type { HubDatabase, HubRun } from "./hub-schema.ts";

/** What the hub demands of answers. Contract: in a transaction what it will be judged by. */
export async function policiesIn(run: HubRun): Promise<Policy[]> {
  const rows = await run<Row>("SELECT id, two, signed, project, kind, stake FROM hub_policies ORDER BY made_at, id");
  return rows.map((row) => ({ ...row, two: row["two"] === 1, signed: row["signed"] === 1 }) as unknown as Policy);
}

/** Which answers need two people, or a signature. */
export function createHubPolicies({ run, transaction }: HubDatabase) {
  return {
    policies: () => policiesIn(run),
    addPolicy: (policy: Policy, now: number): Promise<void> =>
      transaction(async (say) => {
        const { id, two, signed, project, kind, stake } = policy;
        const made = await say(
          `INSERT INTO hub_policies (id, two, signed, project, kind, stake, made_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (id) DO NOTHING RETURNING id`,
          [id, Number(two), Number(signed), project, kind, stake, now],
        );
        const facts = { record: `policy ${id}`, is: recordOf.policy(policy), two, signed, project, of: kind, stake };
        if (made.length > 0) await note(say, now, { kind: "policy.made", by: "host", facts });
      }),
    removePolicy: (id: string, now: number): Promise<boolean> =>
      transaction(async (say) => {
        const gone = await say("DELETE FROM hub_policies WHERE id = $1 RETURNING id", [id]);
        const facts = { record: `policy ${id}` };
        if (gone.length > 0) await note(say, now, { kind: "policy.removed", by: "host", facts });
        return gone.length > 0;
      }),
  };
}
