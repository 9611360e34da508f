import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../src/hub/digest.ts";
import { asking } from "../e2e/ask-asking.ts";
import { createProgram } from "../e2e/program.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { hostileHub } from "./hostile-hub.ts";
import { openInside } from "./hub-inside.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);
const YES = { action: "answer" as const, answers: [{ picks: [0] }] };
const LINK = "a-link-of-this-test";
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

test.each([
  ["two people", "--two", /of two people, and one gave it\..* \(two people: everything\)\n/],
  ["a signature", "--signed", /without a signature, and none of Ann came with it\..* \(a signature: everything\)\n/],
])(
  "[HX22] what its machine refuses because it still demands %s, which the hub has dropped, ends with 77, and says what to type there",
  async (_what, demand, words) => {
    await using stage = await openStage();
    const { machine } = stage;
    const hub = await stage.startHub();
    const { policies } = await stage.admin("policy", demand);
    await stage.join(hub);
    const ann = await stage.person(hub, "Ann", "admin");
    const asked = await stage.ask("Deploy?");
    await shown(ann.client, asked.id, { state: "open" });
    await stage.admin("policy", "--remove", policies[0].id);
    const state = async () => JSON.parse((await machine.parley(["join", "--json"])).out);
    await eventually(async () => expect((await state()).trust.demands).toMatchObject([{ dropped: true }]));

    const refused = await machine.parley(["answer", asked.id, "1", "--hub"], { env: ann.env });
    expect(refused).toMatchObject({ code: 77, err: "" });
    expect(refused.out).toMatch(words);
    expect(refused.out).toStartWith("✗ refused by ");
    const [, typed = ""] = /on this machine: parley (join --accept \S+) \(/.exec(refused.out) ?? [];
    const again = await machine.parley(["answer", asked.id, "1", "--hub", "--json"], { env: ann.env });
    expect([again.code, JSON.parse(again.out).intent]).toMatchObject([77, { state: "withdrawn", reason: "demand" }]);
    // What it says helps.
    expect((await machine.parley(typed.split(" "))).out).toStartWith("✓ accepted");
    expect(await machine.parley(["answer", asked.id, "1", "--hub"], { env: ann.env })).toMatchObject({ code: 0 });
    expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
  },
);

test("[HX22] a machine says with a word why an answer came to nothing there", async () => {
  const hub = hostileHub({ keys: [], policies: [] });
  ended.push(hub.stop);
  const machine = createProgram();
  ended.push(() => machine.dispose());
  const project = join(machine.user, "project");
  mkdirSync(project);
  await machine.parley(["join", hub.url, "--code", "c", "--project", project, "--yes"]);
  const ask = async (text: string) => {
    const asked = await asking(machine, [text, "-o", "Yes", "-o", "No"], { cwd: project });
    ended.push(() => asked.child.kill());
    await eventually(() => expect([...hub.asks.keys()]).toContain(asked.id));
    return asked;
  };
  let n = 0;
  const intent = async (ask: string, settlement: object) => {
    hub.say({ type: "intent", n: ++n, ask, member: { id: "ada", name: "Ada" }, at: 1, settlement });
    return hub.receipt(n);
  };
  const one = await ask("Deploy?");
  expect(await intent("a00000000000", YES)).toMatchObject({ state: "withdrawn", reason: "not-shared" });
  const wrong = { action: "answer", answers: [{ picks: [7] }] };
  expect(await intent(one.id, wrong)).toMatchObject({ state: "withdrawn", reason: "invalid" });
  hub.say({ type: "withdraw", n: ++n, ask: one.id });
  expect(await hub.receipt(n)).toMatchObject({ state: "withdrawn", reason: "taken-back" });
  // Whoever asked is gone: nobody was faster.
  const gone = await ask("Now?");
  await machine.client().call("withdrawAsk", { id: gone.id });
  expect(await intent(gone.id, YES)).toMatchObject({ state: "withdrawn", reason: "over" });
  const received = await intent(one.id, YES);
  expect([received.state, "reason" in received]).toEqual(["received", false]);
  const late = await intent(one.id, YES);
  expect([late.state, "reason" in late]).toEqual(["overtaken", false]);
});

test("[HX22] a hub keeps that word, says its own where nobody asked the machine, and none for a machine that says none", async () => {
  await using inside = await openInside();
  const { records, post, hub } = inside;
  const ada = await inside.token("Ada", "admin", null);
  const ids = [await inside.ask("question"), await inside.ask("question"), await inside.ask("question")];
  const answer = (id: string, who: Record<string, string>) => post(`/api/asks/${id}/answer`, YES, who);
  const intent = async (id: string) =>
    ((await (await fetch(`${hub.url}/api/asks/${id}`, { headers: ada })).json()) as { intent: object }).intent;
  const [told = "", back = "", revoked = ""] = ids;
  await answer(told, ada);
  const receipt = { n: 1, state: "withdrawn", detail: "No", reason: "demand" };
  expect(await records.takeReceipt(LINK, receipt, Date.now())).toBe(true);
  expect(await intent(told)).toMatchObject({ state: "withdrawn", detail: "No", reason: "demand" });
  await answer(told, ada);
  await records.takeReceipt(LINK, { n: 2, state: "withdrawn", detail: "No" }, Date.now());
  expect(await intent(told)).not.toHaveProperty("reason");
  await answer(back, ada);
  expect((await post(`/api/asks/${back}/take-back`, {}, ada)).status).toBe(200);
  expect(await intent(back)).toMatchObject({ state: "withdrawn", reason: "taken-back" });
  await answer(revoked, await inside.token("Bob", "answerer", null));
  await records.revoke(digestOf("Bob").slice(0, 12), Date.now());
  expect(await intent(revoked)).toMatchObject({ state: "withdrawn", reason: "revoked" });
});
