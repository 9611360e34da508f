import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ADDRESSES } from "../../src/protocol/address.ts";
import { ANSWER, question, request } from "../e2e/api-request.ts";
import { holds, type Program } from "../e2e/program.ts";
import { noSmallDisk, openSmallDisk } from "./small-disk.ts";

const missing = noSmallDisk();
const skip = missing !== undefined && process.env["CI"] !== "true";

/** What changes nothing on Parley's disk, or only by the way of another that is tried here. */
const NOT_TRIED: Record<string, string> = {
  setupAgent: "writes an agent's settings, elsewhere",
  openPage: "a code is kept in memory",
  phoneCode: "a code is kept in memory",
  endPhone: "needs a phone that is paired; it is signed out as endBrowser does",
  pushTo: "needs a browser that is signed in; the list is written as that of browsers is",
  pushReply: "needs a browser that is signed in; settles as settleAsk does",
  notifyTest: "sends only",
  notifyPair: "a code is kept in memory",
  notifyUnpair: "needs a chat that is paired; the list is written as that of browsers is",
  autopilotTest: "only looks",
  shutdown: "ends whatever the disk says",
  joinHub: "needs a hub; what it keeps is written as the list of browsers is",
  acceptHub: "needs a hub; what it keeps is written as joinHub does",
  leaveHub: "needs a hub",
  hookAck: "a hook that was told of a full disk waits on; see FA2",
  hookRelease: "a hook that was told of a full disk waits on; see FA2",
  watchPane: "needs a tmux",
  watchServer: "needs an agent's server",
  hookLinkEvents: "needs a connection",
  hookLinkReplies: "writes nothing",
  answerPane: "needs a tmux",
  acceptProposal: "needs a proposal; settles as settleAsk does",
  tellMismatches: "needs a mismatch; notes it as settleAsk does",
  undoAutopilot: "needs a proposal; settles as settleAsk does",
  taskApply: "changes the person's checkout; what it notes is written as taskDone is",
  taskDiscard: "needs a worktree; what it notes is written as taskDone is, before anything is removed",
  withdrawTrust: "needs trust that was earned; notes it as settleAsk does",
  reviewAsk: "needs an answer of the autopilot; notes it as settleAsk does",
  autopilotReplay: "only looks",
  giveGrant: "needs an approval that waits; it is written as settleAsk is, in one with it",
  declineGrant: "needs a proposal; it is written as settleAsk is",
  editGrant: "needs a grant; it is written as settleAsk is",
  revokeGrant: "needs a grant; it is written as settleAsk is",
};

type Try = { line: string; body?: unknown };

test.skipIf(skip)(
  `[EN16] on a full disk whatever would write is refused with 507 and the same words, and nothing is changed${skip ? ` (skipped: ${missing})` : ""}`,
  async () => {
    await using disk = openSmallDisk();
    const { program } = disk;
    await program.start();
    const tries = await prepare(program);
    const names = Object.entries(ADDRESSES).flatMap(([name, { method }]) => (method === "GET" ? [] : [name]));
    expect(names.filter((name) => !(name in tries) && !(name in NOT_TRIED))).toEqual([]);

    const ask = () => send(program, { line: "POST /api/asks", body: { questions: [question()] } });
    const exhaust = () => holds(async () => (disk.fill(), (await ask()).status === 507));
    const refused: string[] = [];
    for (const [name, wanted] of Object.entries(tries)) {
      expect(await exhaust()).toBe(true);
      const kept = await asItIs(program);
      const { status, error } = await send(program, wanted);
      // SQLite may just have moved its log into the database: then one more fits into the room of the log.
      if (status === 200) continue;
      expect([name, status, error.code]).toEqual([name, 507, "not_written"]);
      expect(error.message).toMatch(
        /^There is no room left on the disk of \S+\. Nothing was changed; Parley continues on its own as soon as it can write again\.$/,
      );
      expect(await asItIs(program)).toEqual(kept);
      refused.push(name);
    }
    expect(refused).toEqual(
      expect.arrayContaining(["newTokens", "endBrowser", "createTask", "autopilotPause", "setTrust"]),
    );
    expect(
      await holds(async () => (await exhaust()) && (await send(program, tries["putDraft"] as Try)).status === 507),
    ).toBe(true);

    disk.makeRoom();
    for (const name of ["createAsk", "settleAsk", "snoozeAsk", "putDraft", "autopilotPause"])
      expect([name, (await send(program, tries[name] as Try)).status]).toEqual([name, 200]);
  },
);

const send = (program: Program, { line, body }: Try) =>
  request(program, "socket", line, { token: program.tokens().human, ...(body !== undefined && { body }) });

