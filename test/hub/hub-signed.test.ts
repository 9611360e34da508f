import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import type { HubAskView } from "../../src/protocol/hub/hub.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { createProgram } from "../e2e/program.ts";
import { asking } from "../e2e/ask-asking.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { openInside } from "./hub-inside.ts";
import { hostileHub } from "./hostile-hub.ts";
import { type Device, NO, sign, SIGNED, signedChoicesAreCompared, YES } from "./signed-cases.ts";
import { softPasskey } from "./soft-passkey.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

setDefaultTimeout(TEST_MS);
test("[TP5] where a signature is demanded the hub takes no other: not a token's, a stranger's, for another question, answer or machine; audit verify names what has none", async () => {
  const database = openHubSqlite(":memory:");
  await using inside = await openInside(database);
  const { records, machine, hub } = inside;
  await records.audit.begin(Date.now());
  const ada = await inside.register(await inside.first(), "Ada");
  const bob = await inside.register(await inside.invite("Bob", "approver"));
  const [adas, bobs] = [await inside.headersOf(ada.entered), await inside.headersOf(bob.entered)];
  await records.addPolicy({ ...SIGNED, kind: "approval" }, Date.now());
  const [id, another] = [await inside.ask("approval"), await inside.ask("approval")];
  const read = async (which: string) =>
    (await (await fetch(`${hub.url}/api/asks/${which}`, { headers: adas })).json()) as HubAskView;
  const send = async (headers: Record<string, string>, body: object) => {
    const reply = await inside.post(`/api/asks/${id}/answer`, body, headers);
    return [reply.status, JSON.stringify(await reply.json())] as const;
  };
  const [view, other] = [await read(id), await read(another)];
  expect(view.needs).toEqual({ two: false, signed: true });
  const token = await inside.token("Ada", "approver", null);
  const good = sign(ada.device, machine.id, view, YES);
  for (const [headers, body, words] of [
    [token, YES, "A token cannot sign"],
    [token, { ...YES, signature: good }, "A token cannot sign"],
    [adas, YES, "signed with your passkey"],
    [bobs, { ...YES, signature: good }, "not yours"],
    [adas, { ...YES, signature: sign(softPasskey(inside.origin), machine.id, view, YES) }, "not yours"],
    [adas, { ...NO, signature: good }, "not for this question"],
    [adas, { ...YES, signature: sign(ada.device, machine.id, other, YES) }, "not for this question"],
    [adas, { ...YES, signature: sign(ada.device, "another machine", view, YES) }, "not for this question"],
    [adas, { ...YES, signature: sign(softPasskey("https://evil.example"), machine.id, view, YES) }, "not yours"],
  ] as const) {
    const [status, said] = await send(headers, body);
    expect([status, said]).toEqual([403, expect.stringContaining(words)]);
  }
  const elsewhere = { ...good, response: { ...good.response, signature: Buffer.alloc(70, 1).toString("base64url") } };
  expect((await send(adas, { ...YES, signature: elsewhere }))[0]).toBe(403);
  expect((await records.unsettled(machine.id, 0)).intents).toEqual([]);
  expect((await send(adas, { ...YES, signature: good }))[0]).toBe(200);
  expect((await read(id)).intent).toMatchObject({ member: "Ada", state: "sent", signed: ["Ada"] });
  const problems = async () => (await verifyRecords(records.audit, undefined, 1)).problems.map(({ kind }) => kind);
  expect(await problems()).toEqual([]);

  // Two of them, each with their own.
  await records.addPolicy({ ...SIGNED, id: "p2", two: true, kind: "plan" }, Date.now());
  const plan = await inside.ask("plan");
  const shown = await read(plan);
  for (const [headers, { device }] of [
    [adas, ada],
    [bobs, bob],
  ] as const) {
    const body = { ...YES, signature: sign(device, machine.id, shown, YES) };
    expect((await inside.post(`/api/asks/${plan}/answer`, body, headers)).status).toBe(200);
  }
  expect((await read(plan)).intent).toMatchObject({ member: "Bob", with: ["Ada"], signed: ["Ada", "Bob"] });
  expect(await problems()).toEqual([]);
  // Whoever has the database takes the demand away and answers by token: the log still has it.
  await database.run("UPDATE hub_policies SET signed = 0");
  expect((await inside.post(`/api/asks/${another}/answer`, YES, token)).status).toBe(200);
  expect(await problems()).toContain("unsigned");
});

test("[TP14] what stands behind an answer that was sent, of one who signed or of two, is compared with the log, until it is dropped with its question: embedded", () =>
  signedChoicesAreCompared(openHubSqlite(":memory:")));

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

