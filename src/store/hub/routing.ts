import { TASK_KIND } from "../../core/hub-names.ts";
import { nextTurn, routeFor, type RouteStep, type Turn } from "../../core/hub-route.ts";
import { note } from "./audit.ts";
import type { AuditFacts, AuditNote } from "./chain.ts";
import { noteNews } from "./news.ts";
import { endTaskNotices, taskIn, taskNotice, wantNotices } from "./notices.ts";
import { type Asked, calledNow, peopleNow, peopleOf, readRoutes, stillMay } from "./route-rows.ts";
import type { Row } from "./rows.ts";
import type { HubDatabase, HubRun } from "./schema.ts";
import { lockMachine } from "./acting.ts";

type Waiting = { id: string; view: object };
/** Of work that waits for a second person: `except` is who gave it. */
type Work = { id: string; project: string; member: string };
type View = Omit<Parameters<typeof routeFor>[1], "kind"> & { kind: string; snoozedUntil?: number; except?: string };
/** One Ask on its way: whom it goes to, and where it is. `people`: who was asked so far. */
export type HubRouted = Turn & {
  machine: string;
  ask: string;
  steps: RouteStep[];
  people: Asked[];
  since: number;
  dueAt: number | null;
};
type Going = Omit<HubRouted, "since" | "dueAt"> & { view: View; afterMs: number };

/**
 * New Asks of a machine go to whom the routes say, each once. Contract: the caller holds that machine's row, and writes what
 * this answers into the log.
 */
export async function routeAsks(
  say: HubRun,
  machine: string,
  asks: readonly Waiting[],
  now: number,
): Promise<AuditNote[]> {
  const routes = asks.length === 0 ? [] : await readRoutes(say);
  const notes: AuditNote[] = [];
  for (const { id, view } of routes.length === 0 ? [] : asks) {
    const route = routeFor(routes, view as never);
    if (!route) continue;
    const { steps, afterMs } = route;
    const isNew = await say(
      `INSERT INTO hub_routed (machine, ask, steps, after_ms, step, reminded, people, since, due_at, hushed)
       SELECT CAST($1 AS text), CAST($2 AS text), CAST($3 AS text), CAST($4 AS bigint), 0, 0, '[]', CAST($5 AS bigint), NULL, 0
       FROM hub_asks a WHERE a.machine = $1 AND a.id = $2 AND a.state = 'open' AND NOT EXISTS
         (SELECT 1 FROM hub_intents i WHERE i.machine = $1 AND i.ask = $2 AND i.state <> 'withdrawn')
       ON CONFLICT (machine, ask) DO NOTHING RETURNING ask`,
      [machine, id, JSON.stringify(steps), afterMs, now],
    );
    const going = { machine, ask: id, steps: [...steps], people: [], afterMs, view: view as View };
    if (isNew.length > 0) notes.push(await enter(say, { ...going, step: 0, reminded: false }, now));
  }
  return notes;
}

/** Work that waits for a second person goes to whom the routes say, never to who gave it. Contract: as of `routeAsks`. */
export async function routeTask(say: HubRun, machine: string, work: Work, now: number): Promise<AuditNote[]> {
  const view = viewOfWork(work);
  const route = routeFor(await readRoutes(say), view as never);
  if (!route) return [];
  const { steps, afterMs } = route;
  const ask = taskNotice(work.id);
  const isNew = await say(
    `INSERT INTO hub_routed (machine, ask, steps, after_ms, step, reminded, people, since, due_at, hushed)
     VALUES ($1, $2, $3, $4, 0, 0, '[]', $5, NULL, 0) ON CONFLICT (machine, ask) DO NOTHING RETURNING ask`,
    [machine, ask, JSON.stringify(steps), afterMs, now],
  );
  const going = { machine, ask, steps: [...steps], people: [], afterMs, view, step: 0, reminded: false };
  return isNew.length > 0 ? [await enter(say, going, now)] : [];
}

/** What it risks is asked when its agent does it. */
const viewOfWork = ({ project, member }: Omit<Work, "id">): View => ({
  kind: TASK_KIND,
  questions: [],
  origin: { project },
  except: member,
});

/** The same for all that wait and go to nobody yet. */
export async function routeWaiting(say: HubRun, now: number): Promise<AuditNote[]> {
  // In one order, whoever does it: nobody waits for somebody who waits for them.
  const machines = await say<{ id: string }>("SELECT id FROM hub_machines WHERE revoked_at IS NULL ORDER BY id");
  const notes: AuditNote[] = [];
  for (const { id } of machines) {
    await lockMachine(say, id);
    const open = await say<{ id: string; data: string }>(
      `SELECT a.id, a.data FROM hub_asks a WHERE a.machine = $1 AND a.state = 'open' AND NOT EXISTS
         (SELECT 1 FROM hub_routed r WHERE r.machine = a.machine AND r.ask = a.id) ORDER BY a.created_at, a.id`,
      [id],
    );
    const waiting = open.map((each) => ({ id: each.id, view: JSON.parse(each.data) as object }));
    const routed = await routeAsks(say, id, waiting, now);
    noteNews(
      say,
      id,
      routed.map(({ facts }) => String(facts?.["ask"])),
    );
    notes.push(...routed);
    const work = await say<Work>(
      `SELECT id, project, member FROM hub_tasks WHERE machine = $1 AND state = 'waiting' AND NOT EXISTS
         (SELECT 1 FROM hub_routed r WHERE r.machine = $1 AND r.ask = 'task:' || hub_tasks.id) ORDER BY at, id`,
      [id],
    );
    for (const each of work) notes.push(...(await routeTask(say, id, each, now)));
  }
  return notes;
}

