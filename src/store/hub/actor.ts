import type { Grant } from "../../core/hub-role.ts";
import type { HubRun } from "./schema.ts";

export type { Grant };
/** Who acts, as a token or a browser's session says. `role`: the strongest they have somewhere. */
export type HubActor = { member: string; name: string; role: string; grants: readonly Grant[] };

const STRENGTH = ["viewer", "answerer", "approver", "admin"];

/** The one way to find out who acts, by the digest of what they showed. */
export async function actorOf(run: HubRun, hash: string, now: number): Promise<HubActor | undefined> {
  const rows = await run<{ member: string; name: string; role: string; project: string | null }>(
    `SELECT p.id AS member, p.name, t.role, t.project FROM hub_tokens t JOIN hub_members p ON p.id = t.member
     WHERE t.hash = $1 AND p.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)
     UNION ALL
     SELECT p.id AS member, p.name, r.role, r.project FROM hub_sessions s JOIN hub_members p ON p.id = s.member
     JOIN hub_roles r ON r.member = p.id WHERE s.hash = $1 AND p.revoked_at IS NULL AND s.ends_at > $2`,
    [hash, now],
  );
  const [first] = rows;
  if (!first) return undefined;
  const grants = rows.map(grantOf).toSorted((a, b) => STRENGTH.indexOf(b.role) - STRENGTH.indexOf(a.role));
  return { member: first.member, name: first.name, role: grants[0]?.role ?? first.role, grants };
}

/** What a member may do now; nothing where they were revoked. */
export const grantsIn = (say: HubRun, member: string, now: number): Promise<Grant[]> =>
  say<Grant>(
    `SELECT r.role, r.project FROM hub_roles r JOIN hub_members p ON p.id = r.member
     WHERE r.member = $1 AND p.revoked_at IS NULL
     UNION ALL SELECT t.role, t.project FROM hub_tokens t JOIN hub_members p ON p.id = t.member
     WHERE t.member = $1 AND p.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`,
    [member, now],
  );

const grantOf = ({ role, project }: Grant): Grant => ({ role, project });
