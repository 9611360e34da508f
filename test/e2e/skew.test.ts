import { afterEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { describeApi } from "../../src/protocol/openapi.ts";
import { request } from "./api-request.ts";
import { createIdleProgram, createSession, ended, eventsOf, isHeld, settle, SILENT } from "./hook-stage.ts";
import { parseMetrics } from "./metrics-parse.ts";
import { type Document, operations } from "./openapi-check.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { recordedApi, recordedMessages, replay } from "./skew-replay.ts";
import { installOther, VERSION } from "./skew-stage.ts";
import { eventually } from "../patience.ts";

const RECORDED = ["0.1.0"];
const open: { dispose(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.dispose();
});

function createHome(): Program {
  const program = createProgram();
  open.push(program);
  return program;
}

describe.each(RECORDED)("hooks and commands of Parley %s, the daemon of today", (version) => {
  test("[OP27] all they say is answered, in the form they read", async () => {
    const program = createHome();
    await program.start();
    const messages = recordedMessages(version);
    const all = await replay(program, messages, recordedApi(version));
    expect(all).toHaveLength(messages.length);
    for (const { message, status, wrong } of all)
      expect([message.step, message.path, status, wrong]).toEqual([message.step, message.path, message.status, []]);
    // And it had its effect: the hook got its answer and said so, the script got its own.
    const printed = all.filter(({ reply }) => JSON.stringify(reply).includes('"hookSpecificOutput"'));
    expect(printed.map(({ message }) => message.step)).toEqual(["hook PermissionRequest"]);
    expect(all.find(({ message }) => message.path.includes("/answer?"))?.reply).toMatchObject({
      outcome: { type: "answered", answers: [{ picks: [0] }] },
    });
    // The end of its session closes a question only after a look at what was written last.
    const states = async () =>
      (await program.client().call("listAsks", { query: { state: "all" } })).asks.map(({ state }) => state).toSorted();
    await holds(async () => !(await states()).includes("open"));
    expect(await states()).toEqual(["closed", "delivered", "verified"]);
  });

  test("[OP28] nothing they may call is gone, needs more, or has become stricter to callers", () => {
    const now = new Map(
      operations(describeApi(VERSION) as unknown as Document).map((one) => [one.line, one.operation]),
    );
    for (const { line, operation } of operations(recordedApi(version))) {
      const today = now.get(line);
      expect([line, today?.operationId]).toEqual([line, operation.operationId]);
      for (const scheme of operation.security) expect(today?.security).toContainEqual(scheme);
      const named = (one = operation) => (one.parameters ?? []).map(({ name }) => name);
      expect(named(today)).toEqual(expect.arrayContaining(named()));
      const wanted = (one = operation) =>
        (one.requestBody?.content["application/json"]?.schema["required"] ?? []) as string[];
      expect(wanted(today).filter((name) => !wanted().includes(name))).toEqual([]);
    }
  });
});

describe("a hook of today, a daemon of tomorrow", () => {
  const ASK = { ask: "a1", key: "toolu_ask", channel: "race" };
  type Heard = { path: string; body: Record<string, unknown> };

  /** Answers hooks the way it is told to, instead of a daemon. */
  async function pretend(answer: (body: Record<string, unknown>, nth: number) => Response) {
    const program = await createIdleProgram();
    open.push(program);
    const heard: Heard[] = [];
    const server = Bun.serve({
      unix: program.paths.socket,
      async fetch(call) {
        const { pathname: path } = new URL(call.url);
        if (path === "/health") return Response.json({ parley: "9.0.0", protocol: 9, shiny: true });
        heard.push({ path, body: (await call.json()) as Heard["body"] });
        if (path !== "/hook/call") return Response.json({ error: { code: "gone" } }, { status: 410 });
        return answer(heard.at(-1)?.body ?? {}, heard.length);
      },
    });
    open.push({ dispose: () => server.stop(true) });
    return { session: createSession(program, "single-select"), heard };
  }

  const allow = (body: Record<string, unknown>) => {
    const { tool_input: input } = body["payload"] as { tool_input: object };
    const updatedInput = { ...input, answers: { "Which approach should we use?": "Option B" } };
    return {
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow", updatedInput } },
    };
  };

  test("[OP29] fields it does not know are let pass: the answer is printed", async () => {
    const { session, heard } = await pretend((body) =>
      Response.json({ output: allow(body), handed: [{ ...ASK, weight: 3 }], shiny: { new: true }, protocol: 9 }),
    );
    expect((await session.tell("PermissionRequest")).out).toContain('"Option B"');
    const acknowledged = { path: "/hook/ack", body: { handed: [{ ...ASK, weight: 3 }] } };
    await eventually(() => expect(heard.at(-1)).toMatchObject(acknowledged));
  });

  test.each([
    ["a reply of an unknown kind", () => Response.json({ kind: "delegate", to: "somebody" })],
    ["a list", () => Response.json([1, 2])],
    ["a word", () => Response.json("later")],
    [
      "no such address",
      () => Response.json({ error: { code: "not_found", message: "No POST /hook/call" } }, { status: 404 }),
    ],
    ["another protocol, 409", () => Response.json({ error: { code: "protocol" } }, { status: 409 })],
    ["another protocol, 426", () => new Response("Upgrade Required", { status: 426 })],
    ["an output in a form of tomorrow", () => Response.json({ output: { verdict: "allow" }, handed: [ASK] })],
  ])("[OP29] what it cannot read leaves the agent to its own dialog: %s", async (_, answer) => {
    const { session } = await pretend(answer);
    expect(await session.tell("PermissionRequest")).toEqual(SILENT);
    expect(await session.tell("PreToolUse")).toEqual(SILENT);
  });
});

describe("a command of today, another daemon", () => {
  async function pretend(answer: (path: string) => Response): Promise<Program> {
    const program = await createIdleProgram();
    open.push(program);
    await program.start();
    await program.terminate();
    const ended = program.registration();
    await Bun.write(program.paths.registration, JSON.stringify({ ...ended, version: "0.0.9" }));
    const server = Bun.serve({ unix: program.paths.socket, fetch: (call) => answer(new URL(call.url).pathname) });
    open.push({ dispose: () => server.stop(true) });
    return program;
  }

  test("[OP30] a daemon that does not know the call yet: the command says which one runs and what to do", async () => {
    const program = await pretend((path) =>
      Response.json({ error: { code: "not_found", message: `No GET ${path}` } }, { status: 404 }),
    );
    expect(await program.parley(["ls"])).toEqual({
      code: 69,
      out: "",
      err: "✗ The running daemon is Parley 0.0.9 and does not know this yet. Replace it with this one: parley restart\n",
    });
  });

  test("[OP30] an answer in another form is told, not guessed at", async () => {
    const program = await pretend(() => Response.json({ inbox: [] }));
    const { code, err } = await program.parley(["ls"]);
    expect([code, err]).toEqual([
      69,
      "✗ The running daemon is Parley 0.0.9 and answers in a form this one cannot read. Replace it with this one: parley restart\n",
    ]);
  });

  test("[OP30] fields of tomorrow are let pass, and what a newer daemon says of itself is shown", async () => {
    const fine = await pretend(() => Response.json({ asks: [], total: 0, shiny: true }));
    expect(await fine.parley(["ls"])).toMatchObject({ code: 0, err: "" });
    const message = "This daemon speaks protocol 9. Update Parley";
    const strict = await pretend(() => Response.json({ error: { code: "protocol", message } }, { status: 426 }));
    expect(await strict.parley(["ls"])).toEqual({ code: 1, out: "", err: `✗ ${message}\n` });
  });
});

describe("an update while agents wait", () => {
  async function heldByOther() {
    const program = createHome();
    const other = installOther(program, "0.0.9");
    expect((await other.parley("up")).code).toBe(0);
    expect(program.registration().version).toBe("0.0.9");
    const session = createSession(program, "single-select");
    await session.tell("PreToolUse");
    const dialog = session.fire("PermissionRequest");
    return { program, other, session, dialog, ask: await session.ask(isHeld) };
  }

  test("[OP31] commands of the new version say that the old daemon runs; restart replaces it, and the waiting hook of the old version delivers through the new one", async () => {
    const { program, session, dialog, ask } = await heldByOther();
    const old = program.registration().process.pid;
    const hint = `It is 0.0.9, this is ${VERSION}. Replace it: parley restart`;
    expect((await program.parley(["up"])).out.split("\n")[1]).toBe(hint);
    expect((await program.parley(["status"])).out).toContain(
      `This is Parley ${VERSION}. Replace the daemon: parley restart\n`,
    );
    expect((await program.parley(["doctor"])).out).toMatch(/0\.0\.9 runs .* but this is Parley .* parley restart/s);

    const { code, out } = await program.parley(["restart"]);
    const { process: daemon, version } = program.registration();
    expect([code, version]).toEqual([0, VERSION]);
    expect(out).toBe(
      `Parley ${VERSION} is now running (pid ${daemon.pid}) at ${program.url()}, in place of 0.0.9 (pid ${old})\n`,
    );
    expect((await program.parley(["up"])).out).not.toContain("parley restart");

    expect((await session.ask(isHeld)).id).toBe(ask.id);
    await settle(program, ask, { action: "answer", answers: [{ picks: [1] }] });
    expect((await ended(dialog)).out).toContain('"Option B"');
    await session.ask(({ state }) => state === "delivered");
    expect((await eventsOf(program, ask)).filter(({ type }) => type === "ask.sent")).toHaveLength(1);
    expect(program.registration().version).toBe(VERSION);
  });

  test("[OP32] a waiting hook of the old version that finds the daemon gone starts the version that ran last", async () => {
    const { program, session, dialog, ask } = await heldByOther();
    expect((await program.parley(["restart"])).code).toBe(0);
    await session.ask(isHeld);
    const { instance } = program.registration();
    await program.kill9();
    expect(await holds(() => program.registration().instance !== instance)).toBe(true);
    expect(program.registration().version).toBe(VERSION);
    await session.ask(isHeld);
    await settle(program, ask, { action: "answer", answers: [{ picks: [0] }] });
    expect((await ended(dialog)).out).toContain('"Option A"');
  });

  test("[OP33] restart also starts what was stopped on purpose, and says that none ran", async () => {
    const program = createHome();
    expect((await program.parley(["down"])).code).toBe(0);
    const { code, out } = await program.parley(["restart"]);
    expect([code, out]).toEqual([
      0,
      `Parley ${VERSION} is now running (pid ${program.registration().process.pid}) at ${program.url()}; none was running\n`,
    ]);
    expect(await program.parley(["status"])).toMatchObject({ code: 0 });
  });
});

test("[OP34] what a later Parley wrote into the log is shown, counted, and kept by backup and restore", async () => {
  const program = createHome();
  await program.start();
  await program.terminate();
  const db = new Database(program.paths.database);
  const data = JSON.stringify({ type: "ask.teleported", where: "moon", by: { name: "x" } });
  db.query("INSERT INTO events (at, v, type, ask, session, data) VALUES (1, 7, 'ask.teleported', 'a1', NULL, ?)").run(
    data,
  );
  db.close();
  await program.start();
  expect((await program.parley(["log"])).out).toContain("ask.teleported");
  await eventually(async () => {
    const { text } = await request(program, "socket", "GET /metrics", { token: program.tokens().human });
    expect(parseMetrics(text).get("parley_events_total")?.samples).toEqual([
      { name: "parley_events_total", labels: { type: "ask.teleported" }, value: 1 },
    ]);
  });
  await program.parley(["backup", "b.db"]);
  expect((await program.parley(["restore", "b.db", "--stop"])).code).toBe(0);
  const { events } = await program.client().call("readLog");
  expect(events).toMatchObject([
    { v: 7, type: "ask.teleported", ask: "a1", data: { where: "moon", by: { name: "x" } } },
  ]);
});

test("[OP35] a daemon that meets the database of a newer Parley says so, changes nothing, and the newer one goes on", async () => {
  const program = createHome();
  await program.start();
  await program.client("agent").call("createAsk", {
    body: {
      questions: [
        {
          question: "Go?",
          header: "Go",
          multiSelect: false,
          options: [
            { label: "Yes", description: "y" },
            { label: "No", description: "n" },
          ],
        },
      ],
    },
  });
  await program.terminate();
  const version = (n?: number) => {
    const db = new Database(program.paths.database);
    if (n !== undefined) db.run(`PRAGMA user_version = ${n}`);
    const found = db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
    db.close();
    return found;
  };
  const today = version();
  version(99);
  expect((await program.parley(["up"])).code).toBe(69);
  expect((await program.parley(["logs", "--level", "error"])).out).toContain(
    "was written by a newer Parley (schema 99",
  );
  expect((await program.parley(["doctor"])).out).toContain("was written by a newer Parley (schema 99");
  expect(version()).toBe(99);
  version(today);
  await program.start();
  expect((await program.parley(["ls"])).out).toContain("Go?");
});
