import { taskNeedsOf } from "../../core/hub-policy.ts";
import { actingAs } from "./acting.ts";
import { lockLog, noteAfter, recordOf } from "./audit.ts";
import type { AuditNote } from "./chain.ts";
import { noteTeam } from "./news.ts";
import { endTaskNotices } from "./notices.ts";
import { grantsIn } from "./actor.ts";
import { policiesIn } from "./policies.ts";
import type { Row } from "./rows.ts";
import type { HubDatabase, HubRun } from "./schema.ts";
import { type HubTask, type MayGive, orderContent, orderDigest, TASKS, taskOf } from "./task-rows.ts";

/**
 * `own`: who gave it is no second one; `lapsed`: who gave it may not any more; `over`: it does not wait; `gone`: this machine
 * does not take it any more; `unsigned`: a signature is demanded since, and work has none.
 */
type Agreed = { type: "refused" | "own" | "lapsed" | "over" | "gone" | "unsigned" } | { type: "put"; task: HubTask };

/** Work that two people have to want: the second one, and what becomes of it when the first may not any more. */
export function createTaskSeconds({ transaction, tell }: HubDatabase) {
  return {
    /** Contract: it is sent with this; the same member again changes nothing. */
    agreeToTask: (which: { id: string; machine: string; token: string }, may: MayGive, now: number): Promise<Agreed> =>
      transaction(async (say) => {
        const { id, machine, token } = which;
        const { actor, intents } = await actingAs(say, { token, machine }, now).who();
        if (!actor || !may(actor)) return { type: "refused" };
        const read = async () => (await say<Row>(`${TASKS} WHERE w.id = $1 AND w.machine = $2`, [id, machine]))[0];
        const row = await read();
        if (!row || intents === undefined) return { type: "gone" };
        const task = taskOf(row);
        if (task.second === actor.member) return { type: "put", task };
        if (task.state !== "waiting") return { type: "over" };
        if (task.member === actor.member) return { type: "own" };
        if (!may({ grants: await grantsIn(say, task.member, now) })) return { type: "lapsed" };
        const { project } = task;
        const [offered] = await say<Row>("SELECT projects FROM hub_offers WHERE machine = $1", [machine]);
        if (!(JSON.parse(String(offered?.["projects"] ?? "[]")) as string[]).includes(project)) return { type: "gone" };
        if (taskNeedsOf(await policiesIn(say), project).signed) return { type: "unsigned" };
        const n = intents + 1;
        await say("UPDATE hub_machines SET intents = $2 WHERE id = $1", [machine, n]);
        await say("UPDATE hub_tasks SET n = $2, state = 'sent' WHERE id = $1", [id, n]);
        await say("INSERT INTO hub_seconds (task, member, at) VALUES ($1, $2, $3)", [id, actor.member, now]);
        endTaskNotices(say, machine, id);
        noteTeam(say);
        const made = { ...task, machine, n, second: actor.member };
        const facts = { record: `task ${id}`, is: recordOf.task(made), machine, n, project, role: actor.role };
        noteAfter(await lockLog(say), say, now, {
          kind: "task.given",
          by: actor.member,
          facts: { ...facts, order: orderDigest(made), with: task.member },
          content: orderContent(task),
        });
        void tell?.(say, machine);
        const sent = { ...task, n, state: "sent", second: actor.member, secondName: actor.name };
        return { type: "put", task: sent };
      }),
  };
}

/** A number that no intent has: the caller holds the machine's row. */
export async function waitingNumber(say: HubRun, machine: string): Promise<number> {
  const [row] = await say<Row>("SELECT min(n) AS least FROM hub_tasks WHERE machine = $1", [machine]);
  return Math.min(0, Number(row?.["least"] ?? 0)) - 1;
}

/** Nobody agrees any more to what a revoked member gave: for the log. Contract: the caller holds the member's row. */
export async function dropWaitingTasks(say: HubRun, member: string, now: number): Promise<AuditNote[]> {
  const text = "SELECT id, machine FROM hub_tasks WHERE member = $1 AND state = 'waiting' ORDER BY machine, id";
  const notes: AuditNote[] = [];
  for (const { id, machine } of await say<{ id: string; machine: string }>(text, [member])) {
    await say("UPDATE hub_machines SET intents = intents WHERE id = $1", [machine]);
    const gone = await say(
      `UPDATE hub_tasks SET state = 'withdrawn', detail = 'Who gave it was revoked', done_at = $2
       WHERE id = $1 AND state = 'waiting' RETURNING id`,
      [id, now],
    );
    if (gone.length > 0) endTaskNotices(say, machine, id);
    if (gone.length > 0) notes.push({ kind: "task.withdrawn", by: "hub", facts: { record: `task ${id}`, machine } });
  }
  return notes;
}
