import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTaskScene, QUESTION } from "../e2e/task-scene.ts";
import { createProgram } from "../e2e/program.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { openStage, shown } from "./hub-stage.ts";
import { workIsGiven } from "./task-cases.ts";

setDefaultTimeout(TEST_MS);
const SETTINGS = "park_after_seconds = 86400";
const STEPS = JSON.stringify([{ ask: [QUESTION] }, { say: "done" }]);
const given = (prompt: string, ...more: string[]) => ["run", prompt, "--hub", "--json", ...more];
const SHOP = ["--machine", "laptop", "--project", "shop"];
type View = { id: string; state: string; task?: string; detail?: string };
const viewOf = ({ out }: { out: string }): View => JSON.parse(out);

test("[HT4] work given is kept once, told, taken back and received, by whoever may and of its own machine alone: embedded", async () => {
  const db = openHubSqlite(":memory:");
  await workIsGiven(db);
  await db.close();
});

test("[HT1] work from the hub is done on a machine that allows it: told before, by who may, once, asked and answered in the hub, in both logs", async () => {
  await using stage = await openStage();
  await using scene = await openTaskScene(SETTINGS);
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "approver");
  const run = (...where: string[]) => scene.parley(given(STEPS, ...where), { env: ann.env });
  const places = (as: object[]) =>
    eventually(async () => {
      const found = await ann.client.tasks();
      expect(found.places).toEqual(as.map((each) => expect.objectContaining(each)));
    });
  const codeOf = (wanted: Promise<unknown>) => wanted.catch((error) => error.code);

  // None by default, and nothing is kept of what was refused.
  await stage.join(hub, scene, scene.project, "--name", "laptop");
  expect(await run(...SHOP)).toMatchObject({ code: 3, err: expect.stringContaining("takes tasks in shop") });
  expect((await scene.parley(["leave"])).code).toBe(0);
  const twins = ["a", "b"].map((each) => join(scene.user, each, "twin"));
  for (const folder of twins) mkdirSync(folder, { recursive: true });
  const { code } = await stage.admin("code");
  const shared = [scene.project, ...twins].flatMap((folder) => ["--project", folder]);
  const typed = ["join", hub.url, "--code", code, ...shared, "--name", "laptop", "--tasks", "--yes"];
  expect((await scene.parley(typed)).out).toMatch(/may give agents work in these folders[^]*✓ joined/);
  expect((await scene.parley(["join"])).out).toContain("may give agents work in these folders");
  await places([{ project: "shop" }, { project: "twin" }]);

  const order = { machine: "laptop", project: "shop", prompt: STEPS };
  const al = await stage.person(hub, "Al", "answerer");
  expect((await scene.parley(given(STEPS, ...SHOP), { env: al.env })).code).toBe(77);
  const oz = await stage.person(hub, "Oz", "admin", "--project", "other");
  expect(await codeOf(oz.client.giveTask(order))).toBe("forbidden");
  for (const wrong of [{ machine: "nowhere" }, { project: "other" }, { project: "../.." }])
    expect(await codeOf(ann.client.giveTask({ ...order, ...wrong }))).toBe("not_found");
  // Nothing says how it is done: neither a folder nor a command.
  for (const wrong of [{ cwd: "/" }, { gate: "true" }, { environment: {} }, { agent: "codex" }])
    expect(await codeOf(ann.client.giveTask({ ...order, ...wrong }))).toBe("invalid");
  expect((await run(...SHOP, "--cwd", "/")).code).toBe(2);
  expect((await ann.client.tasks()).tasks).toEqual([]);

  const made = viewOf(await run(...SHOP));
  expect(made).toMatchObject({ state: "received", member: "Ann", project: "shop", machine: { name: "laptop" } });
  const task = made.task ?? "";
  expect(await scene.task(task)).toMatchObject({ by: { type: "person", surface: "hub", name: "Ann" } });
  expect((await scene.parley(["task", "show", task])).out).toContain("Ann, through the hub");
  const { asks } = await scene.becomes(task, ({ asks: open }) => open.length === 1);
  await shown(ann.client, asks[0] ?? "", { state: "open", origin: { project: "shop", task } });
  await ann.client.answer(asks[0] ?? "", { action: "answer", answers: [{ picks: [0] }] });
  await scene.becomes(task, ({ state }) => state === "done");
  const { events } = await scene.client().call("readLog", { query: { task } });
  expect(events.filter(({ type }) => type === "task.created")).toMatchObject([{ data: { by: { name: "Ann" } } }]);
  expect((await scene.parley(["tasks", "--hub"], { env: ann.env })).out).toMatch(
    /received by laptop[^]*shop on laptop/,
  );

  // The machine decides by its own settings, as they are by then.
  const settings = join(scene.user, ".config/parley/config.toml");
  writeFileSync(settings, `[tasks]\n${SETTINGS}\nsandbox = ["/nowhere/no-sandbox"]\n`);
  for (const [project, why] of [
    ["shop", "sandbox"],
    ["twin", "Several folders"],
  ] as const) {
    const { id } = await ann.client.giveTask({ ...order, project });
    const refused = await eventually(async () => {
      const found = await ann.client.task(id);
      expect(found.state).not.toBe("sent");
      return found;
    });
    expect(refused).toMatchObject({ state: "refused", detail: expect.stringContaining(why) });
  }
  expect((await scene.client().call("listTasks", { query: {} })).tasks).toHaveLength(1);
  expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true });

  // Where its person has left nothing is given any more.
  expect((await scene.parley(["leave"])).code).toBe(0);
  expect(await codeOf(ann.client.giveTask(order))).toBe("not_found");
});

