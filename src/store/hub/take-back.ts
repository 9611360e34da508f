import { actingAs, putReason } from "./acting.ts";
import { note } from "./audit.ts";
import type { AuditNote } from "./chain.ts";
import { recordName } from "./kept/kept.ts";
import { dropHalves, standsBehind } from "./halves.ts";
import { noteNews } from "./news.ts";
import type { Grant, HubActor } from "./actor.ts";
import type { Row } from "./rows.ts";
import type { HubDatabase, HubRun } from "./schema.ts";

/** An answer to this Ask, or this work. */
export type AskedBack = { machine: string; n: number } & ({ ask: string; task: null } | { ask: null; task: string });
export type TakenBack = "refused" | "none" | "withdrawn" | "asked";

/** An intent that its machine may have been told of is that machine's to give back; any other is withdrawn here. */
export function createTakeBacks({ run, transaction, tell }: HubDatabase) {
  return {
    /** `asked`: its machine is asked, and says what became of it. */
    takeBack: (which: { machine: string; ask: string; token: string }, now: number): Promise<TakenBack> =>
      transaction(async (say) => {
        const { machine, ask, token } = which;
        const acting = actingAs(say, { token, machine }, now);
        const [intent] = await say<Row>(
          "SELECT n, member FROM hub_intents WHERE machine = $1 AND ask = $2 AND state = 'sent'",
          [machine, ask],
        );
        const about = say<{ project: string | null }>("SELECT project FROM hub_asks WHERE machine = $1 AND id = $2", [
          machine,
          ask,
        ]);
        const { actor } = await acting.who();
        if (!actor) return "refused";
        const who = { ...actor, isAdmin: isAdminOf(actor.grants, (await about)[0]?.project ?? null) };
        if (!intent) return (await takeChoiceBack(say, machine, ask, who, now)) ? "withdrawn" : "none";
        const n = Number(intent["n"]);
        const isTheirs = intent["member"] === who.member || (await standsBehind(say, { machine, ask, n }, who.member));
        if (!isTheirs && !who.isAdmin) return "refused";
        const facts = { record: `intent ${machine} ${n}`, ask };
        if (!(await wasTold(say, machine, n))) {
          await say(
            "UPDATE hub_intents SET state = 'withdrawn', detail = $3, done_at = $4 WHERE machine = $1 AND n = $2",
            [machine, n, `Taken back by ${actor.name}`, now],
          );
          putReason(say, machine, n, "taken-back");
          noteNews(say, machine, [ask]);
          await note(say, now, { kind: "intent.taken-back", by: actor.member, facts });
          return "withdrawn";
        }
        if (await putTakeBack(say, { machine, n, by: actor.member }, now))
          await note(say, now, { kind: "intent.take-back", by: actor.member, facts });
        await tell?.(say, machine);
        return "asked";
      }),
    /** What machines are to give back, if they can. */
    async takeBacks(): Promise<AskedBack[]> {
      return run(
        `SELECT t.machine, t.n, i.ask, NULL AS task FROM hub_take_backs t
         JOIN hub_intents i ON i.machine = t.machine AND i.n = t.n WHERE i.state = 'sent'
         UNION ALL SELECT t.machine, t.n, NULL AS ask, w.id AS task FROM hub_take_backs t
         JOIN hub_tasks w ON w.machine = t.machine AND w.n = t.n WHERE w.state = 'sent' ORDER BY 2`,
      );
    },
  };
}

/** The machine may have it: only that can give it back. */
export const wasTold = async (say: HubRun, machine: string, n: number): Promise<boolean> =>
  (await say("SELECT n FROM hub_told WHERE machine = $1 AND n = $2", [machine, n])).length > 0;

/** Kept until the machine has said what became of it. False: somebody has asked for it before. */
export async function putTakeBack(
  say: HubRun,
  { machine, n, by }: { machine: string; n: number; by: string },
  now: number,
): Promise<boolean> {
  const text = `INSERT INTO hub_take_backs (machine, n, member, at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (machine, n) DO NOTHING RETURNING n`;
  return (await say(text, [machine, n, by, now])).length > 0;
}

/** Of all projects, or of the one it is about. */
const isAdminOf = (grants: readonly Grant[], about: string | null): boolean =>
  grants.some(({ role, project }) => role === "admin" && (project === null || project === about));

/** What one of two has chosen is theirs to take back; an admin takes back anybody's, where none is their own. */
async function takeChoiceBack(
  say: HubRun,
  machine: string,
  ask: string,
  actor: HubActor & { isAdmin: boolean },
  now: number,
) {
  const text = "SELECT member FROM hub_halves WHERE machine = $1 AND ask = $2 AND n = 0";
  const chosen = (await say<{ member: string }>(text, [machine, ask])).map(({ member }) => member);
  const mine = chosen.filter((member) => member === actor.member);
  const gone = mine.length > 0 ? mine : actor.isAdmin ? chosen : [];
  for (const member of gone) await dropHalves(say, member, { machine, ask });
  const notes = gone.map((member) => ({
    kind: "choice.taken-back",
    by: actor.member,
    facts: { record: recordName({ machine, ask, member }), machine, ask, member },
  }));
  await note(say, now, ...notes);
  return gone.length > 0;
}

/** Answers, and work, that this member gave or stands behind, and that their machine has not said anything about. */
export const SENT_ANSWERS = `SELECT i.machine, i.n, i.ask FROM hub_intents i WHERE i.state = 'sent' AND (i.member = $1 OR EXISTS
  (SELECT 1 FROM hub_halves h WHERE h.machine = i.machine AND h.ask = i.ask AND h.n = i.n AND h.member = $1))`;
export const SENT_WORK = `SELECT w.machine, w.n, w.id FROM hub_tasks w WHERE w.state = 'sent'
  AND (w.member = $1 OR EXISTS (SELECT 1 FROM hub_seconds s WHERE s.task = w.id AND s.member = $1))`;

/**
 * What a revoked member sent, as if it were taken back. `asked`: machines that are to give something back. Contract: the caller
 * holds the rows of the member and of those machines, and writes the notes into the log.
 */
export async function withdrawSent(
  say: HubRun,
  member: string,
  now: number,
): Promise<{ notes: AuditNote[]; asked: string[] }> {
  const answers = await say<{ machine: string; n: number; ask: string }>(`${SENT_ANSWERS} ORDER BY 1, 2`, [member]);
  const work = await say<{ machine: string; n: number; id: string }>(`${SENT_WORK} ORDER BY 1, 2`, [member]);
  const all = [
    ...answers.map(({ machine, n, ask }) => ({ machine, n, ask, what: "intent", record: `intent ${machine} ${n}` })),
    ...work.map(({ machine, n, id }) => ({ machine, n, ask: null, what: "task", record: `task ${id}` })),
  ];
  const notes: AuditNote[] = [];
  const asked: string[] = [];
  for (const { machine, n, ask, what, record } of all) {
    const facts = ask === null ? { record, machine } : { record, ask };
    if (await wasTold(say, machine, n)) {
      if (await putTakeBack(say, { machine, n, by: "host" }, now))
        notes.push({ kind: `${what}.take-back`, by: "host", facts });
      asked.push(machine);
      continue;
    }
    const text = `UPDATE hub_${what}s SET state = 'withdrawn', detail = $3, done_at = $4 WHERE machine = $1 AND n = $2`;
    await say(text, [machine, n, "Who gave it was revoked", now]);
    if (ask !== null) {
      putReason(say, machine, n, "revoked");
      noteNews(say, machine, [ask]);
    }
    notes.push({ kind: `${what}.withdrawn`, by: "hub", facts });
  }
  return { notes, asked };
}
