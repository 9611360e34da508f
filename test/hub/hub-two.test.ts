import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import type { HubAskView } from "../../src/protocol/hub.ts";
import type { HubDatabase } from "../../src/store/hub-schema.ts";
import { openHubPostgres } from "../../src/store/postgres/hub.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { TEST_MS } from "../patience.ts";
import { noServer, startCluster } from "./cluster.ts";
import { type Inside, openInside } from "./hub-inside.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);
const pick = (n: number, more: object = {}) => ({ action: "answer", answers: [{ picks: [n] }], ...more });
const APPROVALS = { two: true, signed: false, project: null, kind: "approval", stake: null };
type Headers = Record<string, string>;

async function open(database?: HubDatabase) {
  const inside = await openInside(database);
  await inside.records.audit.begin(Date.now());
  await inside.records.addPolicy({ id: "p1", ...APPROVALS }, Date.now());
  return inside;
}

const act = async (inside: Inside, id: string, who: Headers, body: object, what = "answer") => {
  const reply = await inside.post(`/api/asks/${id}/${what}`, body, who);
  return { status: reply.status, ask: (await reply.json()) as HubAskView };
};
const intentsOf = async ({ records, machine }: Inside) => records.unsettled(machine.id, 0);
const problems = async ({ records }: Inside) => (await verifyRecords(records.audit, undefined, 1)).problems;

