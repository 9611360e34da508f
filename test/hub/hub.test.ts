import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, TEST_MS } from "../patience.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);
const YES = { action: "answer" as const, answers: [{ picks: [0] }] };
const NO = { action: "answer" as const, answers: [{ picks: [1] }] };

test("[HU1] a question on a machine is listed in the hub and answered there, and whoever asked gets the answer", async () => {
  await using stage = await openStage();
  const { machine, project } = stage;
  const hub = await stage.startHub();
  for (const path of ["/health", "/ready"]) expect((await fetch(`${hub.url}${path}`)).status).toBe(200);
  const ann = await stage.person(hub, "Ann", "answerer");
  const bob = await stage.person(hub, "Bob", "answerer");
  const joined = await stage.join(hub);
  expect(joined).toEqual({
    machine: { id: expect.any(String), name: expect.any(String) },
    hub: hub.url,
    projects: [project],
  });
  const elsewhere = join(machine.user, "private");
  mkdirSync(elsewhere);
  const hidden = await stage.ask("Hidden?", elsewhere);
  const asked = await stage.ask("Deploy?");
  await shown(ann.client, asked.id, { machine: { id: joined.machine.id, online: true } });
  const listed = JSON.parse((await machine.parley(["ls", "--hub", "--json"], { env: ann.env })).out);
  expect(listed.asks.map(({ id }: { id: string }) => id)).toEqual([asked.id]);

  const first = await machine.parley(["answer", asked.id, "2", "--hub", "--json"], { env: ann.env });
  expect([first.code, JSON.parse(first.out).intent]).toEqual([
    0,
    expect.objectContaining({ state: "received", member: "Ann" }),
  ]);
  expect(await asked.ended).toMatchObject({ code: 0, out: "No\n" });
  const second = await machine.parley(["answer", asked.id, "1", "--hub", "--json"], { env: bob.env });
  expect([second.code, JSON.parse(second.out).intent.member]).toEqual([4, "Ann"]);
  expect(JSON.parse(second.out).result).toContain("Ann was first");
  const { outcome } = await machine.client().call("getAsk", { id: asked.id });
  expect(outcome?.actor).toMatchObject({ type: "person", surface: "hub", name: "Ann" });
  expect(await stage.admin("machines")).toMatchObject({ machines: [{ id: joined.machine.id, state: "online" }] });
  expect(await stage.admin("members")).toMatchObject({ members: [{ name: "Ann", state: "active" }, { name: "Bob" }] });

  // Nothing but digests of what lets somebody in.
  const kept = readdirSync(join(machine.root, "hub")).map((file) =>
    readFileSync(join(machine.root, "hub", file), "latin1"),
  );
  const { token } = JSON.parse(readFileSync(machine.paths.hub, "utf8"));
  for (const secret of [token, ann.token, bob.token]) expect(kept.join("").includes(secret)).toBe(false);
  const state = await machine.parley(["join"]);
  expect(state.out).toContain(`${hub.url}  connected since `);
  expect((await machine.parley(["leave", "--json"])).out).toBe(`{"left":true,"hub":"${hub.url}","told":true}\n`);
  expect((await ann.client.asks({ state: "all" })).length).toBe(0);
  hidden.child.kill();
  await hidden.ended;
  expect(await hub.kill("SIGTERM")).toBe(0);
});

test("[HU2] hub and daemon killed between any two steps: the answer is neither lost nor given twice", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "answerer");
  await stage.join(hub);
  // Asked while the hub is away.
  await hub.kill();
  const asked = await stage.ask("Deploy?");
  await hub.start();
  await shown(ann.client, asked.id, { machine: { online: true } });
  // Answered while the machine is away; who waits would start its daemon again.
  asked.child.kill("SIGSTOP");
  await machine.kill9();
  const sent = await ann.client.answer(asked.id, NO);
  expect(sent.intent).toMatchObject({ state: "sent", member: "Ann" });
  await hub.kill();
  await hub.start();
  expect((await ann.client.ask(asked.id)).intent?.state).toBe("sent");
  await machine.start();
  asked.child.kill("SIGCONT");
  await shown(ann.client, asked.id, { intent: { state: "received" } });
  expect(await asked.ended).toMatchObject({ code: 0, out: "No\n" });
  // Once more from the start: what was told before is known.
  await machine.kill9();
  await machine.start();
  await shown(ann.client, asked.id, { state: "verified", intent: { state: "received" } });
  const { events } = await machine.client().call("readLog", { query: { ask: asked.id } });
  expect(events.filter(({ type }) => type === "ask.settled")).toHaveLength(1);
});

test("[HU3] answered in the hub while its machine is away and settled there meanwhile: overtaken, and the machine's answer stays", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "answerer");
  await stage.join(hub);
  const asked = await stage.ask("Deploy?");
  await shown(ann.client, asked.id, { state: "open" });
  await hub.kill();
  expect((await machine.parley(["answer", asked.id, "1", "--only"])).code).toBe(0);
  expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
  // The hub comes back without its machine, so it does not know yet.
  await machine.kill9();
  await hub.start();
  expect((await ann.client.answer(asked.id, NO)).intent?.state).toBe("sent");
  await machine.start();
  const after = await shown(ann.client, asked.id, { intent: { state: "overtaken" } });
  expect(after.intent?.detail).toContain("Already settled");
  expect((await machine.client().call("getAsk", { id: asked.id })).outcome?.answers).toEqual([{ picks: [0] }]);
});

