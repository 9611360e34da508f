import type { AuditNote } from "./chain.ts";
import { actingAs, later, lockMachine, standingOf } from "./acting.ts";
import { createHubAsks } from "./asks.ts";
import { createHubAudit, lockLog, note, noteAfter, recordOf } from "./audit.ts";
import { createHubClaims } from "./claims.ts";
import { countsOf } from "./counts.ts";
import { createHubHalves, dropHalves, hasHalf, joinHalves, judgeHalf, type Signed } from "./halves.ts";
import { createHubLooks } from "./looks.ts";
import { createJobRecords } from "./job-records.ts";
import { createMachineRecords } from "./machine-records.ts";
import { createHubNews, noteNews, noteTeam, numberNews } from "./news.ts";
import { createHubNotices } from "./notices.ts";
import { actorOf, type HubActor } from "./actor.ts";
import { createHubPeople, dropInvites } from "./people.ts";
import { createHubPolicies, policiesIn } from "./policies.ts";
import { createHubRouting, passOn } from "./routing.ts";
import { createHubRoutesSet } from "./routes.ts";
import { createHubTasks } from "./tasks.ts";
import { dropWaitingTasks } from "./task-seconds.ts";
import { createSignedOut } from "./member/signed-out.ts";
import { createHubTokens } from "./member/tokens.ts";
import { createTakeBacks, SENT_ANSWERS, SENT_WORK, withdrawSent } from "./take-back.ts";
import { type HubIntent, type HubMachine, MACHINE, machineOf, type Row } from "./rows.ts";
import type { HubDatabase, HubRun } from "./schema.ts";

export type { HubAsk } from "./asks.ts";
export type { HubActor } from "./actor.ts";
export type { AskCopy, HubIntent, HubMachine } from "./rows.ts";
export type HubMember = { id: string; name: string; madeAt: number; revokedAt: number | null; roles: string[] };
/** `isAlone`: it was made by this very call, and nobody else and no signature stands behind it. */
type Put = { type: "put"; intent: HubIntent; isAlone: boolean };
export type HubRecords = ReturnType<typeof createHubRecords>;

