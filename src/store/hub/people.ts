import type { Grant } from "../../core/hub-role.ts";
import { note, recordOf, tokenName } from "./audit.ts";
import { changerOf, type Changer, NOTED_MS, SESSION_MS } from "./acting.ts";
import type { AuditNote } from "./chain.ts";
import { freeName } from "./member/names.ts";
import { dropSignedOut, keepSignedOut } from "./member/signed-out.ts";
import { noteTeam } from "./news.ts";
import type { HubDatabase, HubRun } from "./schema.ts";

export type Invite = { name: string | null; role: string; project: string | null; first: boolean };
export type Passkey = { id: string; member: string; publicKey: string; counter: number; transports: string[] };
export type HubSession = {
  id: string;
  member: string;
  memberName: string;
  name: string;
  madeAt: number;
  seenAt: number;
};
/** Digests alone: of the cookie with the page's key, and of the cookie with what stands in a preview's address. */
export type NewSession = { hash: string; previews: string; id: string; name: string };
type EndOfSession = { id: string; only?: string; by: string; isLeaving?: boolean };
export type HubPeople = ReturnType<typeof createHubPeople>;

type Row = Record<string, string | number | null>;
export { SESSION_MS } from "./acting.ts";

/** What a revoked member gave out for others works no more. */
export const dropInvites = (say: HubRun, member: string): Promise<unknown> =>
  say("DELETE FROM hub_invites WHERE used_by IS NULL AND hash IN (SELECT hash FROM hub_inviters WHERE member = $1)", [
    member,
  ]);

