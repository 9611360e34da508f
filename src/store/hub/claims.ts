import { actingAs } from "./acting.ts";
import { note } from "./audit.ts";
import { noteNews } from "./news.ts";
import type { Grant, HubActor } from "./actor.ts";
import type { HubDatabase } from "./schema.ts";

type Row = Record<string, string | number | null>;
/** Somebody is on it, until then. `by`: who handed it to them. */
export type HubClaim = {
  machine: string;
  ask: string;
  member: string;
  name: string;
  by: string | null;
  at: number;
  until: number;
};
type Wish = { machine: string; ask: string; token: string; to?: string | undefined; until: number };
export type Claimed = { type: "refused" | "gone" | "nobody" | "claimed" } | { type: "taken"; claim: HubClaim };

/** "I am on it": seen by all, in nobody's way. It ends by itself, and with the answer. */
export function createHubClaims({ run, transaction }: HubDatabase) {
  return {
    async claims(now: number): Promise<HubClaim[]> {
      return run<HubClaim>(
        `SELECT c.machine, c.ask, c.member, p.name, b.name AS by, c.at, c.ends_at AS until FROM hub_claims c
         JOIN hub_members p ON p.id = c.member LEFT JOIN hub_members b ON b.id = c.by_whom
         WHERE c.ends_at > $1 AND p.revoked_at IS NULL AND NOT EXISTS
           (SELECT 1 FROM hub_intents i WHERE i.machine = c.machine AND i.ask = c.ask AND i.state <> 'withdrawn')`,
        [now],
      );
    },
    /** `to`: by name or id, somebody who may answer it. `taken`: another one is on it, and only they hand it over. */
    claim(
      { machine, ask, token, to, until }: Wish,
      may: (actor: Pick<HubActor, "grants">) => boolean,
      now: number,
    ): Promise<Claimed> {
      return transaction(async (say) => {
        const acting = actingAs(say, { token, machine }, now);
        const isOpen = `SELECT 1 AS one FROM hub_asks a WHERE a.machine = $1 AND a.id = $2 AND a.state = 'open' AND NOT EXISTS
          (SELECT 1 FROM hub_intents i WHERE i.machine = $1 AND i.ask = $2 AND i.state <> 'withdrawn')`;
        const open = say<Row>(isOpen, [machine, ask]);
        const [held] = await say<HubClaim>(
          `SELECT c.machine, c.ask, c.member, p.name, c.at, c.ends_at AS until FROM hub_claims c
           JOIN hub_members p ON p.id = c.member AND p.revoked_at IS NULL
           WHERE c.machine = $1 AND c.ask = $2 AND c.ends_at > $3`,
          [machine, ask, now],
        );
        const { actor, intents } = await acting.who();
        if (!actor || !may(actor)) return { type: "refused" };
        if (intents === undefined || (await open).length === 0) return { type: "gone" };
        if (held && held.member !== actor.member) return { type: "taken", claim: held };
        const whose = to === undefined ? actor.member : await memberFor(to);
        if (whose === undefined) return { type: "nobody" };
        void say(
          `INSERT INTO hub_claims (machine, ask, member, by_whom, at, ends_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (machine, ask) DO UPDATE SET member = excluded.member, by_whom = excluded.by_whom, at = excluded.at,
             ends_at = excluded.ends_at`,
          [machine, ask, whose, whose === actor.member ? null : actor.member, now, until],
        );
        noteNews(say, machine, [ask]);
        const facts = { machine, ask, member: whose, until };
        await note(say, now, { kind: "ask.claimed", by: actor.member, facts });
        return { type: "claimed" };

        async function memberFor(named: string): Promise<string | undefined> {
          const [member] = await say<{ id: string }>(
            "SELECT id FROM hub_members WHERE (id = $1 OR name = $1) AND revoked_at IS NULL",
            [named],
          );
          if (!member) return undefined;
          const grants = await say<Grant>(
            `SELECT role, project FROM hub_roles WHERE member = $1 UNION ALL SELECT role, project FROM hub_tokens
             WHERE member = $1 AND (expires_at IS NULL OR expires_at > $2)`,
            [member.id, now],
          );
          return may({ grants }) ? member.id : undefined;
        }
      });
    },
    /** Not on it any more; only one's own. */
    release({ machine, ask, token }: Omit<Wish, "to" | "until">, now: number): Promise<boolean> {
      return transaction(async (say) => {
        const { actor } = await actingAs(say, { token, machine }, now).who();
        if (!actor) return false;
        const text = "DELETE FROM hub_claims WHERE machine = $1 AND ask = $2 AND member = $3 RETURNING ask";
        const gone = await say<Row>(text, [machine, ask, actor.member]);
        if (gone.length === 0) return false;
        noteNews(say, machine, [ask]);
        await note(say, now, { kind: "ask.released", by: actor.member, facts: { machine, ask } });
        return true;
      });
    },
  };
}