async function everyWay(database: () => Promise<HubDatabase | undefined>): Promise<void> {
  await using inside = await open(await database());
  const { records } = inside;
  const [ada, bob, cyd] = [
    await inside.token("Ada", "approver", null),
    await inside.token("Bob", "approver", null),
    await inside.token("Cyd", "approver", "site"),
  ];
  const again = await inside.token("Ada", "admin", null);

  // Nobody else is needed for what the policy does not name.
  const question = await inside.ask("question");
  expect((await act(inside, question, ada, pick(0))).ask.intent?.state).toBe("sent");
  expect(await intentsOf(inside)).toHaveLength(1);

  // The same member twice is one: the same token, another one, and the same request once more.
  const one = await inside.ask("approval");
  const first = await act(inside, one, ada, pick(0));
  expect([first.status, first.ask.intent, first.ask.needs]).toMatchObject([200, undefined, { two: true }]);
  for (const who of [ada, again]) expect((await act(inside, one, who, pick(0))).ask.halves).toHaveLength(1);
  expect((await act(inside, one, again, pick(0))).ask.intent).toBeUndefined();
  // The other sees what was chosen, and disagrees: both are shown, nothing is sent.
  const other = await act(inside, one, bob, pick(1));
  expect(other.ask.halves?.map(({ member, settlement }) => [member, settlement.answers?.[0]?.picks])).toEqual([
    ["Ada", [0]],
    ["Bob", [1]],
  ]);
  // A third does not outvote anybody.
  expect((await act(inside, one, cyd, pick(0))).ask.intent).toBeUndefined();
  expect(await intentsOf(inside)).toHaveLength(1);
  expect((await act(inside, one, bob, {}, "take-back")).ask.halves).toHaveLength(2);
  expect((await act(inside, one, ada, pick(0, { version: 1 }))).ask.intent).toMatchObject({
    member: "Ada",
    with: ["Cyd"],
    state: "sent",
  });
  expect((await act(inside, one, bob, pick(0))).status).toBe(409);

  // Who was revoked, or may not any more, has chosen nothing.
  const two = await inside.ask("approval");
  await act(inside, two, cyd, pick(0));
  const cydId = (await records.members()).find(({ name }) => name === "Cyd")?.id ?? "";
  await records.revoke(cydId, Date.now());
  const alone = await act(inside, two, bob, pick(0));
  expect([alone.ask.intent, alone.ask.halves?.map(({ member }) => member)]).toEqual([undefined, ["Bob"]]);
  // What it is about has changed: nobody has chosen that yet.
  const three = await inside.ask("approval");
  await act(inside, three, ada, pick(0));
  const [copy] = await records.asksLike(three, null);
  const options = ["Yes", "No"].map((label) => ({ label, description: "" }));
  const view = { ...copy?.view, version: 2, questions: [{ text: "Another?", header: "", options }] };
  const told = { id: three, version: 2, state: "open", project: "site", createdAt: 1, view };
  await records.takeAsks("a-link-of-this-test", [told], null, Date.now());
  expect((await act(inside, three, bob, pick(0))).ask).toMatchObject({ halves: [{ member: "Bob" }] });
  expect((await act(inside, three, ada, pick(0))).ask.intent).toMatchObject({ with: ["Bob"] });
  // A viewer is no second one.
  const eve = await inside.token("Eve", "answerer", null);
  expect((await act(inside, two, eve, pick(0))).status).toBe(403);
  expect(await problems(inside)).toEqual([]);

  // Two who choose the same at the same time, again and again: one intent, and both stand behind it.
  for (let round = 0; round < 10; round++) {
    const id = await inside.ask("approval");
    const [key, before] = [{ "idempotency-key": `k${round}` }, (await intentsOf(inside)).length];
    const replies = await Promise.all([
      act(inside, id, { ...ada, ...key }, pick(0)),
      act(inside, id, { ...ada, ...key }, pick(0)),
      act(inside, id, bob, pick(0)),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const after = await intentsOf(inside);
    expect([after.length - before, after.at(-1)?.ask]).toEqual([1, id]);
  }
  // Revoked while the other chooses: it counted before, or it never does.
  for (let round = 0; round < 10; round++) {
    const name = `Dan ${round}`;
    const dan = await inside.token(name, "approver", null);
    const id = await inside.ask("approval");
    await act(inside, id, dan, pick(0));
    const member = (await records.members()).find((each) => each.name === name)?.id ?? "";
    const before = (await records.audit.head())?.seq ?? 0;
    const [said] = await Promise.all([act(inside, id, bob, pick(0)), records.revoke(member, Date.now())]);
    const order: string[] = [];
    for await (const { seq, kind } of records.audit.rows()) if (seq > before) order.push(kind);
    const counted = said.ask.intent !== undefined;
    expect([counted, order.indexOf("ask.answered") < order.indexOf("member.revoked")]).toEqual([
      counted,
      counted || !order.includes("ask.answered"),
    ]);
  }
  expect(await problems(inside)).toEqual([]);
}

test("[TP1] two different members choose the same before anything is sent: not one twice, not who disagrees, was revoked or saw another question: embedded", async () => {
  await everyWay(async () => undefined);
});

describe.skipIf(noServer !== undefined)(`PostgreSQL${noServer ? ` (skipped: ${noServer})` : ""}`, () => {
  test("[TP2] the same on PostgreSQL, with its races", async () => {
    const cluster = await startCluster();
    try {
      await everyWay(() => openHubPostgres({ url: cluster.url, schema: "two", pollMs: 3_600_000 }));
    } finally {
      await cluster.remove();
    }
  });
});

test("[TP3] by hand in the database: a choice, a policy taken away, an answer of one alone: audit verify names each", async () => {
  const changes: [string, string, object][] = [
    ["a choice of another", "UPDATE hub_halves SET member = 'zed'", { kind: "unlogged" }],
    ["another choice", `UPDATE hub_halves SET settlement = '{"action":"decline"}'`, { kind: "record" }],
    ["no policy", "DELETE FROM hub_policies", { kind: "record" }],
    ["another policy", "UPDATE hub_policies SET kind = 'plan'", { kind: "record" }],
  ];
  for (const [what, statement, problem] of changes) {
    const database = openHubSqlite(":memory:");
    await using inside = await open(database);
    await act(inside, await inside.ask("approval"), await inside.token("Ada", "approver", null), pick(0));
    expect([what, await problems(inside)]).toEqual([what, []]);
    await database.run(statement);
    expect([what, await problems(inside)]).toEqual([what, [expect.objectContaining(problem)]]);
  }
  // Without its policy one was enough; the log, which still has it, says so.
  const database = openHubSqlite(":memory:");
  await using inside = await open(database);
  await database.run("UPDATE hub_policies SET two = 0");
  const ada = await inside.token("Ada", "approver", null);
  expect((await act(inside, await inside.ask("approval"), ada, pick(0))).ask.intent?.state).toBe("sent");
  expect((await problems(inside)).map(({ kind }) => kind).toSorted()).toEqual(["alone", "record"]);
});

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
