import type { Row } from "../rows.ts";
import type { HubDatabase, HubRun } from "../schema.ts";

/** `removed`: with all they had; `ended`: by somebody else; `own`: by themselves, in another browser. */
export type SignedOut = { name: string; why: "removed" | "ended" | "own" };

/** Who ended it is kept for whoever comes with it once more, for as long as it could have lasted. */
export function keepSignedOut(say: HubRun, { hash, member, ends_at: endsAt }: Row, by: string): void {
  void say(
    `INSERT INTO hub_signed_out (hash, member, by_whom, ends_at) VALUES ($1, $2, $3, $4) ON CONFLICT (hash) DO NOTHING`,
    [hash ?? "", member ?? "", by, endsAt ?? 0],
  );
}

export const dropSignedOut = (say: HubRun, now: number): void =>
  void say("DELETE FROM hub_signed_out WHERE ends_at <= $1", [now]);

/** Why a browser is signed in no more. */
export function createSignedOut({ run }: HubDatabase) {
  return {
    /** By the digest of its cookie with its page's key: nobody else can ask. Undefined: that is not known, or it never was. */
    async whySignedOut(hash: string): Promise<SignedOut | undefined> {
      const [row] = await run<Row>(
        `SELECT p.name, p.revoked_at, o.member, o.by_whom FROM
           (SELECT member, by_whom FROM hub_signed_out WHERE hash = $1
            UNION ALL SELECT member, CAST(NULL AS text) FROM hub_sessions WHERE hash = $1) o
         JOIN hub_members p ON p.id = o.member`,
        [hash],
      );
      if (!row) return undefined;
      const name = String(row["name"]);
      if (row["revoked_at"] !== null) return { name, why: "removed" };
      // Not ended by anybody: nobody used it for too long.
      if (row["by_whom"] === null) return undefined;
      return { name, why: row["by_whom"] === row["member"] ? "own" : "ended" };
    },
  };
}
