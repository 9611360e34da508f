import { answerText, shownText } from "../../core/hub-approval.ts";
import { type Needs, needsOf, type Policy, riskedBy } from "../../core/hub-policy.ts";
import { note, recordOf } from "./audit.ts";
import { type AuditFacts, type AuditNote, sha256 } from "./chain.ts";
import { recordName } from "./kept/kept.ts";
import { noteNews } from "./news.ts";
import { grantsIn, type HubActor } from "./actor.ts";
import type { Row } from "./rows.ts";
import type { HubDatabase, HubRun } from "./schema.ts";

/** What a passkey said, as the hub has checked it. `shown`, `answer`: what it signed. */
export type Signed = { passkey: string; shown: string; answer: string; response: object };
/** What one of two has chosen. `n`: the intent it became part of; 0: it waits for another. */
export type HubHalf = {
  machine: string;
  ask: string;
  member: string;
  name: string;
  n: number;
  key: string;
  at: number;
  settlement: unknown;
  shown: string;
  answer: string;
  signed: Signed | null;
};
type Given = {
  machine: string;
  ask: string;
  key: string;
  settlement: object;
  signed?: Signed | undefined;
  asked?: object;
};
type May = (actor: Pick<HubActor, "grants">) => boolean;
/** `enough`: an intent may be made, with these at the log; `others`: who has chosen the same before. */
type Judged =
  | { type: "half" | "unsigned" }
  | { type: "enough"; facts: AuditFacts; notes: AuditNote[]; others: readonly HubHalf[] };

const HALF = `h.machine, h.ask, h.member, p.name, h.n, h.key, h.at, h.settlement, h.shown, h.answer, h.signed`;
const HALVES = `SELECT ${HALF} FROM hub_halves h JOIN hub_members p ON p.id = h.member`;
const TOGETHER = 200;

/**
 * One person's answer, where the policies may want another's, or a signature. Contract: the caller holds the rows of the
 * member and of the machine, so nobody chooses, is revoked or takes back meanwhile, and has read the policies since.
 */
export async function judgeHalf(
  say: HubRun,
  given: Given & { policies: readonly Policy[] },
  actor: HubActor,
  may: May,
  now: number,
): Promise<Judged> {
  const { machine, ask, key, settlement, signed, asked, policies } = given;
  const [row] = policies.length === 0 ? [] : await say<Row>(STILL_OPEN, [machine, ask]);
  // Nothing is demanded; or it is too late, which whoever made us look says in better words.
  if (!row) return { type: "enough", facts: {}, notes: [], others: [] };
  const view = JSON.parse(String(row["data"]));
  const needs: Needs = needsOf(policies, view);
  const [shown, answer] = [sha256(shownText(view)), sha256(answerText(settlement as never))];
  if (needs.signed && (signed?.shown !== shown || signed.answer !== answer)) return { type: "unsigned" };
  const proof = signed ? { passkey: signed.passkey, signature: JSON.stringify(signed.response) } : {};
  const about = { kind: view.kind, project: view.origin?.project ?? null, stakes: riskedBy(view).join(" ") };
  const facts = { ...about, shown, answer, ...proof };
  if (!needs.two && !needs.signed) return { type: "enough", facts, notes: [], others: [] };

  const waiting = (
    await say<Row>(`${HALVES} WHERE h.machine = $1 AND h.ask = $2 AND h.n = 0 ORDER BY h.at, h.member`, [machine, ask])
  ).map(halfOf);
  const mine = waiting.find(({ member }) => member === actor.member);
  const notes: AuditNote[] = [];
  let kept: { half?: string } = {};
  if (mine?.shown !== shown || mine.answer !== answer || (signed && mine.signed === null)) {
    const text = JSON.stringify(settlement);
    const half = {
      machine,
      ask,
      member: actor.member,
      settlement: text,
      signed: signed ? JSON.stringify(signed) : null,
    };
    await say(
      `INSERT INTO hub_halves (machine, ask, member, n, key, at, settlement, shown, answer, signed)
       VALUES ($1, $2, $3, 0, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (machine, ask, member, n) DO UPDATE SET key = excluded.key, at = excluded.at,
         settlement = excluded.settlement, shown = excluded.shown, answer = excluded.answer, signed = excluded.signed`,
      [machine, ask, actor.member, key, now, text, shown, answer, half.signed],
    );
    const record = { record: recordName(half), is: recordOf.half(half) };
    if (needs.two)
      notes.push({
        kind: "ask.chosen",
        by: actor.member,
        facts: { ...record, machine, ask, role: actor.role, ...facts },
        content: { settlement, asked },
      });
    // Of one person alone the answer tells what is kept.
    else kept = { half: record.is };
  }
  if (!needs.two) return { type: "enough", facts: { ...facts, ...kept }, notes: [], others: [] };
  const others: HubHalf[] = [];
  const isEnough = (half: HubHalf) => half.shown === shown && (!needs.signed || half.signed !== null);
  for (const half of waiting)
    if (half.member !== actor.member && isEnough(half) && may({ grants: await grantsIn(say, half.member, now) }))
      others.push(half);
  // Who disagrees is heard: nothing is sent before they change their mind, or take back what they chose.
  if (others.length > 0 && others.every((other) => other.answer === answer))
    return { type: "enough", facts: { ...facts, with: others.map(({ member }) => member).join(" ") }, notes, others };
  if (notes.length > 0) noteNews(say, machine, [ask]);
  await note(say, now, ...notes);
  return { type: "half" };
}

