import { randomBytes } from "node:crypto";
import type { Row } from "./rows.ts";
import type { HubDatabase, HubRun } from "./schema.ts";

/** What one browser is to be told of one Ask. `close`: that it is over. */
export type Notice = {
  machine: string;
  ask: string;
  session: string;
  message: string;
  wants: "ask" | "remind" | "close";
  n: number;
  tries: number;
};
export type PushPlace = { session: string; member: string; endpoint: string; p256dh: string; auth: string };

/** More at once help nobody: the rest is on the page. */
const MOST_SHOWN = 20;
const TOGETHER = 200;
/** Nobody has answered it, here or on its machine. `$`: the columns of the row it is about. */
const WAITS = (machine: string, ask: string) => `EXISTS (SELECT 1 FROM hub_asks a WHERE a.machine = ${machine}
  AND a.id = ${ask} AND a.state = 'open' AND NOT EXISTS
    (SELECT 1 FROM hub_intents i WHERE i.machine = a.machine AND i.ask = a.id AND i.state <> 'withdrawn'))`;
const ONE = "machine = $1 AND ask = $2 AND session = $3";

/** Work that waits for a second person stands beside Asks, by a name that none of them has. */
export const taskNotice = (id: string): string => `task:${id}`;
/** Undefined: it is about an Ask. */
export const taskIn = (ask: string): string | undefined => (ask.startsWith("task:") ? ask.slice(5) : undefined);

/** Nobody has to agree to it any more: what is shown of it is taken back. Contract: the caller holds the machine's row. */
export function endTaskNotices(say: HubRun, machine: string, id: string): void {
  const which = [machine, taskNotice(id)];
  void say(
    `UPDATE hub_notices SET wants = 'close', n = n + 1, due_at = 0, tries = 0
     WHERE machine = $1 AND ask = $2 AND wants <> 'close'`,
    which,
  );
  void say("UPDATE hub_routed SET hushed = 1 WHERE machine = $1 AND ask = $2", which);
}

/** Their browsers are to show it; whoever does so finds it here. In the transaction that says whom it goes to. */
export async function wantNotices(
  say: HubRun,
  { machine, ask, wants }: Pick<Notice, "machine" | "ask" | "wants">,
  members: readonly string[],
  now: number,
): Promise<void> {
  if (members.length === 0) return;
  const places = await say<{ session: string }>(
    `SELECT p.session FROM hub_pushes p JOIN hub_sessions s ON s.id = p.session AND s.ends_at > $1
     WHERE p.member IN (${members.map((_, i) => `$${i + 4}`).join(", ")}) AND (
       (SELECT count(*) FROM hub_notices n WHERE n.session = p.session AND n.wants <> 'close') < ${MOST_SHOWN}
       OR EXISTS (SELECT 1 FROM hub_notices n WHERE n.session = p.session AND n.machine = $2 AND n.ask = $3))`,
    [now, machine, ask, ...members],
  );
  for (const { session } of places)
    await say(
      `INSERT INTO hub_notices (machine, ask, session, message, wants, n, due_at, busy_until, tries, shown)
       VALUES ($1, $2, $3, $4, $5, 1, $6, 0, 0, 0) ON CONFLICT (machine, ask, session) DO UPDATE
       SET wants = CASE WHEN hub_notices.shown = 1 THEN 'remind' ELSE excluded.wants END, n = hub_notices.n + 1,
         due_at = excluded.due_at, tries = 0`,
      [machine, ask, session, randomBytes(16).toString("base64url"), wants, now],
    );
}

/**
 * Something happened to these Asks: what is shown of one that was answered is to be taken back, and one whose answer came to
 * nothing is asked again. Contract and `link`: as of `noteNews`, which calls it.
 */
export function settleNotices(say: HubRun, machine: string, asks: readonly string[], link: string | null): void {
  for (let at = 0; at < asks.length; at += TOGETHER) {
    const some = asks.slice(at, at + TOGETHER);
    const named = `machine = $1 AND ask IN (${some.map((_, i) => `$${i + 3}`).join(", ")}) AND (CAST($2 AS text) IS NULL
      OR EXISTS (SELECT 1 FROM hub_machines m WHERE m.id = $1 AND m.link = $2 AND m.revoked_at IS NULL))`;
    const values = [machine, link, ...some];
    void say(
      `UPDATE hub_notices SET wants = 'close', n = n + 1, due_at = 0, tries = 0 WHERE ${named} AND wants <> 'close'
       AND NOT ${WAITS("hub_notices.machine", "hub_notices.ask")}`,
      values,
    );
    const waits = WAITS("hub_routed.machine", "hub_routed.ask");
    void say(`UPDATE hub_routed SET hushed = 1 WHERE ${named} AND hushed = 0 AND NOT ${waits}`, values);
    void say(`UPDATE hub_routed SET hushed = 0, due_at = 0 WHERE ${named} AND hushed = 1 AND ${waits}`, values);
  }
}

/**
 * Undoes the transaction where one of these Asks was asked of somebody, or, with `routes`, may have to be: there the long way
 * is taken. Contract: the caller holds the machine's row.
 */
