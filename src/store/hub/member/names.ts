import { recordOf } from "../audit.ts";
import type { AuditNote } from "../chain.ts";
import { noteTeam } from "../news.ts";
import type { Row } from "../rows.ts";
import type { HubRun } from "../schema.ts";

/**
 * For somebody new: whoever was revoked under this name is called otherwise from now on, and what they did stays theirs by
 * their id. Links that were made for them work no more. `earlier`: what they are called now. Contract: the caller adds `notes` to
 * the log. Names are unique in the database, and hubs of an earlier version rely on it.
 */
export async function freeName(
  say: HubRun,
  name: string,
  by: string,
): Promise<{ notes: AuditNote[]; earlier?: string }> {
  // Written, not only read: whoever revokes them just now is waited for.
  const [row] = await say<Row>(
    `UPDATE hub_members SET acted_at = acted_at WHERE name = $1 RETURNING id, revoked_at AS "revokedAt"`,
    [name],
  );
  if (!row || row["revokedAt"] === null) return { notes: [] };
  const id = String(row["id"]);
  const aside = await asideOf(say, name, Number(row["revokedAt"]));
  await say("UPDATE hub_members SET name = $2 WHERE id = $1", [id, aside]);
  const unused = "FROM hub_invites WHERE name = $1 AND used_by IS NULL";
  await say(`DELETE FROM hub_inviters WHERE hash IN (SELECT hash ${unused})`, [name]);
  await say(`DELETE ${unused}`, [name]);
  noteTeam(say);
  const facts = { record: `member ${id}`, is: recordOf.member({ id, name: aside }), name: aside, was: name };
  return { notes: [{ kind: "member.renamed", by, facts }], earlier: aside };
}

/** `Ann (revoked 2026-11-18)`, or the next one of that day. */
async function asideOf(say: HubRun, name: string, revokedAt: number): Promise<string> {
  const day = new Date(revokedAt).toISOString().slice(0, 10);
  for (let n = 1; ; n++) {
    const aside = `${name} (revoked ${day}${n === 1 ? "" : `, ${n}`})`;
    if ((await say("SELECT id FROM hub_members WHERE name = $1", [aside])).length === 0) return aside;
  }
}
