import { expect, setDefaultTimeout, test } from "bun:test";
import { digestOf } from "../../src/hub/digest.ts";
import { TEST_MS } from "../patience.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { askOf } from "../sample.ts";
import { openInside } from "./hub-inside.ts";

setDefaultTimeout(TEST_MS);
const YES = { action: "answer", answers: [{ picks: [0] }] };

test("[HU9] a question is answered by its whole id, whatever another machine calls its own", async () => {
  await using inside = await openInside();
  const { records, post, hub } = inside;
  const ada = await inside.token("Ada", "approver", null);
  const id = await inside.ask("question");
  // Another machine, whose person has seen that id, tells of questions that begin with it.
  await records.addCode(digestOf("other"), Date.now() + 600_000, Date.now());
  const eve = { id: "eeeeeeeeeeee", name: "eve", token: digestOf("eve"), projects: ["/eve"] };
  await records.join(digestOf("other"), eve, Date.now());
  await records.connect(eve.token, "another-link", Date.now());
  const [copy] = await records.asksLike(id, null);
  const told = Array.from({ length: 12 }, (_, i) => ({ ...copy?.view, id: `${id}${String(i).padStart(2, "0")}` }));
  const asks = told.map((view) => ({ id: view.id, version: 1, state: "open", project: "site", createdAt: 1, view }));
  await records.takeAsks("another-link", asks, null, Date.now());

  const read = await fetch(`${hub.url}/api/asks/${id}`, { headers: ada });
  expect([read.status, ((await read.json()) as { id: string }).id]).toEqual([200, id]);
  for (const act of ["claim", "release"]) expect((await post(`/api/asks/${id}/${act}`, {}, ada)).status).toBe(200);
  const cy = await inside.token("Cy", "approver", "site");
  for (const who of [ada, cy]) expect((await fetch(`${hub.url}/api/asks/${id}`, { headers: who })).status).toBe(200);
  expect((await post(`/api/asks/${id}/answer`, YES, ada)).status).toBe(200);
  expect((await post(`/api/asks/${id}/take-back`, {}, ada)).status).toBe(200);
  // What only begins so may still be several.
  expect((await fetch(`${hub.url}/api/asks/${id.slice(0, 11)}`, { headers: ada })).status).toBe(409);
});

test("[HU10] while its database is away a hub keeps little of who is unknown, and no more of a machine than machines say", async () => {
  const sqlite = openHubSqlite(":memory:");
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const database: HubDatabase = {
    ...sqlite,
    run: async (...given) => (await gate.promise, sqlite.run(...given)),
    transaction: async (work) => (await gate.promise, sqlite.transaction(work)),
  };
  await using inside = await openInside(database);
  await inside.records.addCode(digestOf("another"), Date.now() + 600_000, Date.now());
  const [token, machine] = ["pm_a-machine-of-this-test", { id: "nnnnnnnnnnnn", name: "desk" }];
  await inside.post("/api/join", { code: "another", token, machine, projects: ["/x"] });
  const mebi = 1024 * 1024;
  const asks = (id: string, size: number) => {
    const questions = [{ text: "x".repeat(size), header: "", multiSelect: false, options: [] }];
    const view = { ...askOf({ id, createdAt: 1, questions }), agentTitle: "a script", sentence: "", reachable: true };
    return JSON.stringify({ type: "asks", asks: [view] });
  };

  // Nobody knows who it is while nobody can look.
  gate = Promise.withResolvers<void>();
  const unknown = dial("nobody");
  await unknown.opened;
  unknown.socket.send("x".repeat(100_000));
  expect(await unknown.code).toBe(4400);
  gate.resolve();

  // As much as a machine may have on its way is taken, once the database is back.
  const known = dial(token);
  await known.welcome;
  gate = Promise.withResolvers<void>();
  for (let n = 0; n < 8; n++) known.socket.send(asks(`b0000000000${n}`, mebi));
  known.socket.ping();
  await known.pong;
  gate.resolve();
  await known.taken(8);
  gate = Promise.withResolvers<void>();
  const large = asks("c00000000000", 15 * mebi);
  for (let n = 0; n < 5; n++) known.socket.send(large);
  expect(await known.code).toBe(4400);
  gate.resolve();

  function dial(bearer: string) {
    const headers = { authorization: `Bearer ${bearer}` };
    const socket = new WebSocket(`${inside.hub.url.replace("http", "ws")}/api/link`, { headers });
    const on = <T>(name: string, read: (event: never) => T) =>
      new Promise<T>((resolve) => socket.addEventListener(name as "close", (event) => resolve(read(event as never))));
    let count = 0;
    let news = Promise.withResolvers<void>();
    socket.addEventListener("message", ({ data }) => {
      if ((JSON.parse(String(data)) as { type: string }).type === "taken") count++;
      news.resolve();
      news = Promise.withResolvers<void>();
    });
    return {
      socket,
      opened: on("open", () => undefined),
      welcome: on("message", ({ data }: { data: string }) => JSON.parse(data) as object),
      pong: on("pong", () => undefined),
      code: on("close", ({ code }: { code: number }) => code),
      async taken(most: number): Promise<void> {
        while (count < most) await news.promise;
      },
    };
  }
});