test("[TP6] no hub invents an approval: without a signature of a key that this machine knows, for this very question and answer, it settles nothing; new keys a person accepts here", async () => {
  const [ada, eve] = [softPasskey("http://localhost:4780"), softPasskey("http://localhost:4780")];
  const key = (device: Device, member: string, name: string) => ({
    id: device.id,
    member,
    name,
    publicKey: device.publicKey,
    rpId: "localhost",
  });
  const hub = hostileHub({ keys: [key(ada, "ada", "Ada")], policies: [SIGNED] });
  ended.push(hub.stop);
  const machine = createProgram();
  ended.push(() => machine.dispose());
  const project = join(machine.user, "project");
  mkdirSync(project);
  const joined = await machine.parley(["join", hub.url, "--code", "c", "--project", project, "--yes"]);
  expect(joined.out).toMatch(
    /Demanded of answers:\n {2}\S+ {2}a signature: everything\nSignatures count of:\n {2}\S+ {2}Ada\n/,
  );
  const { machine: me } = JSON.parse((await machine.parley(["join", "--json"])).out);
  const words = (text: string) => asking(machine, [text, "-o", "Yes", "-o", "No"], { cwd: project });
  const [one, two] = [await words("Deploy?"), await words("Drop the table?")];
  const told = (id: string) =>
    eventually(() => {
      const ask = hub.asks.get(id);
      if (!ask) throw new Error("not told yet");
      return ask;
    });
  const [first, second] = [await told(one.id), await told(two.id)];
  let n = 0;
  const intent = async (settlement: object, signed?: object, more: object = {}) => {
    const by = { member: { id: "ada", name: "Ada" }, at: 1, ...more };
    hub.say({ type: "intent", n: ++n, ask: one.id, ...by, settlement, ...(signed && { signed: [signed] }) });
    return hub.receipt(n);
  };
  const as = (member: string, response: object) => ({ member, response });
  const good = sign(ada, me.id, first, YES);
  const forged = { ...good, response: { ...good.response, signature: Buffer.alloc(70, 1).toString("base64url") } };
  for (const [settlement, signed, why] of [
    [YES, undefined, "none of Ada came with it"],
    [YES, as("ada", forged), "is not for this question"],
    [YES, as("ada", sign(ada, me.id, second, YES)), "is not for this question"],
    [NO, as("ada", good), "is not for this question"],
    [YES, as("ada", sign(ada, "othermachine", first, YES)), "is not for this question"],
    [YES, as("ada", sign(eve, me.id, first, YES)), "does not know the passkey"],
    [YES, as("eve", sign(eve, me.id, first, YES)), "none of Ada came with it"],
  ] as const) {
    const { state, detail } = await intent(settlement, signed);
    expect([state, detail]).toEqual(["withdrawn", expect.stringContaining(why)]);
  }
  // It says that nothing is demanded any more, and that it has another key of Ada's: neither counts here.
  hub.say({ type: "beat", trust: { keys: [key(ada, "ada", "Ada"), key(eve, "ada", "Ada")], policies: [] } });
  expect((await intent(YES)).detail).toContain("none of Ada came with it");
  expect((await intent(YES, as("ada", sign(eve, me.id, first, YES)))).detail).toContain(
    "is new, and nobody has accepted",
  );
  expect((await machine.client().call("getAsk", { id: one.id })).state).toBe("open");
  const shown = (await machine.parley(["join"])).out;
  expect(shown).toMatch(
    /New passkeys, which do not count here yet:\n {2}\S+ {2}Ada\nNot demanded by the hub any more, but here:/,
  );
  const marks = [...shown.matchAll(/^ {2}((?:[0-9a-f]{5}-){3}[0-9a-f]{5}) /gm)].map(([, mark = ""]) => mark);
  expect((await machine.parley(["join", "--accept", "00000-00000-00000-00000"])).code).toBe(3);
  expect((await machine.parley(["join", "--accept", marks[2] ?? ""])).out).toStartWith("✓ accepted\n");
  // Good ones count, of the new key too; what they prove stays here.
  expect(
    await intent(YES, as("ada", sign(eve, me.id, first, YES)), { member: { id: "ada", name: "Not Ada" } }),
  ).toMatchObject({
    state: "received",
  });
  expect(await one.ended).toMatchObject({ code: 0, out: "Yes\n" });
  const why = (await machine.parley(["why", one.id])).out.replaceAll(/\s+/g, " ");
  expect(why).toContain("answered by Ada (hub): Yes");
  expect(why).toContain("Ada signed exactly this, by passkey; this machine checked it before it was sent.");
  const { outcome } = await machine.client().call("getAsk", { id: one.id });
  expect(outcome?.actor.signed).toMatchObject([{ id: "ada", name: "Ada", passkey: eve.id }]);
  // A key that the hub takes away counts no more.
  hub.say({ type: "beat", trust: { keys: [], policies: [SIGNED] } });
  hub.say({
    type: "intent",
    n: ++n,
    ask: two.id,
    member: { id: "ada", name: "Ada" },
    at: 1,
    settlement: YES,
    signed: [as("ada", sign(ada, me.id, second, YES))],
  });
  expect((await hub.receipt(n)).detail).toContain("does not know the passkey");
  two.child.kill();
});