/** What a hub keeps: machines, members, copies of Asks, intents. Who acts is looked at in the write itself. */
export function createHubRecords(database: HubDatabase) {
  const { run, transaction, close, tell, onTold } = database;
  let hasPolicies = false;

  return {
    ...createMachineRecords(database),
    ...createJobRecords(database),
    ...createTakeBacks(database),
    ...createHubTasks(database),
    ...createHubTokens(database),
    ...createHubAsks(database),
    ...createHubPeople(database),
    ...createSignedOut(database),
    ...createHubNews(database),
    ...createHubClaims(database),
    ...createHubPolicies(database),
    ...createHubHalves(database),
    ...createHubRoutesSet(database),
    ...createHubRouting(database),
    ...createHubNotices(database),
    ...createHubLooks(database),
    audit: createHubAudit(database),
    counts: (heardSince: number) => countsOf(run, heardSince),
    close,
    /** Hears of machines for which another hub has something new; not every engine can say so. */
    onTold: (listener: (machine?: string) => void): (() => void) => onTold?.(listener) ?? (() => undefined),
    async isThere(): Promise<boolean> {
      return (await run<Row>("SELECT 1 AS one")).length === 1;
    },
    /**
     * `told`: its machine hears of it as soon as it is made, and may have it from then on: that is noted with it.
     * Contract: the intent that counts for this Ask, made by this call or not; `refused`: whoever acts may not, or not any
     * more; `half`: another one has to choose the same; `unsigned`: it needs a signature for what it is now.
     */
    putIntent(
      intent: {
        machine: string;
        ask: string;
        key: string;
        settlement: object;
        token: string;
        asked?: object;
        signed?: Signed | undefined;
        told?: boolean;
      },
      may: (actor: Pick<HubActor, "grants">) => boolean,
      now: number,
    ): Promise<{ type: "refused" | "gone" | "half" | "unsigned" } | { type: "second"; intent: HubIntent } | Put> {
      const { machine, ask, key, settlement, token, asked, told = false } = intent;
      return transaction(async (say) => {
        const acting = actingAs(say, { token, machine }, now);
        // Where something is demanded the log is not held while that is judged. A guess: either way is right.
        const early = hasPolicies ? undefined : later(lockLog(say));
        const standing = later(standingOf(say, machine, ask));
        const demanded = hasPolicies ? later(policiesIn(say)) : undefined;
        const { actor, intents } = await acting.who();
        if (!actor || !may(actor)) return { type: "refused" };
        if (intents === undefined) return { type: "gone" };
        const { first, isOpen, isChosen, isDemanded, isAsked } = await standing;
        if (first) {
          // The same request once more: its reply was lost.
          const isMine =
            (first.key === key && first.member === actor.member) || (await hasHalf(say, intent, actor.member));
          return isMine ? { type: "put", intent: first, isAlone: false } : { type: "second", intent: first };
        }
        if (!isOpen) return { type: "gone" };
        const policies = await (demanded ?? (isDemanded ? policiesIn(say) : []));
        hasPolicies = policies.length > 0;
        const isAlone = !hasPolicies && !isChosen;
        const judged = await judgeHalf(say, { ...intent, policies }, actor, may, now);
        if (judged.type !== "enough") return { type: judged.type };
        const [n, text, { member, name, role }] = [intents + 1, JSON.stringify(settlement), actor];
        const head = await (early ?? lockLog(say));
        void say("UPDATE hub_machines SET intents = $2 WHERE id = $1", [machine, n]);
        void say(
          `INSERT INTO hub_intents (machine, n, key, ask, member, at, settlement, state)
           VALUES ($1, $2, $3, $4, $5, $6, $7, 'sent')`,
          [machine, n, key, ask, member, now, text],
        );
        if (told) void say("INSERT INTO hub_told (machine, n) VALUES ($1, $2)", [machine, n]);
        if (!isAlone) joinHalves(say, machine, ask, n, [member, ...judged.others.map((other) => other.member)]);
        (isAsked ? noteNews : numberNews)(say, machine, [ask]);
        const is = recordOf.intent({ machine, n, ask, member, settlement: text });
        const facts = { record: `intent ${machine} ${n}`, is, machine, n, ask, role, ...judged.facts };
        const answered = { kind: "ask.answered", by: member, facts, content: { settlement, asked } };
        noteAfter(head, say, now, ...judged.notes, answered);
        // Who answers tells it here; where its line is gone by then, whatever hub it comes to next looks.
        if (!told) void tell?.(say, machine);
        const made = { n, key, ask, member, name, at: now, settlement, state: "sent", detail: null };
        return { type: "put", intent: made, isAlone };
      });
    },
    actor: (token: string, now: number) => actorOf(run, token, now),
    async machines(): Promise<HubMachine[]> {
      return (await run<Row>(`SELECT ${MACHINE} FROM hub_machines ORDER BY joined_at, id`)).map(machineOf);
    },
    /** `roles`: with the project they are limited to; `now`: without those of tokens that have ended by then. */
    async members(now = 0): Promise<HubMember[]> {
      const rows = await run<Row>(
        'SELECT id, name, made_at AS "madeAt", revoked_at AS "revokedAt" FROM hub_members ORDER BY made_at, id',
      );
      const tokens = await run<Row>(
        `SELECT member, role, project FROM hub_tokens WHERE expires_at IS NULL OR expires_at > $1
         UNION SELECT member, role, project FROM hub_roles ORDER BY role, project`,
        [now],
      );
      return rows.map((row) => ({
        ...(row as unknown as Omit<HubMember, "roles">),
        roles: tokens.flatMap(({ member, role, project }) =>
          member !== row["id"] ? [] : project === null ? String(role) : `${role} of ${project}`,
        ),
      }));
    },
    /** Machine or member. Their tokens are worth nothing from now on, and what is on its way from them is stopped where it can be. */
    revoke(id: string, now: number): Promise<void> {
      return transaction(async (say) => {
        for (const what of ["machine", "member"]) {
          const gone = await say<Row>(
            `UPDATE hub_${what}s SET revoked_at = $2 ${what === "machine" ? ", link = NULL" : ""}
             WHERE id = $1 AND revoked_at IS NULL RETURNING name`,
            [id, now],
          );
          const facts = { record: `${what} ${id}`, name: gone[0]?.["name"] ?? "" };
          if (gone.length === 0) continue;
          const { notes, asked } = what === "member" ? await dropAllOf(say, id, now) : { notes: [], asked: [] };
          noteTeam(say);
          await note(say, now, ...notes, { kind: `${what}.revoked`, by: "host", facts });
          for (const each of new Set([id, ...asked])) await tell?.(say, each);
        }
      });
    },
  };
}

/** What waits for another person, and what goes to them. `$2`: as their id stands in a list. */
const CONCERNED = `SELECT machine FROM (${SENT_ANSWERS}) a UNION SELECT machine FROM (${SENT_WORK}) b
  UNION SELECT machine FROM hub_halves WHERE member = $1 AND n = 0
  UNION SELECT machine FROM hub_tasks WHERE member = $1 AND state = 'waiting'
  UNION SELECT machine FROM hub_routed WHERE hushed = 0 AND people LIKE $2 ORDER BY machine`;

/** `asked`: machines that are to give something back. Contract: the caller holds the member's row, so nothing of theirs is added. */
async function dropAllOf(say: HubRun, member: string, now: number): Promise<{ notes: AuditNote[]; asked: string[] }> {
  await dropInvites(say, member);
  // All of them first, in the order of whoever else holds several; what is read then does not change any more.
  for (const { machine } of await say<{ machine: string }>(CONCERNED, [member, `%"${member}"%`]))
    await lockMachine(say, machine);
  await dropHalves(say, member);
  const waiting = await dropWaitingTasks(say, member, now);
  const sent = await withdrawSent(say, member, now);
  await passOn(say, member, now);
  return { notes: [...waiting, ...sent.notes], asked: sent.asked };
}