test("[HU4] whoever was revoked does nothing any more: member, machine; nor more than their role and project", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const people = {
    viewer: await stage.person(hub, "Vic", "viewer"),
    stranger: await stage.person(hub, "Sue", "admin", "--project", "another"),
    ann: await stage.person(hub, "Ann", "answerer"),
  };
  const joined = await stage.join(hub);
  const asked = await stage.ask("Deploy?");
  await shown(people.ann.client, asked.id, { state: "open" });
  const refused = await machine.parley(["answer", asked.id, "1", "--hub", "--json"], { env: people.viewer.env });
  expect(refused.code).toBe(77);
  expect((await people.viewer.client.asks({ state: "open" })).length).toBe(1);
  expect(await people.stranger.client.asks({ state: "all" })).toEqual([]);
  expect(await people.stranger.client.answer(asked.id, YES).catch((error) => error.code)).toBe("not_found");
  const unknown = await fetch(`${hub.url}/api/asks`, { headers: { authorization: "Bearer nobody" } });
  expect([unknown.status, (await unknown.text()).includes("Deploy")]).toEqual([401, false]);

  const { members } = await stage.admin("members");
  await stage.admin("revoke", members.find(({ name }: { name: string }) => name === "Ann").id);
  const late = await machine.parley(["answer", asked.id, "1", "--hub", "--json"], { env: people.ann.env });
  expect(late.code).toBe(77);
  await stage.admin("revoke", joined.machine.id);
  await eventually(async () => expect((await machine.client().call("hubState")).state).toBe("revoked"));
  expect((await people.viewer.client.asks({ state: "all" })).length).toBe(0);
  expect(await stage.admin("machines")).toMatchObject({ machines: [{ state: "revoked" }] });
  // Its own person is not hindered by any of it.
  expect((await machine.parley(["answer", asked.id, "1", "--only"])).code).toBe(0);
  expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
});

test("[HU5] what others could listen in on, or read on the command line, is refused unless it is said", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const open = await machine.parley(["hub", "--listen", "0.0.0.0:0"]);
  expect([open.code, open.err]).toEqual([2, expect.stringContaining("--plain-http")]);
  const told = await machine.parley(["hub", "machines", "--database", "postgres://me:secret@127.0.0.1:1/x"]);
  expect([told.code, told.err.includes("--password-file"), told.err.includes("secret")]).toEqual([2, true, false]);
  const plain = await machine.parley([
    "join",
    "http://hub.example.org",
    "--code",
    "x",
    "--project",
    ".",
    "--yes",
    "--json",
  ]);
  expect([plain.code, plain.err]).toEqual([2, expect.stringContaining("--plain-http")]);
  const away = await machine.parley(["join", "http://127.0.0.1:1", "--code", "x", "--project", ".", "--yes", "--json"]);
  expect([away.code, JSON.parse(away.err).error.code]).toEqual([69, "hub_away"]);
  const hub = await stage.startHub();
  const wrong = await machine.parley(["join", hub.url, "--code", "nobody", "--project", ".", "--yes", "--json"]);
  expect([wrong.code, JSON.parse(wrong.err).error.code]).toEqual([77, "forbidden"]);
  const { code } = await stage.admin("code");
  const once = () => machine.parley(["join", hub.url, "--code", code, "--project", ".", "--yes", "--json"]);
  expect(await once()).toMatchObject({ code: 0, err: "" });
  expect(await machine.parley(["leave"])).toMatchObject({ code: 0, err: "" });
  expect(await once()).toMatchObject({ code: 77, err: expect.stringContaining("forbidden") });
});

test("[HU7] a machine that speaks for another, or says what no machine says, changes nothing of that other's", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "answerer");
  await stage.join(hub);
  const asked = await stage.ask("Deploy?");
  const own = await shown(ann.client, asked.id, { state: "open" });
  // Who waits would start its daemon again.
  asked.child.kill("SIGSTOP");
  await machine.kill9();
  await ann.client.answer(asked.id, NO);

  const { code } = await stage.admin("code");
  const token = "pm_a-hostile-machine-of-this-test";
  const body = JSON.stringify({ code, token, machine: { id: "hhhhhhhhhhhh", name: "Eve" }, projects: [] });
  expect((await fetch(`${hub.url}/api/join`, { method: "POST", body })).status).toBe(200);
  const forged = { ...own, machine: undefined, intent: undefined, state: "closed", version: 999 };
  expect(
    await endOf(token, [{ type: "asks", asks: [forged] }, { type: "receipt", n: 1, state: "received" }, { type: "x" }]),
  ).toBe(4400);
  expect(await endOf("nobody", [])).toBe(4401);
  expect(await ann.client.ask(asked.id)).toMatchObject({
    state: "open",
    intent: { state: "sent" },
    machine: { id: own.machine.id },
  });
  expect((await ann.client.asks({ state: "all" })).length).toBe(1);
  await machine.start();
  asked.child.kill("SIGCONT");
  expect(await asked.ended).toMatchObject({ code: 0, out: "No\n" });

  /** With which code the hub ends the line of who says this. */
  async function endOf(bearer: string, messages: object[]): Promise<number> {
    const headers = { authorization: `Bearer ${bearer}` };
    const socket = new WebSocket(`${hub.url.replace("http", "ws")}/api/link`, { headers });
    socket.addEventListener("open", () => messages.forEach((message) => socket.send(JSON.stringify(message))));
    return new Promise((resolve) => socket.addEventListener("close", (event) => resolve(event.code)));
  }
});