test("[HU11] what is nested so deep that nobody can walk it is no question and no answer: everybody's list is read as before", async () => {
  await using inside = await openInside();
  const { records, hub, post } = inside;
  const ada = await inside.token("Ada", "approver", null);
  await records.addPolicy({ id: "p", two: true, signed: false, project: null, kind: null, stake: null }, Date.now());
  const id = await inside.ask("question");
  await records.addCode(digestOf("another"), Date.now() + 600_000, Date.now());
  const token = "pm_a-hostile-machine-of-this-test";
  const machine = { id: "eeeeeeeeeeee", name: "Eve" };
  expect((await post("/api/join", { code: "another", token, machine, projects: ["/x"] })).status).toBe(200);
  const nested = (deep: number) => `${"[".repeat(deep)}${"]".repeat(deep)}`;
  const options = ["Yes", "No"].map((label) => ({ label, description: "", recommended: false }));
  const questions = [{ text: "Eve's?", header: "", multiSelect: false, options }];
  const view = { ...askOf({ id: "e00000000000", createdAt: 1, questions }), agentTitle: "a script", sentence: "" };
  const told = (version: number, deep: number) => {
    const ask = JSON.stringify({ ...view, reachable: true, version }).slice(0, -1);
    return `{"type":"asks","asks":[${ask},"call":{"type":"command","command":"x","more":${nested(deep)}}}]}`;
  };
  /** What it hears to that: that it was taken, or the end of its line. */
  async function tell(text: string): Promise<string | number> {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`${hub.url.replace("http", "ws")}/api/link`, { headers });
    const said = await new Promise<string | number>((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        const { type } = JSON.parse(String(data)) as { type: string };
        if (type === "welcome") socket.send(text);
        else resolve(type);
      });
      socket.addEventListener("close", ({ code }) => resolve(code));
    });
    socket.close();
    return said;
  }
  expect(await tell(told(1, 100))).toBe("taken");
  // Somebody has chosen for it: from then on it is looked at whether it is still the same.
  expect((await post(`/api/asks/${view.id}/answer`, YES, ada)).status).toBe(200);
  for (const deep of [1000, 20_000, 200_000]) expect(await tell(told(2, deep))).toBe(4400);
  const list = await fetch(`${hub.url}/api/asks`, { headers: ada });
  const { asks } = (await list.json()) as { asks: { id: string; version: number }[] };
  expect([list.status, asks.map((ask) => `${ask.id} ${ask.version}`).toSorted()]).toEqual([
    200,
    [`${id} 1`, `${view.id} 1`],
  ]);
  const headers = { ...ada, "content-type": "application/json" };
  const body = `{"action":"answer","answers":[{"picks":[0],"more":${nested(20_000)}}]}`;
  expect((await fetch(`${hub.url}/api/asks/${id}/answer`, { method: "POST", headers, body })).status).toBe(422);
});