/** It is theirs now: the next of whom somebody may answer it. */
async function enter(say: HubRun, going: Going, now: number): Promise<AuditNote> {
  const { machine, ask, steps, view, afterMs } = going;
  for (let step = going.step; step < steps.length; step++) {
    const to = steps[step];
    const meant = to ? await peopleOf(say, to, view as never, now) : [];
    const found = meant.filter(({ id }) => id !== view.except);
    const fresh = found.filter(({ id }) => !going.people.some((asked) => asked.id === id));
    if (!to || found.length === 0) continue;
    const earlier = going.people.filter(({ id }) => !found.some((person) => person.id === id));
    const people = [...earlier, ...found.map((person) => ({ ...person, step }))];
    await say(
      "UPDATE hub_routed SET step = $3, reminded = 0, people = $4, since = $5, due_at = $6 WHERE machine = $1 AND ask = $2",
      [machine, ask, step, JSON.stringify(people), now, now + afterMs],
    );
    for (const { id } of taskIn(ask) === undefined ? fresh : [])
      await say(
        "INSERT INTO hub_asked (machine, ask, member) VALUES ($1, $2, $3) ON CONFLICT (machine, ask, member) DO NOTHING",
        [machine, ask, id],
      );
    // Who was asked before and is meant again hears it once more.
    await wantNotices(
      say,
      { machine, ask, wants: "ask" },
      found.map(({ id }) => id),
      now,
    );
    return noteOf("routed", machine, ask, { step, to: `${to.type} ${to.id}` });
  }
  await say("UPDATE hub_routed SET step = $3, due_at = NULL WHERE machine = $1 AND ask = $2", [
    machine,
    ask,
    steps.length - 1,
  ]);
  return noteOf("routed", machine, ask, { step: null, to: null });
}

function noteOf(what: "routed" | "reminded", machine: string, ask: string, facts: AuditFacts): AuditNote {
  const task = taskIn(ask);
  const about = task === undefined ? { machine, ask } : { machine, task };
  return { kind: `${task === undefined ? "ask" : "task"}.${what}`, by: "hub", facts: { ...about, ...facts } };
}

/** Somebody is on it then: nobody is reminded meanwhile, and what was due is done as soon as that is over, however it ends. */
const CLAIMED = (now: string): string =>
  `EXISTS (SELECT 1 FROM hub_claims c JOIN hub_members p ON p.id = c.member AND p.revoked_at IS NULL
     WHERE c.machine = r.machine AND c.ask = r.ask AND c.ends_at > ${now})`;

/**
 * This member answers nothing any more: where nobody else is asked now, it is the next one's turn as soon as that may be.
 * Contract: the caller holds the rows of those machines, and has noted that the member is revoked.
 */
export async function passOn(say: HubRun, member: string, now: number): Promise<void> {
  const active = new Set((await peopleNow(say, now)).map(({ id }) => id));
  const rows = await say<Row>(
    "SELECT machine, ask, step, people FROM hub_routed WHERE hushed = 0 AND people LIKE $1 ORDER BY machine, ask",
    [`%"${member}"%`],
  );
  for (const row of rows) {
    const [machine, ask] = [String(row["machine"]), String(row["ask"])];
    const here = (JSON.parse(String(row["people"])) as Asked[]).filter(({ step }) => step === Number(row["step"]));
    if (!here.some(({ id }) => active.has(id)))
      // What is due again for all stays so.
      void say(
        "UPDATE hub_routed SET due_at = $3 WHERE machine = $1 AND ask = $2 AND (due_at IS NULL OR due_at > $3)",
        [machine, ask, now],
      );
    if (taskIn(ask) === undefined) noteNews(say, machine, [ask]);
  }
}

