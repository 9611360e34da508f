import type { Policy } from "../../core/hub-policy.ts";
import type { MemberKey } from "../../core/hub-trust.ts";
import { changerOf, type Changer } from "./acting.ts";
import { note, recordOf } from "./audit.ts";
import type { AuditNote } from "./chain.ts";
import { noteTeam } from "./news.ts";
import type { Row } from "./rows.ts";
import type { HubDatabase, HubRun } from "./schema.ts";

/** What the hub demands of answers and of work that is given. Contract: in a transaction what it will be judged by. */
export async function policiesIn(run: HubRun): Promise<Policy[]> {
  const rows = await run<Row>("SELECT id, two, signed, project, kind, stake FROM hub_policies ORDER BY made_at, id");
  return rows.map((row) => ({ ...row, two: row["two"] === 1, signed: row["signed"] === 1 }) as unknown as Policy);
}

const KEYS = `SELECT k.id AS passkey, k.member, k.public_key AS "publicKey" FROM hub_passkeys k ORDER BY k.made_at, k.id`;

/** Which answers need two people, or a signature. */
export function createHubPolicies({ run, transaction }: HubDatabase) {
  return {
    policies: () => policiesIn(run),
    /** The passkeys of everybody who may still do something. */
    async memberKeys(): Promise<Omit<MemberKey, "rpId">[]> {
      return run(
        `SELECT k.id, k.member, p.name, k.public_key AS "publicKey" FROM hub_passkeys k JOIN hub_members p ON p.id = k.member
         WHERE p.revoked_at IS NULL ORDER BY k.made_at, k.id`,
      );
    },
    /** `instead`: of that one, which is no more. False: there was none, and nothing is changed. */
    addPolicy: (policy: Policy, now: number, by: Changer = "host", instead?: string): Promise<boolean> =>
      transaction(async (say) => {
        const who = await changerOf(say, by, now);
        const gone = instead === undefined ? [] : await drop(say, instead, who);
        if (instead !== undefined && gone.length === 0) return false;
        const { id, two, signed, project, kind, stake } = policy;
        const made = await say(
          `INSERT INTO hub_policies (id, two, signed, project, kind, stake, made_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (id) DO NOTHING RETURNING id`,
          [id, Number(two), Number(signed), project, kind, stake, now],
        );
        const facts = { record: `policy ${id}`, is: recordOf.policy(policy), two, signed, project, of: kind, stake };
        // Whoever verifies signatures later has the keys from the log; those of before it knew keys are told of here.
        const known = made.length > 0 && signed ? await say<Row>(KEYS) : [];
        const keys = known.map((key) => ({ kind: "passkey.found", by: "host", facts: key }));
        noteTeam(say);
        const added = made.length > 0 ? [...keys, { kind: "policy.made", by: who, facts }] : [];
        await note(say, now, ...gone, ...added);
        return true;
      }),
    removePolicy: (id: string, now: number, by: Changer = "host"): Promise<boolean> =>
      transaction(async (say) => {
        const gone = await drop(say, id, await changerOf(say, by, now));
        noteTeam(say);
        await note(say, now, ...gone);
        return gone.length > 0;
      }),
  };
}

/** What the log says of it; nothing where there is none. */
async function drop(say: HubRun, id: string, by: string): Promise<AuditNote[]> {
  const gone = await say("DELETE FROM hub_policies WHERE id = $1 RETURNING id", [id]);
  return gone.map(() => ({ kind: "policy.removed", by, facts: { record: `policy ${id}` } }));
}