test("[HT2] work waits for a machine that sleeps, is taken back until that has it, and is one task whatever is killed", async () => {
  const program = createProgram();
  await using stage = await openStage();
  await using scene = await openTaskScene(SETTINGS, {}, program);
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "admin");
  const bob = await stage.person(hub, "Bob", "approver");
  await stage.join(hub, scene, scene.project, "--name", "laptop", "--tasks");
  const order = (say: string) => ({ machine: "laptop", project: "shop", prompt: JSON.stringify([{ say }]) });
  await eventually(async () =>
    expect((await ann.client.tasks()).places).toMatchObject([{ machine: { online: true } }]),
  );
  const settled = (id: string, as: object) =>
    eventually(async () => expect(await ann.client.task(id)).toMatchObject(as));
  const all = async () => (await scene.client().call("listTasks", { query: {} })).tasks;

  // Asleep: it waits, and is taken back by who gave it or an admin, not by another.
  await scene.kill9();
  await eventually(async () =>
    expect((await ann.client.tasks()).places).toMatchObject([{ machine: { online: false } }]),
  );
  const [gone, kept] = [await ann.client.giveTask(order("gone")), await ann.client.giveTask(order("kept"))];
  expect([gone.state, kept.state]).toEqual(["sent", "sent"]);
  expect(await bob.client.takeTaskBack(gone.id).catch((error) => error.code)).toBe("forbidden");
  const back = await stage.machine.parley(["tasks", "--hub", "--take-back", gone.id, "--json"], { env: ann.env });
  expect([back.code, viewOf(back).state]).toEqual([0, "withdrawn"]);
  // The hub dies with what it has acknowledged.
  await hub.kill();
  await hub.start();
  await scene.start();
  await settled(kept.id, { state: "received" });
  expect(await ann.client.takeTaskBack(kept.id).catch((error) => error.code)).toBe("already_settled");
  expect((await all()).map(({ order: { prompt } }) => prompt)).toEqual([order("kept").prompt]);

  // A daemon that has made it and dies before the hub hears so: it is told again, and is the same task.
  const { token } = JSON.parse(await Bun.file(program.paths.hub).text());
  await scene.kill9();
  const third = await ann.client.giveTask(order("third"));
  const twice = await bob.client.giveTask(order("twice"));
  expect(await toldOf(hub.url, token, 2)).toEqual([third.id, twice.id]);
  expect((await ann.client.takeTaskBack(twice.id)).state).toBe("sent");
  await hub.kill();
  await hub.start();
  await scene.start();
  await settled(third.id, { state: "received" });
  await settled(twice.id, { state: "withdrawn" });
  const { task = "" } = await ann.client.task(third.id);
  await scene.becomes(task, ({ state }) => state === "done");
  // It was removed here, and a hub that was put back from before says it once more.
  await scene.client().call("taskRemove", { id: task });
  await hub.kill();
  const db = new (await import("bun:sqlite")).Database(join(stage.machine.root, "hub", "hub.db"));
  db.run("UPDATE hub_tasks SET state = 'sent', task = NULL WHERE id = ?", [third.id]);
  db.close();
  await hub.start();
  await settled(third.id, { state: "received", task });
  expect((await all()).map(({ order: { prompt } }) => prompt)).toEqual([order("kept").prompt]);
  expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true });
});

/** A machine that hears what it is given, and dies before it says anything. */
async function toldOf(url: string, token: string, count: number): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}`, "x-parley-takes": "withdraw" };
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/link`, { headers });
  const heard: string[] = [];
  await new Promise<void>((resolve) =>
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data));
      if (message.type === "welcome") socket.send(JSON.stringify({ type: "offers", projects: ["shop"] }));
      if (message.type === "task" && heard.push(message.id) === count) resolve();
    }),
  );
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  socket.close();
  await closed;
  return heard;
}
