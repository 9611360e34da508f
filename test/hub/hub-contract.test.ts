import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectHub } from "../../src/client/hub-client.ts";
import { digestOf } from "../../src/hub/digest.ts";
import { HubAsks } from "../../src/protocol/hub/hub.ts";
import { createHubRecords } from "../../src/store/hub/records.ts";
import type { HubDatabase, HubRun } from "../../src/store/hub/schema.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { question } from "../e2e/api-request.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { askOf } from "../sample.ts";
import { openInside } from "./hub-inside.ts";
import { openStage } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);

test("[HX3] all that waits is listed, however much; what is typed wrong is named before anything is made or sent", async () => {
  await using stage = await openStage();
  const { machine, project } = stage;
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "answerer");
  await stage.join(hub, machine, project, "--name", "a-build-server-with-a-name-of-its-own");
  const COUNT = 120;
  const body = { questions: [question()], origin: { agent: "script", cwd: project } };
  const agent = machine.client("agent");
  await Promise.all(Array.from({ length: COUNT }, () => agent.call("createAsk", { body })));
  const list = async (env: Record<string, string>, ...more: string[]) =>
    machine.parley(["ls", "--hub", "--json", ...more], { env });
  const count = async (...more: string[]) => JSON.parse((await list(ann.env, ...more)).out).asks.length;
  await eventually(async () => expect(await count()).toBe(COUNT));
  expect(await count("--limit", "7")).toBe(7);
  // However long the names are, a line of the terminal is enough for one.
  const narrow = await machine.parley(["ls", "--hub"], { env: { ...ann.env, COLUMNS: "60" } });
  expect(narrow.out.split("\n").every((line) => Bun.stringWidth(line) <= 60)).toBe(true);

  // A variable that is not set: it must not come to mean every project.
  for (const made of [
    ["token", "--member", "Eve", "--role", "admin", "--project", ""],
    ["token", "--machine", "ci", "--project", " "],
    ["invite", "Eve", "--role", "admin", "--project", ""],
  ])
    expect(await stage.admin(...made).catch((error) => String(error))).toContain("--project: a name is missing");
  expect((await stage.admin("members")).members).toHaveLength(1);

  const file = join(machine.root, "token");
  const words = { "": "There is no token in", "\n": "There is no token in" };
  const lines = { [`${ann.token}\nmore`]: "is not a token alone", "🦜": "is not a token alone" };
  for (const [content, said] of Object.entries({ ...words, ...lines })) {
    writeFileSync(file, content);
    const refused = await connectHub({ ...ann.env, PARLEY_HUB_TOKEN_FILE: file }).catch((error) => error);
    expect([refused.code, refused.message]).toEqual(["usage", expect.stringContaining(said)]);
  }

  // Not whole is 1: what could not be looked at is something else.
  const nowhere = join(machine.root, "none", "log.jsonl");
  for (const args of [
    ["verify", nowhere],
    ["export", "--out", machine.root],
  ]) {
    const place = args[1] === nowhere ? [] : ["--data", join(machine.root, "hub")];
    const { code, out, err } = await machine.parley(["hub", "audit", ...args, ...place, "--json"]);
    expect([code, out, JSON.parse(err).error.code]).toEqual([2, "", "usage"]);
  }
});

test("[HX7] what the hub alone says of a question no machine says in its place, and none keeps others' lists from being read", async () => {
  await using inside = await openInside();
  const ann = await inside.token("Ann", "answerer", null);
  const code = "a-code-for-another";
  await inside.records.addCode(digestOf(code), Date.now() + 600_000, Date.now());
  const machine = { id: "hhhhhhhhhhhh", name: "Eve" };
  const token = "pm_a-hostile-machine-of-this-test";
  expect((await inside.post("/api/join", { code, token, machine, projects: ["/x"] })).status).toBe(200);
  const list = async () => {
    const got = await fetch(`${inside.hub.url}/api/asks`, { headers: ann });
    return HubAsks.parse(await got.json()).asks;
  };
  const view = {
    id: "eve",
    version: 1,
    kind: "question",
    state: "open",
    agentTitle: "a script",
    sentence: "",
    reachable: true,
    origin: { agent: "script" },
    deliveries: [],
    createdAt: 1,
    updatedAt: 1,
    questions: [{ ...question(), text: "Which database?" }],
  };
  const forged = { state: "received", member: "Ann", at: 1 };
  const lies = [
    { intent: forged, claim: { member: "Bob", id: "b", at: 1, until: 9e12 }, needs: { two: false, signed: false } },
    { intent: 5, route: [], halves: "x", looking: 1, claim: [] },
  ];
  const asks = lies.map((lie, i) => ({ ...view, ...lie, id: `eve${i}` }));
  const headers = { authorization: `Bearer ${token}` };
  const odd = [{ createdAt: 9e15 }, { createdAt: -1 }, { createdAt: 1.5 }, { id: "A/../b" }, { id: "" }];
  for (const each of odd) {
    const socket = new WebSocket(`${inside.hub.url.replace("http", "ws")}/api/link`, { headers });
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify({ type: "asks", asks }));
      socket.send(JSON.stringify({ type: "asks", asks: [{ ...view, id: "evex", ...each }] }));
    });
    expect(await new Promise((resolve) => socket.addEventListener("close", (event) => resolve(event.code)))).toBe(4400);
  }
  const seen = await list();
  expect(seen.map((ask) => ask.id).toSorted()).toEqual(["eve0", "eve1"]);
  for (const ask of seen)
    expect([ask.intent, ask.claim, ask.needs, ask.route, ask.halves, ask.looking]).toEqual(Array(6).fill(undefined));
});

