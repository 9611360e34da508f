import { ParleyError } from "../../core/error.ts";
import { isAdmin } from "../../core/hub-role.ts";
import { actorOf, type HubActor } from "./actor.ts";
import type { Row } from "./rows.ts";
import type { HubRun } from "./schema.ts";

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

/** Written, not only read. */
function holdMember(say: HubRun, token: string, now: number): void {
  void say(
    `UPDATE hub_members SET acted_at = $2 WHERE id IN
       (SELECT member FROM hub_tokens WHERE hash = $1 UNION SELECT member FROM hub_sessions WHERE hash = $1)`,
    [token, now],
  );
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