/** Members who sign in with a passkey: their invitations, keys, roles and browsers. */
export function createHubPeople({ run, transaction }: HubDatabase) {
  const one = async (text: string, values: readonly (string | number | null)[]) => (await run<Row>(text, values))[0];

  /** Written, not only read: whoever acts as this member just now is waited for, or sees it. */
  const lock = (say: HubRun, member: string) =>
    say("UPDATE hub_members SET acted_at = acted_at WHERE id = $1", [member]);

  async function isNobody(say: HubRun): Promise<boolean> {
    const text = `SELECT 1 AS one FROM hub_passkeys k JOIN hub_members p ON p.id = k.member
      JOIN hub_roles r ON r.member = p.id WHERE p.revoked_at IS NULL AND r.role = 'admin' LIMIT 1`;
    return (await say<Row>(text)).length === 0;
  }

  /** What the log is to say of it. */
  async function begin(say: HubRun, member: string, passkey: string, session: NewSession, now: number) {
    const { hash, previews, id, name } = session;
    dropSignedOut(say, now);
    const over = await say<Row>("DELETE FROM hub_sessions WHERE ends_at <= $1 RETURNING id, member, name", [now]);
    const made = await say<Row>(
      `INSERT INTO hub_sessions (hash, previews, id, member, name, made_at, seen_at, ends_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6, $7) ON CONFLICT DO NOTHING RETURNING id`,
      [hash, previews, id, member, name, now, now + SESSION_MS],
    );
    const facts = { record: `session ${id}`, is: recordOf.session({ ...session, member }), browser: name, passkey };
    return [
      ...over.map((row) => endOf(row, "hub")),
      ...made.map((): AuditNote => ({ kind: "session.began", by: member, facts })),
    ];
  }

  return {
    /** One value for all hubs of this database, made by the first. */
    async fact(name: string, made: string): Promise<string> {
      await run("INSERT INTO hub_facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", [name, made]);
      return String((await one("SELECT value FROM hub_facts WHERE name = $1", [name]))?.["value"]);
    },
    async setFact(name: string, value: string): Promise<void> {
      const text =
        "INSERT INTO hub_facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
      await run(text, [name, value]);
    },
    async readFact(name: string): Promise<string | undefined> {
      return (await one("SELECT value FROM hub_facts WHERE name = $1", [name]))?.["value"]?.toString();
    },
    /** Nobody can sign in as admin yet. */
    isNobodyThere: () => isNobody(run),
    /** `earlier`: how the one is called now who was revoked under this name. Contract: who was revoked meanwhile invites nobody. */
    addInvite: (
      hash: string,
      invite: Invite,
      now: number,
      expiresAt: number,
      by: Changer = "host",
    ): Promise<{ earlier?: string }> =>
      transaction(async (say) => {
        const { name, role, project, first } = invite;
        const who = await changerOf(say, by, now);
        const { notes, ...freed } = name === null ? { notes: [] } : await freeName(say, name, who);
        await say("DELETE FROM hub_inviters WHERE hash IN (SELECT hash FROM hub_invites WHERE expires_at <= $1)", [
          now,
        ]);
        await say("DELETE FROM hub_invites WHERE expires_at <= $1", [now]);
        await say(
          `INSERT INTO hub_invites (hash, name, role, project, first, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (hash) DO NOTHING`,
          [hash, name, role, project ?? "", first ? 1 : 0, expiresAt],
        );
        if (by !== "host") await say("INSERT INTO hub_inviters (hash, member) VALUES ($1, $2)", [hash, who]);
        // One for the first member is made whenever a hub starts, until there is one.
        const facts = { invite: tokenName(hash), name, role, project, expiresAt };
        if (!first) await note(say, now, ...notes, { kind: "invite.made", by: who, facts });
        return freed;
      }),
    async invite(hash: string, now: number): Promise<Invite | undefined> {
      const row = await one(
        "SELECT name, role, project, first FROM hub_invites WHERE hash = $1 AND expires_at > $2 AND used_by IS NULL",
        [hash, now],
      );
      return row && inviteOf(row);
    },
    /** A new passkey for whoever was invited, their role, and the browser they are at. Undefined: not, or not any more. */
    redeem(
      hash: string,
      given: { member: string; name: string; passkey: Omit<Passkey, "member">; session: NewSession },
      now: number,
    ): Promise<{ id: string; name: string } | undefined> {
      const { passkey, session } = given;
      return transaction(async (say) => {
        // One after the other: only one of them is the first.
        await say("UPDATE hub_facts SET value = value WHERE name = 'secret'");
        const [row] = await say<Row>(
          `UPDATE hub_invites SET used_by = $2 WHERE hash = $1 AND expires_at > $3 AND (used_by IS NULL OR used_by = $2)
           RETURNING name, role, project, first`,
          [hash, passkey.id, now],
        );
        if (!row) return undefined;
        const { name, role, project, first } = inviteOf(row);
        const [again] = await say<Row>("SELECT member FROM hub_passkeys WHERE id = $1", [passkey.id]);
        if (first && !again && !(await isNobody(say))) return undefined;
        const called = name ?? given.name;
        // A link that names somebody is for who was there, or free, when it was made: whoever was revoked since stays out.
        const { notes: freed } = name === null && !again ? await freeName(say, called, "host") : { notes: [] };
        const added = await say<Row>(
          "INSERT INTO hub_members (id, name, made_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING RETURNING id",
          [given.member, called, now],
        );
        const [member] = await say<Row>("SELECT id FROM hub_members WHERE name = $1 AND revoked_at IS NULL", [called]);
        const id = member?.["id"]?.toString();
        if (id === undefined || (again && again["member"] !== id)) return undefined;
        const made = await say<Row>(
          `INSERT INTO hub_passkeys (id, member, public_key, counter, transports, made_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (id) DO NOTHING RETURNING id`,
          [passkey.id, id, passkey.publicKey, passkey.counter, JSON.stringify(passkey.transports), now],
        );
        const changed = await say<Row>(
          `INSERT INTO hub_roles (member, scope, project, role) VALUES ($1, $2, $3, $4)
           ON CONFLICT (member, scope) DO UPDATE SET role = excluded.role WHERE hub_roles.role <> excluded.role
           RETURNING role`,
          [id, project ?? "", project, role],
        );
        const entered = await begin(say, id, passkey.id, session, now);
        noteTeam(say);
        const [inviter] = await say<Row>("SELECT member FROM hub_inviters WHERE hash = $1", [hash]);
        const by = String(inviter?.["member"] ?? "host");
        const person = { record: `member ${id}`, is: recordOf.member({ id, name: called }), name: called };
        await note(
          say,
          now,
          ...freed,
          ...(added.length > 0 ? [{ kind: "member.added", by, facts: person }] : []),
          ...(made.length + changed.length > 0
            ? [
                {
                  kind: "passkey.made",
                  by: id,
                  facts: { passkey: passkey.id, member: id, publicKey: passkey.publicKey, role, project },
                },
              ]
            : []),
          ...entered,
        );
        return { id, name: called };
      });
    },
    async passkey(id: string): Promise<Passkey | undefined> {
      const row = await one(
        `SELECT k.id, k.member, k.public_key AS "publicKey", k.counter, k.transports FROM hub_passkeys k
         JOIN hub_members p ON p.id = k.member WHERE k.id = $1 AND p.revoked_at IS NULL`,
        [id],
      );
      return row && ({ ...row, transports: JSON.parse(String(row["transports"])) } as unknown as Passkey);
    },
    /** `challenge`: its digest; each is good once. Undefined: not, or not any more. */
    signIn(
      {
        passkey,
        counter,
        challenge,
        session,
      }: { passkey: string; counter: number; challenge: string; session: NewSession },
      now: number,
      until: number,
    ): Promise<{ id: string; name: string } | undefined> {
      return transaction(async (say) => {
        const [key] = await say<Row>(
          `UPDATE hub_members SET acted_at = $2 WHERE revoked_at IS NULL
           AND id = (SELECT member FROM hub_passkeys WHERE id = $1) RETURNING id, name`,
          [passkey, now],
        );
        if (!key) return undefined;
        await say("DELETE FROM hub_used WHERE expires_at <= $1", [now]);
        const [used] = await say<Row>(
          "INSERT INTO hub_used (hash, by_whom, expires_at) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING RETURNING hash",
          [challenge, session.hash, until],
        );
        const [mine] = await say<Row>("SELECT by_whom AS by FROM hub_used WHERE hash = $1", [challenge]);
        // The same request once more: its reply was lost.
        if (!used && mine?.["by"] !== session.hash) return undefined;
        await say("UPDATE hub_passkeys SET counter = $2, used_at = $3 WHERE id = $1", [passkey, counter, now]);
        const entered = await begin(say, String(key["id"]), passkey, session, now);
        noteTeam(say);
        await note(say, now, ...entered);
        return { id: String(key["id"]), name: String(key["name"]) };
      });
    },
    /** Noted now and then; until then the browser stays signed in. */
    async seen(hash: string, now: number): Promise<HubSession | undefined> {
      const row = await one(`${SESSIONS} WHERE s.hash = $1 AND s.ends_at > $2`, [hash, now]);
      const found = row && sessionOf(row);
      if (found && now - found.seenAt > NOTED_MS)
        await run("UPDATE hub_sessions SET seen_at = $2, ends_at = $3 WHERE hash = $1", [hash, now, now + SESSION_MS]);
      return found;
    },
    /** Whose browser asks for a preview: the digest of their session, by that of what stands in the address. */
    async sessionOfPreview(previews: string): Promise<string | undefined> {
      return (await one("SELECT hash FROM hub_sessions WHERE previews = $1", [previews]))?.["hash"]?.toString();
    },
    async sessions(now: number, member: string | null = null): Promise<HubSession[]> {
      const text = `${SESSIONS} WHERE s.ends_at > $1 AND p.revoked_at IS NULL AND (CAST($2 AS text) IS NULL OR s.member = $2)
        ORDER BY s.made_at, s.id`;
      return (await run<Row>(text, [now, member])).map(sessionOf);
    },
    /** `only`: of this member. `by`: as the log names whoever ends it. `isLeaving`: that very browser. False: there is none. */
    endSession({ id, only, by, isLeaving = false }: EndOfSession, now: number): Promise<boolean> {
      return transaction(async (say) => {
        const [row] = await say<Row>("SELECT member FROM hub_sessions WHERE id = $1", [id]);
        if (!row || (only !== undefined && row["member"] !== only)) return false;
        await lock(say, String(row["member"]));
        const gone = await say<Row>("DELETE FROM hub_sessions WHERE id = $1 RETURNING *", [id]);
        if (!isLeaving) for (const each of gone) keepSignedOut(say, each, by);
        noteTeam(say);
        await note(say, now, ...gone.map((each) => endOf(each, by)));
        return true;
      });
    },
    /** Somebody showed a passkey, and could not prove that it is theirs, or it is a revoked member's. False: none of ours. */
    noteRefused: (passkey: string, now: number): Promise<boolean> =>
      transaction(async (say) => {
        const [key] = await say<Row>("SELECT member FROM hub_passkeys WHERE id = $1", [passkey]);
        if (!key) return false;
        const facts = { passkey, member: String(key["member"]) };
        await note(say, now, { kind: "session.refused", by: "hub", facts });
        return true;
      }),
    /** What this member may do now, by passkey or token. */
    async grantsOf(member: string, now: number): Promise<Grant[]> {
      return run<Grant>(
        `SELECT role, project FROM hub_roles WHERE member = $1 UNION ALL SELECT role, project FROM hub_tokens
         WHERE member = $1 AND (expires_at IS NULL OR expires_at > $2)`,
        [member, now],
      );
    },
    /** What members may do who sign in themselves. */
    async roles(): Promise<(Grant & { member: string })[]> {
      return (await run<Row>("SELECT member, role, project FROM hub_roles ORDER BY member, scope")) as never;
    },
  };
}

const endOf = ({ id, member, name }: Row, by: string): AuditNote => ({
  kind: "session.ended",
  by,
  facts: { record: `session ${id}`, member: String(member), browser: String(name) },
});

const SESSIONS = `SELECT s.id, s.member, p.name AS "memberName", s.name, s.made_at AS "madeAt", s.seen_at AS "seenAt"
  FROM hub_sessions s JOIN hub_members p ON p.id = s.member`;
const sessionOf = (row: Row): HubSession => row as unknown as HubSession;

function inviteOf({ name, role, project, first }: Row): Invite {
  const limit = project === "" ? null : String(project);
  return {
    name: name === null || name === undefined ? null : String(name),
    role: String(role),
    project: limit,
    first: first === 1,
  };
}
