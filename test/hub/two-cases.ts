import { expect } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import type { HubAskView } from "../../src/protocol/hub/hub.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";
import { type Inside, openInside } from "./hub-inside.ts";

export const pick = (n: number, more: object = {}) => ({ action: "answer", answers: [{ picks: [n] }], ...more });
const APPROVALS = { two: true, signed: false, project: null, kind: "approval", stake: null };
type Headers = Record<string, string>;

/** A hub in which approvals need two people. */
export async function openTwo(database?: HubDatabase) {
  const inside = await openInside(database);
  await inside.records.audit.begin(Date.now());
  await inside.records.addPolicy({ id: "p1", ...APPROVALS }, Date.now());
  return inside;
}

export const act = async (inside: Inside, id: string, who: Headers, body: object, what = "answer") => {
  const reply = await inside.post(`/api/asks/${id}/${what}`, body, who);
  return { status: reply.status, ask: (await reply.json()) as HubAskView };
};
const intentsOf = async ({ records, machine }: Inside) => (await records.unsettled(machine.id, 0)).intents;
export const problems = async ({ records }: Inside) => (await verifyRecords(records.audit, undefined, 1)).problems;

/** Who counts, who does not, and what happens at the same time. */
export async function everyWayOfTwo(database?: HubDatabase): Promise<void> {
  await using inside = await openTwo(database);
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
  for (let round = 0; round < 6; round++) {
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
  for (let round = 0; round < 6; round++) {
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

/** Both stand behind an answer: each of them takes it back, nobody else does. */
export async function eitherTakesBack(database?: HubDatabase): Promise<void> {
  await using inside = await openTwo(database);
  const [ada, bob, cyd] = [
    await inside.token("Ada", "approver", null),
    await inside.token("Bob", "approver", null),
    await inside.token("Cyd", "approver", null),
  ];
  for (const who of [ada, bob]) {
    const id = await inside.ask("approval");
    // Who chose otherwise and took that back has no part in it.
    await act(inside, id, cyd, pick(1));
    await act(inside, id, cyd, {}, "take-back");
    await act(inside, id, ada, pick(0));
    expect((await act(inside, id, bob, pick(0))).ask.intent).toMatchObject({ member: "Bob", with: ["Ada"] });
    expect((await act(inside, id, cyd, {}, "take-back")).status).toBe(403);
    const { status, ask } = await act(inside, id, who, {}, "take-back");
    expect([status, ask.intent?.state]).toEqual([200, "withdrawn"]);
    // What they agreed to then counts for nothing now.
    expect((await act(inside, id, bob, pick(0))).ask).toMatchObject({ halves: [{ member: "Bob" }] });
  }
  expect(await problems(inside)).toEqual([]);
}
