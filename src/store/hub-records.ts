import { createHubAsks, type HubIntent, type HubMachine, INTENT, intentOf } from "./hub-asks.ts";
import { createHubClaims } from "./hub-claims.ts";
import { createHubNews, noteNews } from "./hub-news.ts";
import { actorOf, createHubPeople, type HubActor } from "./hub-people.ts";
import type { HubDatabase } from "./hub-schema.ts";

export type { HubAsk, HubIntent, HubMachine } from "./hub-asks.ts";
export type { HubActor } from "./hub-people.ts";
export type HubMember = { id: string; name: string; madeAt: number; revokedAt: number | null; roles: string[] };
export type AskCopy = {
  id: string;
  version: number;
  state: string;
  project: string | null;
  createdAt: number;
  view: object;
};
export type HubRecords = ReturnType<typeof createHubRecords>;

type Row = Record<string, string | number | null>;
const MACHINE = `id, name, projects, joined_at AS "joinedAt", seen_at AS "seenAt", revoked_at AS "revokedAt", link,
  log_read AS "logRead", intents`;

/** What a hub keeps: machines, members, copies of Asks, intents. Who acts is looked at in the write itself. */
export function createHubRecords(database: HubDatabase) {
  const { run, transaction, close } = database;
  const one = async (text: string, values: readonly (string | number | null)[]) => (await run<Row>(text, values))[0];

  return {
    ...createHubAsks(database),
    ...createHubPeople(database),
    ...createHubNews(database),
    ...createHubClaims(database),
    close,
    async isThere(): Promise<boolean> {
      return (await run<Row>("SELECT 1 AS one")).length === 1;
    },
    async addCode(hash: string, expiresAt: number): Promise<void> {
      await run("INSERT INTO hub_codes (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING", [
        hash,
        expiresAt,
      ]);
    },
    /** A code works for one machine, and for it as often as the reply gets lost. */
    join(code: string, machine: { id: string; name: string; token: string; projects: readonly string[] }, now: number) {
      return transaction(async (say) => {
        const used = await say<Row>(
          `UPDATE hub_codes SET used_by = $2 WHERE hash = $1 AND (used_by = $2 OR (used_by IS NULL AND expires_at > $3))
           RETURNING hash`,
          [code, machine.token, now],
        );
        if (used.length === 0) return false;
        const { id, name, token, projects } = machine;
        await say(
          `INSERT INTO hub_machines (id, name, token, projects, joined_at, seen_at, intents) VALUES ($1, $2, $3, $4, $5, $5, 0)
           ON CONFLICT DO NOTHING`,
          [id, name, token, JSON.stringify(projects), now],
        );
        const [made] = await say<Row>("SELECT token FROM hub_machines WHERE id = $1", [id]);
        return made?.["token"] === token;
      });
    },
    /** The newest connection of a machine is the one that counts: what an earlier one says is not taken any more. */
    async connect(token: string, link: string, now: number): Promise<HubMachine | undefined> {
      const row = await one(
        `UPDATE hub_machines SET link = $2, seen_at = $3 WHERE token = $1 AND revoked_at IS NULL RETURNING ${MACHINE}`,
        [token, link, now],
      );
      return row && machineOf(row);
    },
    async beat(link: string, now: number): Promise<boolean> {
      const text = "UPDATE hub_machines SET seen_at = $2 WHERE link = $1 AND revoked_at IS NULL RETURNING id";
      return (await one(text, [link, now])) !== undefined;
    },
    async disconnect(link: string, now: number): Promise<void> {
      await run("UPDATE hub_machines SET link = NULL, seen_at = $2 WHERE link = $1", [link, now]);
    },
    async leave(token: string, now: number): Promise<boolean> {
      const text =
        "UPDATE hub_machines SET revoked_at = $2, link = NULL WHERE token = $1 AND revoked_at IS NULL RETURNING id";
      return (await one(text, [token, now])) !== undefined;
    },
    /** What another machine has told of stays that machine's. False: this connection does not count any more. */
    takeAsks(link: string, asks: readonly AskCopy[], logRead: number | null, now: number): Promise<boolean> {
      return transaction(async (say) => {
        const [machine] = await say<Row>(
          `UPDATE hub_machines SET seen_at = $2, log_read = coalesce($3, log_read) WHERE link = $1 AND revoked_at IS NULL
           RETURNING id`,
          [link, now, logRead],
        );
        if (!machine) return false;
        for (const { id, version, state, project, createdAt, view } of asks)
          await say(
            `INSERT INTO hub_asks (machine, id, version, state, project, created_at, data)
             SELECT CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text),
               CAST($6 AS bigint), CAST($7 AS text)
             WHERE NOT EXISTS (SELECT 1 FROM hub_asks a JOIN hub_machines m ON m.id = a.machine
               WHERE a.id = $2 AND a.machine <> $1 AND m.revoked_at IS NULL)
             ON CONFLICT (machine, id) DO UPDATE SET version = excluded.version, state = excluded.state,
               project = excluded.project, data = excluded.data WHERE excluded.version >= hub_asks.version`,
            [machine["id"] ?? "", id, version, state, project, createdAt, JSON.stringify(view)],
          );
        await noteNews(
          say,
          String(machine["id"]),
          asks.map(({ id }) => id),
        );
        return true;
      });
    },
    /** What this machine has not said anything about yet. */
    async unsettled(machine: string, after: number): Promise<HubIntent[]> {
      const rows = await run<Row>(
        `SELECT ${INTENT} FROM hub_intents i JOIN hub_members p ON p.id = i.member
         WHERE i.machine = $1 AND i.n > $2 AND i.state = 'sent' ORDER BY i.n LIMIT 100`,
        [machine, after],
      );
      return rows.map((row) => intentOf(row));
    },
    /** The first receipt holds. False: this connection does not count any more. */
    takeReceipt(
      link: string,
      receipt: { n: number; state: string; detail: string | null },
      now: number,
    ): Promise<boolean> {
      return transaction(async (say) => {
        const [machine] = await say<Row>(
          "UPDATE hub_machines SET seen_at = $2 WHERE link = $1 AND revoked_at IS NULL RETURNING id",
          [link, now],
        );
        if (!machine) return false;
        const settled = await say<{ ask: string }>(
          `UPDATE hub_intents SET state = $3, detail = $4, done_at = $5 WHERE machine = $1 AND n = $2 AND state = 'sent'
           RETURNING ask`,
          [machine["id"] ?? "", receipt.n, receipt.state, receipt.detail, now],
        );
        await noteNews(
          say,
          String(machine["id"]),
          settled.map(({ ask }) => ask),
        );
        return true;
      });
    },
    /** Contract: the intent that counts for this Ask, made by this call or not; `refused`: whoever acts may not, or not any more. */
    putIntent(
      intent: { machine: string; ask: string; key: string; settlement: object; token: string },
      may: (actor: HubActor) => boolean,
      now: number,
    ): Promise<{ type: "refused" | "gone" } | { type: "put" | "second"; intent: HubIntent }> {
      const { machine, ask, key, settlement, token } = intent;
      return transaction(async (say) => {
        // Written, not only read: whoever revokes waits for us, or we see it.
        const actor = await actorOf(say, token, now);
        if (!actor || !may(actor)) return { type: "refused" };
        await say("UPDATE hub_members SET acted_at = $2 WHERE id = $1", [actor.member, now]);
        if (!(await actorOf(say, token, now))) return { type: "refused" };
        // First alone: what waited for this row sees, in its next statement, what was written meanwhile.
        const locked = "UPDATE hub_machines SET intents = intents WHERE id = $1 AND revoked_at IS NULL RETURNING id";
        if ((await say<Row>(locked, [machine])).length === 0) return { type: "gone" };
        const [made] = await say<Row>(
          `UPDATE hub_machines SET intents = intents + 1 WHERE id = $1 AND revoked_at IS NULL
             AND EXISTS (SELECT 1 FROM hub_asks WHERE machine = $1 AND id = $2 AND state = 'open')
             AND NOT EXISTS (SELECT 1 FROM hub_intents WHERE machine = $1 AND ask = $2 AND state <> 'withdrawn')
           RETURNING intents`,
          [machine, ask],
        );
        if (made)
          await say(
            `INSERT INTO hub_intents (machine, n, key, ask, member, at, settlement, state)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 'sent')`,
            [machine, made["intents"] ?? 0, key, ask, actor.member, now, JSON.stringify(settlement)],
          );
        if (made) await noteNews(say, machine, [ask]);
        const [row] = await say<Row>(
          `SELECT ${INTENT} FROM hub_intents i JOIN hub_members p ON p.id = i.member
           WHERE i.machine = $1 AND i.ask = $2 AND i.state <> 'withdrawn'`,
          [machine, ask],
        );
        if (!row) return { type: "gone" };
        const found = intentOf(row);
        // The same request once more: its reply was lost.
        return { type: found.key === key && found.member === actor.member ? "put" : "second", intent: found };
      });
    },
    actor: (token: string, now: number) => actorOf(run, token, now),
    async addToken(
      token: { hash: string; id: string; name: string; role: string; project: string | null; expiresAt: number | null },
      now: number,
    ) {
      const { hash, id, name, role, project, expiresAt } = token;
      return transaction(async (say) => {
        await say("INSERT INTO hub_members (id, name, made_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING", [
          id,
          name,
          now,
        ]);
        const [member] = await say<Row>('SELECT id, revoked_at AS "revokedAt" FROM hub_members WHERE name = $1', [
          name,
        ]);
        if (!member || member["revokedAt"] !== null) return false;
        await say(
          `INSERT INTO hub_tokens (hash, member, role, project, made_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (hash) DO NOTHING`,
          [hash, member["id"] ?? "", role, project, now, expiresAt],
        );
        return true;
      });
    },
    async machines(): Promise<HubMachine[]> {
      return (await run<Row>(`SELECT ${MACHINE} FROM hub_machines ORDER BY joined_at, id`)).map(machineOf);
    },
    async members(): Promise<HubMember[]> {
      const rows = await run<Row>(
        'SELECT id, name, made_at AS "madeAt", revoked_at AS "revokedAt" FROM hub_members ORDER BY made_at, id',
      );
      const tokens = await run<Row>(
        "SELECT member, role FROM hub_tokens UNION SELECT member, role FROM hub_roles ORDER BY role",
      );
      return rows.map((row) => ({
        ...(row as unknown as Omit<HubMember, "roles">),
        roles: tokens.flatMap(({ member, role }) => (member === row["id"] ? String(role) : [])),
      }));
    },
    /** Machine or member. Their tokens are worth nothing from now on. */
    revoke(id: string, now: number): Promise<void> {
      return transaction(async (say) => {
        await say("UPDATE hub_machines SET revoked_at = coalesce(revoked_at, $2), link = NULL WHERE id = $1", [
          id,
          now,
        ]);
        await say("UPDATE hub_members SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1", [id, now]);
      });
    },
  };
}

const machineOf = (row: Row): HubMachine =>
  ({ ...row, projects: JSON.parse(String(row["projects"])) }) as unknown as HubMachine;