export function refuseAsked(say: HubRun, machine: string, asks: readonly string[], by: { routes: boolean }): void {
  for (let at = 0; at < asks.length; at += TOGETHER) {
    const some = asks.slice(at, at + TOGETHER);
    const named = `k.machine = $1 AND k.ask IN (${some.map((_, i) => `$${i + 3}`).join(", ")})`;
    void say(
      // What has no machine is refused, and with it all that was said before.
      `INSERT INTO hub_told (machine, n) SELECT NULL, 0 WHERE (CAST($2 AS bigint) = 1 AND EXISTS (SELECT 1 FROM hub_routes))
         OR EXISTS (SELECT 1 FROM hub_routed k WHERE ${named}) OR EXISTS (SELECT 1 FROM hub_notices k WHERE ${named})`,
      [machine, by.routes ? 1 : 0, ...some],
    );
  }
}

/** Browsers that take pushes, and what is to be pushed to them: of several hubs one does it. */
export function createHubNotices({ run, transaction }: HubDatabase) {
  return {
    /** One key for all hubs with these records, made when it is first needed. */
    async vapidKey(make: () => string): Promise<string> {
      const read = async () =>
        (await run<{ secret: string }>("SELECT secret FROM hub_keys WHERE name = 'vapid'"))[0]?.secret;
      const known = await read();
      if (known !== undefined) return known;
      await run("INSERT INTO hub_keys (name, secret) VALUES ('vapid', $1) ON CONFLICT (name) DO NOTHING", [make()]);
      return (await read()) ?? "";
    },
    async takesPushes(session: string): Promise<boolean> {
      return (await run("SELECT session FROM hub_pushes WHERE session = $1", [session])).length > 0;
    },
    /** One for each browser; those of browsers that are signed out go. */
    keepPush: ({ session, member, endpoint, p256dh, auth }: PushPlace, now: number): Promise<void> =>
      transaction(async (say) => {
        await say(
          `DELETE FROM hub_pushes WHERE session = $1 OR endpoint = $2
           OR NOT EXISTS (SELECT 1 FROM hub_sessions s WHERE s.id = hub_pushes.session AND s.ends_at > $3)`,
          [session, endpoint, now],
        );
        await say(
          "INSERT INTO hub_pushes (session, member, endpoint, p256dh, auth, at) VALUES ($1, $2, $3, $4, $5, $6)",
          [session, member, endpoint, p256dh, auth, now],
        );
      }),
    async dropPush(session: string): Promise<void> {
      await run("DELETE FROM hub_pushes WHERE session = $1", [session]);
      await run("DELETE FROM hub_notices WHERE session = $1", [session]);
    },
    /** What was asked by a machine that is gone is over too. */
    async closeGone(): Promise<void> {
      await run(
        `UPDATE hub_notices SET wants = 'close', n = n + 1, due_at = 0, tries = 0 WHERE wants <> 'close'
         AND machine IN (SELECT id FROM hub_machines WHERE revoked_at IS NOT NULL)`,
      );
    },
    async dueNotices(now: number, limit: number): Promise<Notice[]> {
      return run<Notice>(
        `SELECT machine, ask, session, message, wants, n, tries FROM hub_notices
         WHERE due_at IS NOT NULL AND due_at <= $1 AND busy_until <= $1 ORDER BY due_at LIMIT $2`,
        [now, limit],
      );
    },
    /** This hub does it, until then. Undefined: another one does, or it is not wanted any more. */
    takeNotice: (
      { machine, ask, session, n }: Notice,
      now: number,
      until: number,
    ): Promise<PushPlace | "nowhere" | undefined> =>
      transaction(async (say) => {
        const [mine] = await say<Row>(
          `UPDATE hub_notices SET busy_until = $6, tries = tries + 1,
             shown = CASE WHEN wants = 'close' THEN shown ELSE 1 END
           WHERE ${ONE} AND n = $4 AND busy_until <= $5 AND due_at <= $5 RETURNING wants, shown`,
          [machine, ask, session, n, now, until],
        );
        if (!mine) return undefined;
        if (mine["wants"] === "close" && mine["shown"] === 0) return "nowhere";
        const [place] = await say<PushPlace>(
          `SELECT p.session, p.member, p.endpoint, p.p256dh, p.auth FROM hub_pushes p
           JOIN hub_sessions s ON s.id = p.session AND s.ends_at > $2
           JOIN hub_members m ON m.id = p.member AND m.revoked_at IS NULL WHERE p.session = $1`,
          [session, now],
        );
        return place ?? "nowhere";
      }),
    /** `again`: when it is tried again; null: it was done, or is given up. What is wanted since then is not touched. */
    async noticed({ machine, ask, session, n, wants }: Notice, again: number | null): Promise<void> {
      const which = [machine, ask, session];
      if (wants === "close" && again === null)
        await run(`DELETE FROM hub_notices WHERE ${ONE} AND n = $4`, [...which, n]);
      await run(
        `UPDATE hub_notices SET busy_until = 0, due_at = CASE WHEN n = $4 THEN CAST($5 AS bigint) ELSE due_at END WHERE ${ONE}`,
        [...which, n, again],
      );
    },
    /** Nobody is there to see it. */
    async dropNotice({ machine, ask, session, n }: Notice): Promise<void> {
      await run(`DELETE FROM hub_notices WHERE ${ONE} AND n = $4`, [machine, ask, session, n]);
    },
    async noticeOf(message: string, session: string): Promise<{ machine: string; ask: string } | undefined> {
      const text = "SELECT machine, ask FROM hub_notices WHERE message = $1 AND session = $2";
      return (await run<{ machine: string; ask: string }>(text, [message, session]))[0];
    },
  };
}