/** Who is asked, reminded, and who is next. */
export function createHubRouting({ run, transaction }: HubDatabase) {
  return {
    /** Questions go to somebody, or something is shown to somebody: without that nothing can be due. */
    async mayBeDue(): Promise<boolean> {
      const kept = ["hub_routes", "hub_notices", "hub_routed WHERE hushed = 0 AND due_at IS NOT NULL"];
      const text = kept.map((each) => `EXISTS (SELECT 1 FROM ${each})`).join(" OR ");
      return (await run<Row>(`SELECT 1 AS one WHERE ${text}`)).length > 0;
    },
    async dueRoutes(now: number, limit: number): Promise<{ machine: string; ask: string }[]> {
      return run(
        `SELECT r.machine, r.ask FROM hub_routed r JOIN hub_machines m ON m.id = r.machine AND m.revoked_at IS NULL
         WHERE r.hushed = 0 AND r.due_at IS NOT NULL AND r.due_at <= $1 AND NOT ${CLAIMED("$1")} ORDER BY r.due_at LIMIT $2`,
        [now, limit],
      );
    },
    /** What is due is done once, whichever hub comes first. False: there was nothing to do. */
    turnRoute: ({ machine, ask }: { machine: string; ask: string }, now: number): Promise<boolean> =>
      transaction(async (say) => {
        await lockMachine(say, machine);
        const [row] = await say<Row>(
          `SELECT r.steps, r.after_ms, r.step, r.reminded, r.people, r.due_at, a.data, w.project, w.member
           FROM hub_routed r LEFT JOIN hub_asks a ON a.machine = r.machine AND a.id = r.ask
             LEFT JOIN hub_tasks w ON w.id = $4 AND w.machine = r.machine AND w.state = 'waiting'
           WHERE r.machine = $1 AND r.ask = $2 AND r.hushed = 0 AND r.due_at <= $3 AND NOT ${CLAIMED("$3")}
             AND (a.id IS NOT NULL OR w.id IS NOT NULL)`,
          [machine, ask, now, taskIn(ask) ?? ""],
        );
        if (!row) {
          const id = taskIn(ask);
          const still = "SELECT 1 AS one FROM hub_tasks WHERE id = $1 AND machine = $2 AND state = 'waiting'";
          // A hub of an earlier version ended it and knew nothing of this.
          if (id !== undefined && (await say(still, [id, machine])).length === 0) endTaskNotices(say, machine, id);
          return false;
        }
        const going = goingOf(machine, ask, row);
        const due = (at: number | null, reminded: boolean) =>
          say("UPDATE hub_routed SET due_at = $3, reminded = $4 WHERE machine = $1 AND ask = $2", [
            machine,
            ask,
            at,
            reminded ? 1 : 0,
          ]);
        // Put aside on its machine: nobody is reminded meanwhile.
        const later = going.view.snoozedUntil ?? 0;
        if (later > now) {
          await due(later, going.reminded);
          return false;
        }
        const again = Number(row["due_at"]) === 0;
        const turn = again ? { step: going.step, reminded: going.reminded } : nextTurn(going, going.steps.length);
        const isLast = (turn?.reminded ?? true) && going.step + 1 >= going.steps.length;
        const people = await stillMay(say, going.people, going.view as never, now);
        const here = people.filter(({ step }) => step === going.step);
        const remind = (whom: readonly Asked[]) =>
          wantNotices(
            say,
            { machine, ask, wants: "remind" },
            whom.map(({ id }) => id),
            now,
          );
        let done: AuditNote | undefined;
        // Nobody who is asked now may answer it any more: whoever is meant and may, or the next.
        if (here.length === 0) {
          if (again) await remind(people);
          done = await enter(say, { ...going, people }, now);
        } else if (turn?.step !== undefined && turn.step > going.step)
          done = await enter(say, { ...going, ...turn, people }, now);
        else {
          await due(isLast ? null : now + going.afterMs, turn?.reminded ?? true);
          if (turn) {
            await remind(again ? people : here);
            done = noteOf("reminded", machine, ask, { step: going.step });
          }
        }
        if (taskIn(ask) === undefined) noteNews(say, machine, [ask]);
        if (done) await note(say, now, done);
        return true;
      }),
    /** What each active member may do now. */
    peopleNow: (now: number) => peopleNow(run, now),
    /** Of these Asks, those that go to somebody. */
    async routed(asks: readonly string[]): Promise<HubRouted[]> {
      if (asks.length === 0) return [];
      const rows = await run<Row>(
        `SELECT machine, ask, steps, after_ms, step, reminded, people, since, due_at FROM hub_routed
         WHERE ask IN (${asks.map((_, i) => `$${i + 1}`).join(", ")})`,
        asks,
      );
      if (rows.length === 0) return [];
      const called = await calledNow(run);
      return rows.map((row) => {
        const { view: _, afterMs: __, ...going } = goingOf(String(row["machine"]), String(row["ask"]), row);
        const [steps, people] = [going.steps.map(called), going.people.map(called)];
        const dueAt = row["due_at"] === null ? null : Number(row["due_at"]);
        return { ...going, steps, people, since: Number(row["since"]), dueAt };
      });
    },
  };
}

const goingOf = (machine: string, ask: string, row: Row): Going => ({
  machine,
  ask,
  steps: JSON.parse(String(row["steps"])) as RouteStep[],
  people: JSON.parse(String(row["people"])) as Asked[],
  step: Number(row["step"]),
  reminded: row["reminded"] === 1,
  afterMs: Number(row["after_ms"]),
  view: viewIn(row),
});

function viewIn({ data, project, member }: Row): View {
  if (typeof data === "string") return JSON.parse(data) as View;
  return viewOfWork({ project: String(project), member: String(member) });
}
