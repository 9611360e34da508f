import { ParleyError } from "../../core/error.ts";
import { isAdmin } from "../../core/hub-role.ts";
import { actorOf, type HubActor } from "./actor.ts";
import { type HubIntent, INTENT, intentOf, type Row } from "./rows.ts";
import type { HubRun } from "./schema.ts";

/** A browser that nobody used for so long has to sign in again. */
export const SESSION_MS = 30 * 86_400_000;
/** That it is used is written no more often. */
export const NOTED_MS = 5 * 60_000;
type Who = { token: string; machine: string };

/**
 * Whoever acts on a machine's Asks, and that machine, both held until the commit and in this order: whoever revokes one of
 * them waits for us, or we see it here. `intents`: how many the machine was given; undefined: it is not there any more.
 * Contract: all of it is sent before this returns; what the caller says next goes along and sees what was written meanwhile.
 */
export function actingAs(say: HubRun, { token, machine }: Who, now: number) {
  holdMember(say, token, now);
  const actor = later(actorOf(say, token, now));
  const locked = later(lockMachine(say, machine));
  return {
    async who(): Promise<{ actor: HubActor | undefined; intents: number | undefined }> {
      return { actor: await actor, intents: (await locked).find(({ revokedAt }) => revokedAt === null)?.intents };
    },
  };
}

const ACTING = "SELECT member FROM hub_tokens WHERE hash = $1 UNION SELECT member FROM hub_sessions WHERE hash = $1";

/** Written, not only read. A browser that somebody acts with is used. */
function holdMember(say: HubRun, token: string, now: number): void {
  void say(`UPDATE hub_members SET acted_at = $2 WHERE id IN (${ACTING})`, [token, now]);
  void say("UPDATE hub_sessions SET seen_at = $2, ends_at = $3 WHERE hash = $1 AND seen_at < $4 AND ends_at > $2", [
    token,
    now,
    now + SESSION_MS,
    now - NOTED_MS,
  ]);
}

/** Who changes what all agreed on: somebody at the hub's own machine, or an admin by the digest of what they showed. */
export type Changer = "host" | { token: string };

/** As the log names them, held until the commit: who was revoked meanwhile changes nothing. Contract: throws for whoever may not. */
export async function changerOf(say: HubRun, by: Changer, now: number): Promise<string> {
  if (by === "host") return by;
  holdMember(say, by.token, now);
  const actor = await actorOf(say, by.token, now);
  if (actor && isAdmin(actor.grants)) return actor.member;
  throw new ParleyError("forbidden", "Only an admin of all projects changes this");
}

/** A member, and whoever changes something of theirs: in the same order whoever does it, so that nobody waits for somebody who waits for them. */
export async function holdMembers(say: HubRun, member: string, by: Changer): Promise<void> {
  const acting = by === "host" ? [] : await say<{ member: string }>(ACTING, [by.token]);
  for (const id of [...new Set([member, ...acting.map((row) => row.member)])].toSorted())
    await say("UPDATE hub_members SET acted_at = acted_at WHERE id = $1", [id]);
}

/** What is waited for later: where something said before it fails, that is told, and this fails only because of it. */
export function later<T>(said: Promise<T>): Promise<T> {
  said.catch(() => undefined);
  return said;
}

/** Whoever tells a machine, and whoever takes back what it was not told, wait for each other. */
export async function lockMachine(
  say: HubRun,
  machine: string,
): Promise<{ intents: number; revokedAt: number | null }[]> {
  const text = `UPDATE hub_machines SET intents = intents WHERE id = $1 RETURNING intents, revoked_at AS "revokedAt"`;
  return (await say<Row>(text, [machine])).map(({ intents, revokedAt }) => ({
    intents: Number(intents),
    revokedAt: revokedAt === null ? null : Number(revokedAt),
  }));
}

/** Why an answer came to nothing. Contract: the caller holds the machine's row. */
export const putReason = (say: HubRun, machine: string, n: number, reason: string): void =>
  void say(
    `INSERT INTO hub_reasons (machine, n, reason) VALUES ($1, $2, $3)
     ON CONFLICT (machine, n) DO UPDATE SET reason = excluded.reason`,
    [machine, n, reason],
  );

/** How an Ask stands for whoever answers it. */
export type Standing = {
  isOpen: boolean;
  /** The answer that counts. */
  first: HubIntent | undefined;
  /** Somebody has chosen for it, as one of two. */
  isChosen: boolean;
  /** There are policies. */
  isDemanded: boolean;
  /** It was asked of somebody, or is shown to somebody. */
  isAsked: boolean;
};

const flag = (condition: string, name: string): string => `CASE WHEN ${condition} THEN 1 ELSE 0 END AS "${name}"`;
const exists = (rows: string): string => `EXISTS (SELECT 1 FROM ${rows})`;
const askedOf = (machine: string, ask: string): string =>
  ["hub_routed", "hub_notices"]
    .map((kept) => exists(`${kept} k WHERE k.machine = ${machine} AND k.ask = ${ask}`))
    .join(" OR ");

const STANDING = `SELECT ${[
  flag(exists("hub_asks a WHERE a.machine = $1 AND a.id = $2 AND a.state = 'open'"), "isOpen"),
  flag(exists("hub_halves h WHERE h.machine = $1 AND h.ask = $2 AND h.n = 0"), "isChosen"),
  flag(exists("hub_policies"), "isDemanded"),
  flag(askedOf("$1", "$2"), "isAsked"),
  INTENT,
].join(", ")} FROM (SELECT 1 AS one) o
  LEFT JOIN hub_intents i ON i.machine = $1 AND i.ask = $2 AND i.state <> 'withdrawn' LEFT JOIN hub_members p ON p.id = i.member`;

/** In one statement. Contract: the caller holds the machine's row, so nothing of it changes before the commit. */
export async function standingOf(say: HubRun, machine: string, ask: string): Promise<Standing> {
  const [row = {}] = await say<Row>(STANDING, [machine, ask]);
  const { isOpen, isChosen, isDemanded, isAsked, ...intent } = row;
  return {
    isOpen: isOpen === 1,
    first: (intent["n"] ?? null) === null ? undefined : intentOf(intent),
    isChosen: isChosen === 1,
    isDemanded: isDemanded === 1,
    isAsked: isAsked === 1,
  };
}

/** Was what this intent answers asked of somebody? Contract: as of `standingOf`. */
export async function isAskedOf(say: HubRun, link: string, n: number): Promise<boolean> {
  const text = `SELECT 1 AS one FROM hub_machines m JOIN hub_intents i ON i.machine = m.id AND i.n = $2
    WHERE m.link = $1 AND (${askedOf("i.machine", "i.ask")})`;
  return (await say(text, [link, n])).length > 0;
}