/** One request for each, of which every one would be granted. */
async function prepare(program: Program): Promise<Record<string, Try>> {
  const client = program.client();
  const create = async () =>
    (await program.client("agent").call("createAsk", { body: { questions: [question()] } })).id;
  const [settles, snoozes, drafts, withdraws, receives, prunes] = await Promise.all(Array.from({ length: 6 }, create));
  await client.call("settleAsk", { id: receives ?? "", body: { action: "answer", answers: ANSWER, surface: "api" } });
  await client.call("withdrawAsk", { id: prunes ?? "" });
  const order = { prompt: "Mend it", cwd: program.user, environment: { PATH: "/nowhere" } };
  // Its agent is not there, so each waits for what a person says.
  const give = async () => {
    const { id } = await client.call("createTask", { body: order });
    await holds(async () => (await client.call("getTask", { id })).asks.length === 1);
    return id;
  };
  const [told, retried, cancelled, done, removed] = [
    await give(),
    await give(),
    await give(),
    await give(),
    await give(),
  ];
  await client.call("taskCancel", { id: removed, body: {} });
  await holds(async () => (await client.call("getTask", { id: removed })).asks.length === 0);
  const by = { surface: "api" };
  const payload = {
    hook_event_name: "SessionStart",
    session_id: crypto.randomUUID(),
    cwd: program.user,
    source: "startup",
  };
  const folder = join(program.user, "trusted");
  Bun.spawnSync(["git", "init", "-q", folder]);
  writeFileSync(join(folder, ".parley.toml"), "[notify]\nenabled = false\n");
  const { digest = "" } = await client.call("getTrust", { query: { folder } });
  const call = { agent: "claude-code", call: "c", waits: false, facts: {}, payload };
  const session = crypto.randomUUID();
  // Its turn is over: it waits for a prompt.
  for (const hook_event_name of ["SessionStart", "Stop"])
    await send(program, {
      line: "POST /hook/call",
      body: { ...call, call: hook_event_name, payload: { ...payload, session_id: session, hook_event_name } },
    });
  // That is written a moment after its hook has gone.
  const isIdle = async () =>
    (await client.call("listSessions", { query: { live: "true" } })).sessions.some(
      ({ id, idle }) => id === session && idle !== undefined,
    );
  if (!(await holds(isIdle))) throw new Error("the session does not wait for a prompt");
  return {
    createAsk: { line: "POST /api/asks", body: { questions: [question()] } },
    settleAsk: { line: `POST /api/asks/${settles}/settle`, body: { action: "answer", answers: ANSWER, ...by } },
    snoozeAsk: { line: `POST /api/asks/${snoozes}/snooze`, body: { minutes: 5, ...by } },
    putDraft: { line: `PUT /api/asks/${drafts}/draft`, body: { draft: { current: 0, entries: [] }, by: "api" } },
    withdrawAsk: { line: `POST /api/asks/${withdraws}/withdraw` },
    receiveAnswer: { line: `GET /api/asks/${receives}/answer?wait=0` },
    welcome: { line: "POST /api/welcome" },
    prune: { line: "POST /api/prune", body: { days: 0 } },
    endBrowser: { line: "POST /api/page/browsers/end", body: { id: "none" } },
    newTokens: { line: "POST /api/tokens/new" },
    createTask: { line: "POST /api/tasks", body: order },
    taskFeedback: { line: `POST /api/tasks/${told}/feedback`, body: { message: "Go on", ...by } },
    taskRetry: { line: `POST /api/tasks/${retried}/retry`, body: by },
    taskCancel: { line: `POST /api/tasks/${cancelled}/cancel`, body: by },
    taskDone: { line: `POST /api/tasks/${done}/done`, body: by },
    taskRemove: { line: `POST /api/tasks/${removed}/rm`, body: by },
    unwatchServer: { line: "POST /api/servers/unwatch", body: { url: "http://127.0.0.1:1" } },
    unwatchPane: { line: "POST /api/panes/unwatch", body: { server: "/tmp/none", id: "%1" } },
    autopilotPause: { line: "POST /api/autopilot/pause", body: { paused: true } },
    setTrust: { line: "POST /api/autopilot/trust", body: { folder, digest } },
    dismissSession: { line: `POST /api/sessions/${session}/dismiss`, body: by },
    hookCall: { line: "POST /hook/call", body: call },
  };
}

/** What a person would find changed. */
async function asItIs(program: Program) {
  const client = program.client();
  const { asks } = await client.call("listAsks", { query: { state: "all", limit: 500 } });
  const { tasks } = await client.call("listTasks", { query: { state: "all" } });
  const { paused } = await client.call("autopilot");
  return {
    asks: asks.map(({ id, version }) => `${id} ${version}`).toSorted(),
    tasks: tasks.map(({ id, version }) => `${id} ${version}`).toSorted(),
    folders: readdirSync(join(program.home, "tasks")).toSorted(),
    paused,
    registration: readFileSync(program.paths.registration, "utf8"),
  };
}
