import { expect, setDefaultTimeout, test } from "bun:test";
import { question } from "../e2e/api-request.ts";
import { TEST_MS } from "../patience.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);
const answer = (pick: number) => ({ action: "answer" as const, answers: [{ picks: [pick] }] });

test("[HA13] an answer on its way is taken back, also where its machine may have it: it says so, and what it has settled stays", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const [ann, bob] = [await stage.person(hub, "Ann", "answerer"), await stage.person(hub, "Bob", "answerer")];
  await stage.join(hub);
  const asked = await stage.ask("Deploy?");
  await shown(ann.client, asked.id, { state: "open", machine: { online: true } });
  const nothing = await machine.parley(["answer", asked.id, "--hub", "--take-back"], { env: ann.env });
  expect([nothing.code, nothing.out]).toEqual([4, expect.stringContaining("nothing to take back")]);
  // Its machine is away: it was told nothing.
  // Who waits would start its daemon again.
  asked.child.kill("SIGSTOP");
  await machine.kill9();
  await shown(ann.client, asked.id, { machine: { online: false } });
  await ann.client.answer(asked.id, answer(1));
  expect(await bob.client.takeBack(asked.id).catch((error) => error.code)).toBe("forbidden");
  const back = await machine.parley(["answer", asked.id, "--hub", "--take-back", "--json"], { env: ann.env });
  expect([back.code, JSON.parse(back.out).intent.state]).toEqual([0, "withdrawn"]);
  // Another one may answer now. A machine that was told, and said nothing before its line was lost, is asked.
  expect((await bob.client.answer(asked.id, answer(1))).intent).toMatchObject({ state: "sent", member: "Bob" });
  const { token } = JSON.parse(await Bun.file(machine.paths.hub).text());
  await told(hub.url, token);
  await shown(bob.client, asked.id, { machine: { online: false } });
  expect((await bob.client.takeBack(asked.id)).intent?.state).toBe("sent");
  await machine.start();
  asked.child.kill("SIGCONT");
  const given = await shown(bob.client, asked.id, { state: "open", intent: { state: "withdrawn" } });
  expect(given.intent?.detail).toContain("Taken back");
  // What it has settled it keeps.
  await ann.client.answer(asked.id, answer(0));
  expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
  await shown(ann.client, asked.id, { intent: { state: "received" } });
  const late = await machine.parley(["answer", asked.id, "--hub", "--take-back"], { env: ann.env });
  expect(late.code).toBe(4);
  const { events } = await machine.client().call("readLog", { query: { ask: asked.id } });
  expect(events.filter(({ type }) => type === "ask.settled")).toHaveLength(1);
  expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true });
});

test("[HX4] answered and taken back while its machine sleeps on the line: awake it settles nothing, and another answer is taken", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "answerer");
  await stage.join(hub);
  const asked = await stage.ask("Deploy?");
  await shown(ann.client, asked.id, { state: "open", machine: { online: true } });
  const { pid } = machine.registration().process;
  process.kill(pid, "SIGSTOP");
  try {
    expect((await ann.client.answer(asked.id, answer(1))).intent?.state).toBe("sent");
    expect((await ann.client.takeBack(asked.id)).intent?.state).toBe("sent");
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await shown(ann.client, asked.id, { state: "open", intent: { state: "withdrawn" } });
  await ann.client.answer(asked.id, answer(0));
  expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
});

/** A machine that gets its intents and is gone. */
async function told(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/link`, { headers });
  await new Promise<void>((resolve) =>
    socket.addEventListener("message", ({ data }) => String(data).includes('"intent"') && resolve()),
  );
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  socket.close();
  await closed;
}

test("[HA14] what a person keeps on their machine no hub is told: context, previews; it is said before", async () => {
  await using stage = await openStage();
  const { machine, project } = stage;
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "viewer");
  const { code } = await stage.admin("code");
  const wrong = await machine.parley([
    "join",
    hub.url,
    "--code",
    code,
    "--project",
    project,
    "--without",
    "all",
    "--yes",
  ]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--without")]);
  const joined = await machine.parley([
    "join",
    hub.url,
    "--code",
    code,
    "--project",
    project,
    "--without",
    "context,previews",
    "--yes",
  ]);
  expect(joined.out).toContain("without its context, without previews and diffs");
  expect((await machine.parley(["join"])).out).toContain("Not told: context, previews");
  const options = [
    { label: "Yes", description: "ship it", preview: "SECRET-PREVIEW" },
    { label: "No", description: "wait" },
  ];
  const origin = { agent: "script", cwd: project, lastText: "SECRET-CONTEXT" };
  const body = { questions: [{ ...question(), options }], origin };
  const { id } = await machine.client("agent").call("createAsk", { body });
  const kept = await machine.client().call("getAsk", { id });
  expect(JSON.stringify(kept)).toContain("SECRET-PREVIEW");
  const view = await shown(ann.client, id, { state: "open" });
  expect(view.questions[0]?.options.map(({ label }) => label)).toEqual(["Yes", "No"]);
  expect(JSON.stringify(view).includes("SECRET")).toBe(false);
});
