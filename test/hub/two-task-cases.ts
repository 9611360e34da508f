import { expect } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import type { HubTaskView } from "../../src/protocol/hub/hub.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";
import { type Inside, openInside } from "./hub-inside.ts";

type Headers = Record<string, string>;
const ORDER = { machine: "laptop", project: "site", prompt: "Update the dependencies" };
const POLICY = { two: true, signed: false, project: null, kind: "task", stake: null };

const send = async (inside: Inside, path: string, who: Headers, body: object = {}) => {
  const reply = await inside.post(`/api/tasks${path}`, body, who);
  return { status: reply.status, task: (await reply.json()) as HubTaskView };
};
const problems = async ({ records }: Inside) =>
  (await verifyRecords(records.audit, undefined, 1)).problems.map(({ kind }) => kind);

/** Work that two people have to want, on whichever engine. */
export async function twoGiveWork(database: HubDatabase): Promise<void> {
  await using inside = await openInside(database);
  const { records, machine } = inside;
  await records.audit.begin(Date.now());
  await records.takeOffers("a-link-of-this-test", ["site", "shop"], Date.now());
  await records.addPolicy({ id: "p1", ...POLICY }, Date.now());
  const [ada, bob, cyd] = [
    await inside.token("Ada", "approver", null),
    await inside.token("Bob", "approver", "site"),
    await inside.token("Cyd", "answerer", null),
  ];
  const again = await inside.token("Ada", "admin", null);
  const told = async () => (await records.unsettledTasks(machine.id, 0)).tasks.map(({ id }) => id);
  const give = (who = ada, more: object = {}) => send(inside, "", who, { ...ORDER, ...more });
  const agree = (id: string, who: Headers) => send(inside, `/${id}/agree`, who);

  // One of two: it waits, all who may see it see all of it, and its machine hears nothing.
  const steps = [{ type: "group" as const, id: "everybody", name: "everybody" }];
  await records.setRoute({ project: null, kind: "task", stakes: false, steps, afterMs: 60_000 }, Date.now());
  const { task } = await give(ada, { name: "Deps" });
  // Whoever may agree is asked, and reminded once.
  const later = Date.now() + 61_000;
  const due = { machine: machine.id, ask: `task:${task.id}` };
  const isDue = async (at: number) => (await records.dueRoutes(at, 9)).some(({ ask }) => ask === due.ask);
  expect([await isDue(later), await records.turnRoute(due, later), await isDue(later)]).toEqual([true, true, false]);
  expect(task).toMatchObject({ state: "waiting", member: "Ada", prompt: ORDER.prompt });
  const list = (await (await fetch(`${inside.hub.url}/api/tasks`, { headers: bob })).json()) as object;
  expect(list).toMatchObject({
    tasks: [{ id: task.id, state: "waiting", member: "Ada", name: "Deps", prompt: ORDER.prompt }],
    places: [{ project: "site", needs: { two: true, signed: false } }],
  });
  // The same member twice is one, with another token too; who may not give any is no second one.
  for (const who of [ada, again, cyd]) expect((await agree(task.id, who)).status).toBe(403);
  expect(await told()).toEqual([]);
  // Several at once: one of them is the second, and it is told once.
  const dan = await inside.token("Dan", "admin", null);
  const both = await Promise.all([agree(task.id, bob), agree(task.id, bob), agree(task.id, dan)]);
  expect(both.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(await told()).toEqual([task.id]);
  const [row] = await records.tasks({ projects: null, limit: 1 });
  const winner = row?.secondName === "Bob" ? bob : dan;
  expect((await agree(task.id, winner)).task).toMatchObject({ state: "sent", member: "Ada", with: [row?.secondName] });
  expect((await agree(task.id, winner === bob ? dan : bob)).status).toBe(409);
  expect(await records.turnRoute(due, later + 120_000)).toBe(false);

  // In another project that it does not name, one is enough there.
  await records.addPolicy({ id: "p2", ...POLICY, project: "site" }, Date.now(), "host", "p1");
  expect((await give(ada, { project: "shop" })).task.state).toBe("sent");
  // Taken back before anybody agreed: there is nothing to agree to.
  const gone = (await give()).task.id;
  expect((await send(inside, `/${gone}/take-back`, bob)).status).toBe(403);
  expect((await send(inside, `/${gone}/take-back`, ada)).task.state).toBe("withdrawn");
  expect((await agree(gone, bob)).status).toBe(409);
  // Who was revoked has given nothing.
  const eve = await inside.token("Eve", "approver", null);
  const lost = (await give(eve)).task.id;
  const eveId = (await records.members()).find(({ name }) => name === "Eve")?.id ?? "";
  await Promise.all([records.revoke(eveId, Date.now()), agree(lost, cyd)]);
  expect((await agree(lost, bob)).status).toBe(409);
  expect(await told()).toHaveLength(2);
  // A policy for everything is for work too; one for a stake is not.
  await records.addPolicy({ id: "p3", ...POLICY, kind: null, stake: "irreversible" }, Date.now(), "host", "p2");
  expect((await give()).task.state).toBe("sent");
  await records.addPolicy({ id: "p4", ...POLICY, kind: null }, Date.now(), "host", "p3");
  expect((await give()).task.state).toBe("waiting");
  // A signature: work has none, and that is said.
  const waits = (await give()).task.id;
  await records.addPolicy({ id: "p5", ...POLICY, signed: true }, Date.now());
  for (const refused of [await give(), await agree(waits, bob)])
    expect([refused.status, JSON.stringify(refused.task)]).toEqual([
      403,
      expect.stringContaining("demands a signature for all that is decided in site"),
    ]);
  expect(await problems(inside)).toEqual([]);

  // What was sent beside them is found: one person alone, or a second one who was made up.
  await records.removePolicy("p5", Date.now());
  const invented = (await give()).task.id;
  await agree(invented, bob);
  expect(await problems(inside)).toEqual([]);
  await database.run("UPDATE hub_seconds SET member = $2 WHERE task = $1", [invented, eveId]);
  expect(await problems(inside)).toEqual(["record"]);
  await database.run("DELETE FROM hub_seconds WHERE task = $1", [invented]);
  expect(await problems(inside)).toEqual(["record"]);
}
