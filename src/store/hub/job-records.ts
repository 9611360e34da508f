import { changerOf, type Changer } from "./acting.ts";
import { note, recordOf, tokenName } from "./audit.ts";
import { noteTeam } from "./news.ts";
import type { Row } from "./rows.ts";
import type { HubDatabase } from "./schema.ts";

type MachineToken = { hash: string; id: string; name: string; projects: readonly string[]; expiresAt: number | null };
type Machine = { id: string; name: string; token: string };

/** Machines that come and go, as those of CI jobs do: a token lets in as many as there are jobs, for the projects it names. */
export function createJobRecords({ run, transaction, tell }: HubDatabase) {
  return {
    async addMachineToken({ hash, id, name, projects, expiresAt }: MachineToken, now: number): Promise<void> {
      await transaction(async (say) => {
        const stored = JSON.stringify(projects);
        const made = await say(
          `INSERT INTO hub_machine_tokens (id, hash, name, projects, made_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT DO NOTHING RETURNING id`,
          [id, hash, name, stored, now, expiresAt],
        );
        const record = {
          record: `token ${tokenName(hash)}`,
          is: recordOf.machineToken({ id, hash, projects: stored, expiresAt }),
        };
        const facts = { ...record, token: id, name, projects: projects.join(", "), expiresAt };
        if (made.length === 0) return;
        noteTeam(say);
        await note(say, now, { kind: "machine.token", by: "host", facts });
      });
    },
    async machineTokens(): Promise<{ id: string; name: string; projects: string[]; revokedAt: number | null }[]> {
      const rows = await run<Row>(
        'SELECT id, name, projects, revoked_at AS "revokedAt" FROM hub_machine_tokens ORDER BY made_at, id',
      );
      return rows.map((row) => ({ ...row, projects: JSON.parse(String(row["projects"])) }) as never);
    },
    /** The projects it may ask in, by name; undefined: this token lets nobody in. As often as its reply gets lost. */
    joinJob(token: string, machine: Machine, now: number): Promise<string[] | undefined> {
      return transaction(async (say) => {
        // Written, not only read: whoever revokes waits for us, or we see it.
        const [found] = await say<Row>(
          `UPDATE hub_machine_tokens SET used_at = $2 WHERE hash = $1 AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > $2) RETURNING id, name, projects`,
          [token, now],
        );
        if (!found) return undefined;
        const [id, projects] = [String(found["id"]), String(found["projects"])];
        const name = `${String(found["name"])}:${machine.name}`;
        const added = await say(
          `INSERT INTO hub_machines (id, name, token, projects, joined_at, seen_at, intents) VALUES ($1, $2, $3, $4, $5, $5, 0)
           ON CONFLICT DO NOTHING RETURNING id`,
          [machine.id, name, machine.token, projects, now],
        );
        const [made] = await say<Row>("SELECT token FROM hub_machines WHERE id = $1", [machine.id]);
        if (made?.["token"] !== machine.token) return undefined;
        if (added.length > 0) {
          await say("INSERT INTO hub_jobs (machine, token) VALUES ($1, $2)", [machine.id, id]);
          const is = recordOf.machine({ id: machine.id, token: machine.token, projects });
          const facts = { record: `machine ${machine.id}`, is, name, job: true, token: id };
          await note(say, now, { kind: "machine.joined", by: machine.id, facts });
        }
        return JSON.parse(projects) as string[];
      });
    },
    /** Jobs that said goodbye on this line, or were not heard since then. */
    endJobs: ({ link, silentSince }: { link?: string; silentSince?: number }, now: number): Promise<number> =>
      transaction(async (say) => {
        const which = link === undefined ? "seen_at < $2" : "link = $2";
        const gone = await say<Row>(
          `UPDATE hub_machines SET revoked_at = $1, link = NULL
           WHERE revoked_at IS NULL AND ${which} AND id IN (SELECT machine FROM hub_jobs) RETURNING id, name`,
          [now, link ?? silentSince ?? 0],
        );
        for (const row of gone) {
          await say("UPDATE hub_jobs SET ended_at = $2 WHERE machine = $1", [row["id"] ?? "", now]);
          const facts = { record: `machine ${row["id"]}`, name: String(row["name"]), job: true };
          await note(say, now, { kind: "machine.left", by: String(row["id"]), facts });
        }
        return gone.length;
      }),
    /** Machines of jobs, and whether they ended by themselves. */
    async jobs(): Promise<Map<string, { isEnded: boolean }>> {
      const rows = await run<Row>("SELECT machine, ended_at FROM hub_jobs");
      return new Map(rows.map((row) => [String(row["machine"]), { isEnded: row["ended_at"] !== null }]));
    },
    /** The token, and all machines that came with it. False: it was over. */
    revokeMachineToken: (id: string, now: number, by: Changer = "host"): Promise<boolean> =>
      transaction(async (say) => {
        const who = await changerOf(say, by, now);
        const [gone] = await say<Row>(
          "UPDATE hub_machine_tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING name, hash",
          [id, now],
        );
        if (!gone) return false;
        const machines = await say<Row>(
          `UPDATE hub_machines SET revoked_at = $2, link = NULL WHERE revoked_at IS NULL
             AND id IN (SELECT machine FROM hub_jobs WHERE token = $1) RETURNING id, name`,
          [id, now],
        );
        const facts = { record: `token ${tokenName(String(gone["hash"]))}`, token: id, name: String(gone["name"]) };
        const ended = machines.map((row) => ({
          kind: "machine.revoked",
          by: who,
          facts: { record: `machine ${row["id"]}`, name: String(row["name"]), job: true },
        }));
        noteTeam(say);
        await note(say, now, { kind: "machine.token-revoked", by: who, facts }, ...ended);
        for (const row of machines) await tell?.(say, String(row["id"]));
        return true;
      }),
  };
}