test("[HX5] an admin of one project takes back nobody's answer in another that they may only see", async () => {
  await using inside = await openInside();
  const ann = await inside.token("Ann", "answerer", null);
  const eve = await inside.register(await inside.invite("Eve", "viewer"));
  expect(eve.entered.ok).toBe(true);
  const both = await inside.register(await inside.invite("Eve", "admin", "other"));
  const signedIn = await inside.headersOf(both.entered);
  const yes = { action: "answer", answers: [{ picks: [0] }] };
  const status: number[] = [];
  for (const project of ["site", "other"]) {
    const id = await inside.ask("question", project);
    expect((await inside.post(`/api/asks/${id}/answer`, yes, ann)).status).toBe(200);
    status.push((await inside.post(`/api/asks/${id}/take-back`, {}, signedIn)).status);
  }
  expect(status).toEqual([403, 200]);
});

test("[HX8] where a transaction fails its first reason is told, once: nothing that was said behind it fails unheard", async () => {
  // As the engines do it: what was said itself is always heard.
  const failing: HubRun = (): Promise<never> => {
    const said = Promise.reject(new Error("away"));
    said.catch(() => undefined);
    return said;
  };
  const transaction = <T>(work: (run: HubRun) => Promise<T>) => work(failing);
  const database = { run: failing, transaction, snapshot: transaction, close: async () => undefined };
  const records = createHubRecords(database);
  const unheard: unknown[] = [];
  const hear = (error: unknown) => void unheard.push(error);
  process.on("unhandledRejection", hear);
  const answer = { machine: "m", ask: "a", key: "k", settlement: {}, token: "t" };
  for (const tried of [
    () => records.putIntent(answer, () => true, 1),
    () => records.takeBack(answer, 1),
    () => records.unsettled("m", 0),
  ])
    expect(await tried().catch((error: Error) => error.message)).toBe("away");
  // It is told of at the end of a turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", hear);
  expect(unheard).toEqual([]);
});

test("[HX10] of what a machine has said behind something that could not be kept nothing is kept: it comes again with all of it", async () => {
  const dir = mkdtempSync(join(tmpdir(), "parley-hub-"));
  const sqlite = openHubSqlite(join(dir, "hub.db"));
  let { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  goOn();
  const database: HubDatabase = {
    ...sqlite,
    run: async (...given) => (await mayGoOn, sqlite.run(...given)),
    transaction: async (work) => (await mayGoOn, sqlite.transaction(work)),
  };
  await using inside = await openInside(database);
  await inside.records.addCode(digestOf("another"), Date.now() + 600_000, Date.now());
  const [token, machine] = ["pm_a-machine-of-this-test", { id: "nnnnnnnnnnnn", name: "desk" }];
  await inside.post("/api/join", { code: "another", token, machine, projects: ["/x"] });
  const view = { agentTitle: "a script", sentence: "", reachable: true };
  const asks = (id: string) => [{ ...askOf({ id, createdAt: 1 }), ...view }];
  await sqlite.run(
    "CREATE TRIGGER refuse BEFORE INSERT ON hub_asks WHEN NEW.id = 'one' BEGIN SELECT RAISE(ABORT, 'away'); END",
  );

  const first = link();
  expect(await first.welcome).toMatchObject({ type: "welcome", after: null });
  ({ promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>());
  for (const [i, id] of ["one", "two"].entries())
    first.socket.send(JSON.stringify({ type: "asks", asks: asks(id), upTo: 5 + i }));
  // Said last, it is answered when the hub has all of it.
  first.socket.ping();
  await first.pong;
  goOn();
  expect(await first.code).toBe(1011);
  await sqlite.run("DROP TRIGGER refuse");
  const second = link();
  expect(await second.welcome).toMatchObject({ type: "welcome", after: null });
  second.socket.close();
  rmSync(dir, { recursive: true });

  function link() {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`${inside.hub.url.replace("http", "ws")}/api/link`, { headers });
    const heard = <T>(name: "message" | "pong" | "close", read: (event: never) => T) =>
      new Promise<T>((resolve) => socket.addEventListener(name as "close", (event) => resolve(read(event as never))));
    return {
      socket,
      welcome: heard("message", ({ data }: MessageEvent) => JSON.parse(String(data)) as object),
      pong: heard("pong", () => undefined),
      code: heard("close", ({ code }: CloseEvent) => code),
    };
  }
});

test("[HX11] parley hub members says which project a role is limited to, and nothing of a token that has ended", async () => {
  await using stage = await openStage();
  await stage.admin("token", "--member", "Ann", "--role", "admin", "--project", "shop");
  await stage.admin("token", "--member", "Ann", "--role", "viewer");
  await stage.admin("token", "--member", "Bob", "--role", "approver", "--ttl", "1s");
  await eventually(async () => {
    const { members } = await stage.admin("members");
    expect(members).toMatchObject([
      { name: "Ann", state: "active", roles: ["admin of shop", "viewer"] },
      { name: "Bob", state: "active", roles: [] },
    ]);
  });
});