const STILL_OPEN = `SELECT data FROM hub_asks WHERE machine = $1 AND id = $2 AND state = 'open'
  AND NOT EXISTS (SELECT 1 FROM hub_intents WHERE machine = $1 AND ask = $2 AND state <> 'withdrawn')`;

/** Those that agree stand behind this intent; what else was chosen is over. */
export function joinHalves(say: HubRun, machine: string, ask: string, n: number, members: readonly string[]): void {
  for (const member of members)
    void say("UPDATE hub_halves SET n = $4 WHERE machine = $1 AND ask = $2 AND member = $3 AND n = 0", [
      machine,
      ask,
      member,
      n,
    ]);
  void say("DELETE FROM hub_halves WHERE machine = $1 AND ask = $2 AND n = 0", [machine, ask]);
}

/** Has this very request chosen for one of two? */
export async function hasHalf(say: HubRun, { machine, ask, key }: Given, member: string): Promise<boolean> {
  const text = "SELECT n FROM hub_halves WHERE machine = $1 AND ask = $2 AND member = $3 AND key = $4";
  return (await say(text, [machine, ask, member, key])).length > 0;
}

/** Is this intent also theirs, as one of two? */
export async function standsBehind(
  say: HubRun,
  { machine, ask, n }: { machine: string; ask: string; n: number },
  member: string,
): Promise<boolean> {
  const text = "SELECT n FROM hub_halves WHERE machine = $1 AND ask = $2 AND member = $3 AND n = $4";
  return (await say(text, [machine, ask, member, n])).length > 0;
}

/** What a member has chosen counts no more; `ask`: of this one alone. Contract: the caller holds the member's row. */
export async function dropHalves(
  say: HubRun,
  member: string,
  only?: { machine: string; ask: string },
): Promise<number> {
  const { machine = null, ask = null } = only ?? {};
  const found = await say<{ machine: string; ask: string }>(
    `SELECT machine, ask FROM hub_halves WHERE member = $1 AND n = 0
       AND (CAST($2 AS text) IS NULL OR (machine = $2 AND ask = $3)) ORDER BY machine, ask`,
    [member, machine, ask],
  );
  for (const each of found) {
    await say("UPDATE hub_machines SET intents = intents WHERE id = $1", [each.machine]);
    const text = "DELETE FROM hub_halves WHERE member = $1 AND machine = $2 AND ask = $3 AND n = 0";
    await say(text, [member, each.machine, each.ask]);
    noteNews(say, each.machine, [each.ask]);
  }
  return found.length;
}

/** What stands behind the intents of a machine after this one that it has not said anything about. */
export async function halvesSent(say: HubRun, machine: string, after: number): Promise<HubHalf[]> {
  const text = `${HALVES} JOIN hub_intents i ON i.machine = h.machine AND i.ask = h.ask AND i.n = h.n
    WHERE h.machine = $1 AND i.n > $2 AND i.state = 'sent' ORDER BY h.at, h.member`;
  return (await say<Row>(text, [machine, after])).map(halfOf);
}

/** Reads what people have chosen where two are needed. */
export function createHubHalves({ run }: HubDatabase) {
  return {
    async halves(asks: readonly string[]): Promise<HubHalf[]> {
      const found: HubHalf[] = [];
      for (let at = 0; at < asks.length; at += TOGETHER) {
        const some = asks.slice(at, at + TOGETHER);
        const named = some.map((_, i) => `$${i + 1}`).join(", ");
        const text = `${HALVES} WHERE h.ask IN (${named}) AND (h.n > 0 OR p.revoked_at IS NULL) ORDER BY h.at, h.member`;
        found.push(...(await run<Row>(text, some)).map(halfOf));
      }
      return found;
    },
  };
}

const halfOf = (row: Row): HubHalf =>
  ({
    ...row,
    settlement: JSON.parse(String(row["settlement"])),
    signed: row["signed"] === null ? null : JSON.parse(String(row["signed"])),
  }) as unknown as HubHalf;
