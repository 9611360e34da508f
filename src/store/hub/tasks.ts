import { taskNeedsOf } from "../../core/hub-policy.ts";
import { actingAs, lockMachine } from "./acting.ts";
import { lockLog, note, noteAfter, recordOf } from "./audit.ts";
import type { HubActor } from "./actor.ts";
import { noteTeam } from "./news.ts";
import { endTaskNotices } from "./notices.ts";
import { policiesIn } from "./policies.ts";
import { routeTask } from "./routing.ts";
import type { Row } from "./rows.ts";
import type { HubDatabase } from "./schema.ts";
import { type HubTask, MACHINE, machineOf, orderContent, orderDigest, TASKS, taskOf } from "./task-rows.ts";
import { createTaskSeconds, waitingNumber } from "./task-seconds.ts";
import { putTakeBack, type TakenBack, wasTold } from "./take-back.ts";

export type Offer = { machine: HubTask["machine"]; projects: string[] };
type May = (actor: Pick<HubActor, "member" | "grants">) => boolean;
type NewTask = Pick<HubTask, "id" | "key" | "project" | "prompt" | "title"> & { machine: string; token: string };
/** `other`: the key was used for other work; `gone`: this machine does not take it any more; `unsigned`: it would have to be. */
type Put = { type: "refused" | "gone" | "other" | "unsigned" } | { type: "put"; task: HubTask };

const TOLD_TOGETHER = 20;

