import { expect, setDefaultTimeout, test } from "bun:test";
import type { Problem } from "../../src/hub/audit/chain.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { TEST_MS } from "../patience.ts";
import { openStage, shown } from "./hub-stage.ts";
import { act, eitherTakesBack, everyWayOfTwo, openTwo, pick, problems } from "./two-cases.ts";

setDefaultTimeout(TEST_MS);

test("[TP1] two different members choose the same before anything is sent: not one twice, not who disagrees, was revoked or saw another question: embedded", async () => {
  await everyWayOfTwo();
});

test("[TP3] by hand in the database: a choice, a policy taken away, an answer of one alone: audit verify names each", async () => {
  const changes: [string, string, Problem["kind"][]][] = [
    ["a choice of another", "UPDATE hub_halves SET member = 'zed'", ["unlogged", "record"]],
    ["another choice", `UPDATE hub_halves SET settlement = '{"action":"decline"}'`, ["record"]],
    ["no choice", "DELETE FROM hub_halves", ["record"]],
    ["no policy", "DELETE FROM hub_policies", ["record"]],
    ["another policy", "UPDATE hub_policies SET kind = 'plan'", ["record"]],
  ];
  for (const [what, statement, kinds] of changes) {
    const database = openHubSqlite(":memory:");
    await using inside = await openTwo(database);
    await act(inside, await inside.ask("approval"), await inside.token("Ada", "approver", null), pick(0));
    expect([what, await problems(inside)]).toEqual([what, []]);
    await database.run(statement);
    expect([what, (await problems(inside)).map(({ kind }) => kind)]).toEqual([what, kinds]);
  }
  // Without its policy one was enough; the log, which still has it, says so.
  const database = openHubSqlite(":memory:");
  await using inside = await openTwo(database);
  await database.run("UPDATE hub_policies SET two = 0");
  const ada = await inside.token("Ada", "approver", null);
  expect((await act(inside, await inside.ask("approval"), ada, pick(0))).ask.intent?.state).toBe("sent");
  expect((await problems(inside)).map(({ kind }) => kind).toSorted()).toEqual(["alone", "record"]);
});

test("[TP12] a choice that is over, put back by hand in the database, is named: alone, and when somebody agrees with it", async () => {
  const database = openHubSqlite(":memory:");
  await using inside = await openTwo(database);
  const [ada, bob] = [await inside.token("Ada", "approver", null), await inside.token("Bob", "approver", null)];
  const id = await inside.ask("approval");
  await act(inside, id, ada, pick(0));
  expect((await act(inside, id, bob, pick(0))).ask.intent).toMatchObject({ state: "sent", with: ["Ada"] });
  expect((await act(inside, id, bob, {}, "take-back")).ask.intent?.state).toBe("withdrawn");
  expect(await problems(inside)).toEqual([]);
  const adas = (await inside.records.members()).find(({ name }) => name === "Ada")?.id ?? "";
  await database.run("UPDATE hub_halves SET n = 0 WHERE member = $1", [adas]);
  // It waits, and it is missing behind the answer that was taken back.
  expect((await problems(inside)).map(({ kind }) => kind)).toEqual(["record", "record"]);
  expect((await act(inside, id, bob, pick(0))).ask.intent).toMatchObject({ state: "sent", with: ["Ada"] });
  expect((await problems(inside)).map(({ kind }) => kind)).toEqual(["alone", "record", "record"]);
});

test("[TP12] a choice that an answer of somebody else alone has ended, put back by hand in the database, is named when somebody agrees with it", async () => {
  const database = openHubSqlite(":memory:");
  await using inside = await openTwo(database);
  const [ada, bob] = [await inside.token("Ada", "approver", null), await inside.token("Bob", "approver", null)];
  const id = await inside.ask("approval");
  await act(inside, id, ada, pick(0));
  const [half = {}] = await database.run<Record<string, string | number | null>>("SELECT * FROM hub_halves");
  // Without a policy Bob is enough: what Ada chose before is over with it.
  await inside.records.removePolicy("p1", Date.now());
  expect((await act(inside, id, bob, pick(1))).ask.intent?.state).toBe("sent");
  expect((await act(inside, id, bob, {}, "take-back")).ask.intent?.state).toBe("withdrawn");
  const needsTwo = { two: true, signed: false, project: null, kind: "approval", stake: null };
  await inside.records.addPolicy({ id: "p2", ...needsTwo }, Date.now());
  expect(await problems(inside)).toEqual([]);
  const columns = Object.keys(half);
  const places = columns.map((_, at) => `$${at + 1}`);
  await database.run(`INSERT INTO hub_halves (${columns}) VALUES (${places})`, Object.values(half));
  expect((await act(inside, id, bob, pick(0))).ask.intent).toMatchObject({ state: "sent", with: ["Ada"] });
  expect((await problems(inside)).map(({ kind }) => kind)).toContain("alone");
});

test("[TP13] each of two who agreed takes the answer back while it is on its way, nobody else: embedded", () =>
  eitherTakesBack());

test("[TP4] by command: a policy, one of two, the other agrees; the machine hears it then alone, and both are named everywhere", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const [ada, bob] = [await stage.person(hub, "Ada", "approver"), await stage.person(hub, "Bob", "approver")];
  const made = await stage.admin("policy", "--two", "--project", "project");
  expect(made.policies).toMatchObject([{ two: true, signed: false, project: "project", kind: null }]);
  await stage.join(hub);
  const asked = await stage.ask("Deploy?");
  await shown(ada.client, asked.id, { state: "open", machine: { online: true }, needs: { two: true } });
  const by = (who: typeof ada, ...args: string[]) =>
    machine.parley(["answer", asked.id, ...args, "--hub"], { env: who.env });
  expect(await by(ada, "1")).toMatchObject({ code: 0, out: "… 1 of 2: Ada chose Yes; another approver is needed\n" });
  expect((await by(ada, "1")).out).toContain("1 of 2: Ada");
  expect((await machine.parley(["ls", "--hub"], { env: bob.env })).out).toContain("1 of 2: Ada chose Yes");
  expect((await by(bob, "2")).out).toBe("… Ada chose Yes, Bob chose No: they do not agree, and nothing is sent\n");
  expect((await machine.client().call("getAsk", { id: asked.id })).state).toBe("open");
  expect((await by(bob, "--take-back")).out).toBe("✓ taken back\n");
  expect((await by(bob, "1")).out).toMatch(/^✓ Ada and Bob agree; received by /);
  expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
  expect((await machine.parley(["why", asked.id])).out).toContain("answered by Ada and Bob (hub): Yes");
  expect((await by(ada, "2")).out).toContain("✗ too late: Ada and Bob were first");
  const { outcome } = await machine.client().call("getAsk", { id: asked.id });
  expect(outcome?.actor.members?.map(({ name }) => name)).toEqual(["Ada", "Bob"]);
  expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true, problems: [] });
  const { policies } = await stage.admin("policy", "--remove", made.policies[0].id);
  expect(policies).toEqual([]);
});
