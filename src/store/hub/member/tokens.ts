import type { HubToken } from "../../../core/hub-token.ts";
import { changerOf, type Changer, holdMembers } from "../acting.ts";
import { note, recordOf, tokenName } from "../audit.ts";
import type { AuditNote } from "../chain.ts";
import { noteTeam } from "../news.ts";
import { freeName } from "./names.ts";
import type { Row } from "../rows.ts";
import type { HubDatabase } from "../schema.ts";

type NewToken = {
  hash: string;
  id: string;
  name: string;
  role: string;
  project: string | null;
  expiresAt: number | null;
};
/** Before any time that a clock of a hub says: it is over for all of them, also for one of an earlier version. */
const ENDED_AT = 0;
const WORKS = "(t.expires_at IS NULL OR t.expires_at > $1)";

/** What scripts of members show, and the machines of jobs: each with a scope and an end. */
export function createHubTokens({ run, transaction }: HubDatabase) {
  return {
    /** A name that nobody has who is there is a new member. `earlier`: how the one is called now who was revoked under it. */
    addToken(token: NewToken, now: number): Promise<{ earlier?: string }> {
      const { hash, id, name, role, project, expiresAt } = token;
      return transaction(async (say) => {
        const { notes, ...freed } = await freeName(say, name, "host");
        const added = await say(
          "INSERT INTO hub_members (id, name, made_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING RETURNING id",
          [id, name, now],
        );
        const [member] = await say<Row>("SELECT id FROM hub_members WHERE name = $1", [name]);
        noteTeam(say);
        const of = String(member?.["id"]);
        const made = await say(
          `INSERT INTO hub_tokens (hash, member, role, project, made_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (hash) DO NOTHING RETURNING hash`,
          [hash, of, role, project, now, expiresAt],
        );
        const isNew = { isNew: added.length > 0, isMade: made.length > 0 };
        await note(say, now, ...notes, ...madeToken(isNew, { ...token, id: of }));
        return freed;
      });
    },
    /** Of members and of machines, the oldest first. */
    async tokens(now: number): Promise<HubToken[]> {
      const people = await run<Row & { hash: string }>(
        `SELECT t.hash, p.name AS member, p.id AS "memberId", t.role, t.project, t.made_at AS "madeAt",
           t.expires_at AS "expiresAt" FROM hub_tokens t JOIN hub_members p ON p.id = t.member
         WHERE p.revoked_at IS NULL AND ${WORKS}`,
        [now],
      );
      const jobs = await run<Row>(
        `SELECT t.id, t.name AS machine, t.projects, t.made_at AS "madeAt", t.expires_at AS "expiresAt"
         FROM hub_machine_tokens t WHERE t.revoked_at IS NULL AND ${WORKS}`,
        [now],
      );
      const found = [
        ...people.map(({ hash, ...row }) => ({ id: tokenName(hash), ...row })),
        ...jobs.map((row) => ({ ...row, projects: JSON.parse(String(row["projects"])) as string[] })),
      ] as unknown as HubToken[];
      return found.toSorted((a, b) => a.madeAt - b.madeAt || (a.id < b.id ? -1 : 1));
    },
    /** One of a member's, alone: what was sent with it stays. False: there is none that works. */
    endToken({ id, by }: { id: string; by: Changer }, now: number): Promise<boolean> {
      return transaction(async (say) => {
        const found = (await say<Row>("SELECT hash, member FROM hub_tokens")).find(
          ({ hash }) => tokenName(String(hash)) === id,
        );
        if (!found) return false;
        // Whoever acts with it just now is waited for, or sees that it has ended.
        await holdMembers(say, String(found["member"]), by);
        const who = await changerOf(say, by, now);
        const hash = String(found["hash"]);
        const [gone] = await say<Row>(
          `UPDATE hub_tokens SET expires_at = ${ENDED_AT} WHERE hash = $1 AND (expires_at IS NULL OR expires_at > $2)
           RETURNING member, role, project`,
          [hash, now],
        );
        if (!gone) return false;
        noteTeam(say);
        await note(say, now, { kind: "token.ended", by: who, facts: endedFacts(hash, gone) });
        return true;
      });
    },
  };
}

/** What it is from then on: somebody who puts it back is found. */
function endedFacts(hash: string, row: Row) {
  const { member, role, project } = row as { member: string; role: string; project: string | null };
  const is = recordOf.token({ hash, member, role, project, expiresAt: ENDED_AT });
  return { record: `token ${tokenName(hash)}`, is, member, role, project };
}

/** What the log says of a token: its member where it is a new one, and itself, which nobody finds from there. */
function madeToken({ isNew, isMade }: { isNew: boolean; isMade: boolean }, token: NewToken): AuditNote[] {
  const { hash, id: member, name, role, project, expiresAt } = token;
  const person = { record: `member ${member}`, is: recordOf.member({ id: member, name }), name };
  const is = recordOf.token({ hash, member, role, project, expiresAt });
  const facts = { record: `token ${tokenName(hash)}`, is, member, name, role, project, expiresAt };
  return [
    ...(isNew ? [{ kind: "member.added", by: "host", facts: person }] : []),
    ...(isMade ? [{ kind: "token.made", by: "host", facts }] : []),
  ];
}