/** Work given from the hub: an intent as an answer is one, until its machine says what became of it. */
export function createHubTasks(database: HubDatabase) {
  const { run, transaction, tell } = database;
  return {
    ...createTaskSeconds(database),
    /** Where a machine takes work, as it says itself. False: this connection does not count any more. */
    takeOffers: (link: string, wanted: readonly string[], now: number): Promise<boolean> =>
      transaction(async (say) => {
        const [machine] = await say<Row>(
          "UPDATE hub_machines SET seen_at = $2 WHERE link = $1 AND revoked_at IS NULL RETURNING id, projects",
          [link, now],
        );
        if (!machine) return false;
        const id = String(machine["id"]);
        // One that is limited to projects by their names offers no others.
        const named = (JSON.parse(String(machine["projects"])) as string[]).filter((each) => !each.startsWith("/"));
        const projects = [...new Set(wanted)].filter((each) => named.length === 0 || named.includes(each)).toSorted();
        const text = JSON.stringify(projects);
        const [before] = await say<Row>("SELECT projects FROM hub_offers WHERE machine = $1", [id]);
        if ((before?.["projects"] ?? "[]") === text) return true;
        await say(
          "INSERT INTO hub_offers (machine, projects) VALUES ($1, $2) ON CONFLICT (machine) DO UPDATE SET projects = excluded.projects",
          [id, text],
        );
        noteTeam(say);
        const facts = { machine: id, projects: projects.length };
        await note(say, now, { kind: "machine.offers", by: id, facts, content: { projects } });
        return true;
      }),
    async offers(): Promise<Offer[]> {
      const rows = await run<Row>(
        `SELECT o.projects, ${MACHINE} FROM hub_offers o JOIN hub_machines m ON m.id = o.machine
         WHERE m.revoked_at IS NULL ORDER BY m.joined_at, m.id`,
      );
      return rows.map((row) => ({ machine: machineOf(row), projects: JSON.parse(String(row["projects"])) }));
    },
    /** Contract: the same key of the same member again is the same work. Where two are needed it waits for another one. */
    putTask: (wanted: NewTask, may: May, now: number): Promise<Put> =>
      transaction(async (say) => {
        const { id, key, machine, project, prompt, title, token } = wanted;
        const acting = actingAs(say, { token, machine }, now);
        const offered = say<Row>("SELECT projects FROM hub_offers WHERE machine = $1", [machine]);
        const { actor, intents } = await acting.who();
        if (!actor || !may(actor)) return { type: "refused" };
        const { member, role } = actor;
        const read = async (where: string, values: readonly string[]) =>
          (await say<Row>(`${TASKS} WHERE ${where}`, values)).map(taskOf)[0];
        const earlier = await read("w.member = $1 AND w.key = $2", [member, key]);
        if (earlier) {
          const isSame = earlier.machine.id === machine && earlier.project === project && earlier.prompt === prompt;
          return isSame && earlier.title === title ? { type: "put", task: earlier } : { type: "other" };
        }
        const projects = JSON.parse(String((await offered)[0]?.["projects"] ?? "[]")) as string[];
        if (intents === undefined || !projects.includes(project)) return { type: "gone" };
        const needs = taskNeedsOf(await policiesIn(say), project);
        if (needs.signed) return { type: "unsigned" };
        const n = needs.two ? await waitingNumber(say, machine) : intents + 1;
        if (!needs.two) await say("UPDATE hub_machines SET intents = $2 WHERE id = $1", [machine, n]);
        await say(
          `INSERT INTO hub_tasks (id, machine, n, key, member, at, project, prompt, title, state)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          [id, machine, n, key, member, now, project, prompt, title, needs.two ? "waiting" : "sent"],
        );
        const routed = needs.two ? await routeTask(say, machine, { id, project, member }, now) : [];
        noteTeam(say);
        const task = await read("w.id = $1", [id]);
        if (!task) return { type: "gone" };
        const is = recordOf.task({ id, machine, n, member, project, prompt, title, second: null });
        const facts = { record: `task ${id}`, is, machine, n, project, role, order: orderDigest({ ...wanted }) };
        const kind = needs.two ? "task.chosen" : "task.given";
        const given = { kind, by: member, facts, content: orderContent(wanted) };
        noteAfter(await lockLog(say), say, now, given, ...routed);
        if (!needs.two) void tell?.(say, machine);
        return { type: "put", task };
      }),
    /** The newest first. `projects` null: of all; `like`: whose ids begin with it. */
    async tasks(query: { projects: readonly string[] | null; limit: number; like?: string }): Promise<HubTask[]> {
      const { projects, limit, like = "" } = query;
      const only =
        projects === null ? "" : `AND w.project IN (${projects.map((_, i) => `$${i + 4}`).join(", ") || "NULL"})`;
      const rows = await run<Row>(
        `${TASKS} WHERE w.id >= $2 AND w.id <= $3 ${only} ORDER BY w.at DESC, w.id LIMIT $1`,
        [limit, like, `${like}${"z".repeat(40)}`, ...(projects ?? [])],
      );
      return rows.map(taskOf);
    },
    /** What this machine has not said anything about yet. From now on it may have it: it alone gives it back. `upTo`: no more up to there. */
    unsettledTasks: (machine: string, after: number): Promise<{ tasks: HubTask[]; upTo: number }> =>
      transaction(async (say) => {
        const locked = lockMachine(say, machine);
        const rows = await say<Row>(
          `${TASKS} WHERE w.machine = $1 AND w.n > $2 AND w.state = 'sent' ORDER BY w.n LIMIT ${TOLD_TOGETHER}`,
          [machine, after],
        );
        const tasks = rows.map(taskOf);
        for (const { n } of tasks)
          void say("INSERT INTO hub_told (machine, n) VALUES ($1, $2) ON CONFLICT (machine, n) DO NOTHING", [
            machine,
            n,
          ]);
        const last = tasks.length < TOLD_TOGETHER ? (await locked)[0]?.intents : tasks.at(-1)?.n;
        return { tasks, upTo: last ?? after };
      }),
    /** The first receipt holds, of its own machine alone. False: this connection does not count any more. */
    takeTaskReceipt: (
      link: string,
      receipt: { id: string; state: string; task: string | null; detail: string | null },
      now: number,
    ): Promise<boolean> =>
      transaction(async (say) => {
        const { id, state, task, detail } = receipt;
        const [machine] = await say<Row>(
          "UPDATE hub_machines SET seen_at = $2 WHERE link = $1 AND revoked_at IS NULL RETURNING id",
          [link, now],
        );
        if (!machine) return false;
        const by = String(machine["id"]);
        const done = await say<Row>(
          `UPDATE hub_tasks SET state = $3, detail = $4, task = $5, done_at = $6
           WHERE id = $2 AND machine = $1 AND state = 'sent' RETURNING id`,
          [by, id, state, detail, task, now],
        );
        if (done.length === 0) return true;
        noteTeam(say);
        const facts = { record: `task ${id}`, machine: by, ...(task !== null && { task }) };
        await note(say, now, { kind: `task.${state}`, by, facts, ...(detail !== null && { content: { detail } }) });
        return true;
      }),
    /** `asked`: its machine may have it, is asked, and says what became of it. */
    takeTaskBack: (which: { id: string; machine: string; token: string }, may: May, now: number): Promise<TakenBack> =>
      transaction(async (say) => {
        const { id, machine, token } = which;
        const acting = actingAs(say, { token, machine }, now);
        const found = say<Row>(
          "SELECT n FROM hub_tasks WHERE id = $1 AND machine = $2 AND state IN ('sent', 'waiting')",
          [id, machine],
        );
        const { actor } = await acting.who();
        if (!actor || !may(actor)) return "refused";
        const [row] = await found;
        if (!row) return "none";
        const n = Number(row["n"]);
        const facts = { record: `task ${id}`, machine };
        if (!(await wasTold(say, machine, n))) {
          const detail = `Taken back by ${actor.name}`;
          const text = "UPDATE hub_tasks SET state = 'withdrawn', detail = $2, done_at = $3 WHERE id = $1";
          await say(text, [id, detail, now]);
          endTaskNotices(say, machine, id);
          noteTeam(say);
          await note(say, now, { kind: "task.taken-back", by: actor.member, facts });
          return "withdrawn";
        }
        if (await putTakeBack(say, { machine, n, by: actor.member }, now))
          await note(say, now, { kind: "task.take-back", by: actor.member, facts });
        await tell?.(say, machine);
        return "asked";
      }),
  };
}
