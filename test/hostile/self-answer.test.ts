import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AskView } from "../../src/protocol/view.ts";
import { ANSWER, DOORS, question, request } from "../e2e/api-request.ts";
import { ask as askHeld } from "../e2e/cli-asker.ts";
import { onTerminal } from "../e2e/cli-terminal.ts";
import { COMMAND, createProgram, holds, type Program } from "../e2e/program.ts";
import { payloadsOf, recording } from "../recorded.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const REFUSED = "An agent may not answer its own question: this is the session that asked";
const inside = (session: string) => ({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session });
const get = (id: string) => program.client().call("getAsk", { id });
const ACTIONS = [
  { action: "answer", answers: [{ picks: [0] }] },
  { action: "decline" },
  { action: "chat", message: "hm" },
  { action: "cancel" },
];

test("[HO53] from inside the session that asked every command that settles is refused", async () => {
  const held = await askHeld(program);
  const env = inside(held.session);
  for (const args of [
    ["answer", held.id, "1"],
    ["answer", held.id, "--decline"],
    ["answer", held.id, "--cancel"],
    ["answer", held.id, "--chat", "-m", "hm"],
    ["decision", "resolve", held.id, "1"],
  ]) {
    const { code, err } = await program.parley(args, { env });
    expect([args, code === 0, (await get(held.id)).state]).toEqual([args, false, "open"]);
    if (code === 77) expect(err).toContain("An agent may not answer its own question");
  }
  expect((await program.parley(["answer", held.id, "1"], { env })).code).toBe(77);
  const { text } = await onTerminal(program, ["review"], { env, script: 'echo 1 | "$@"; true' });
  expect([text === "", (await get(held.id)).state]).toEqual([false, "open"]);
  await held.hangsUp();
});

test.each(DOORS)(
  "[HO54] a caller that names the session that asked is refused, whatever it wants and with whatever token (%s)",
  async (via) => {
    const held = await askHeld(program);
    for (const settlement of ACTIONS) {
      const body = { ...settlement, session: held.session };
      const line = `POST /api/asks/${held.id}/settle`;
      const reply = await request(program, via, line, { token: program.tokens().human, body });
      expect([reply.status, reply.error.code, reply.error.message]).toEqual([403, "self_answer", REFUSED]);
      expect((await request(program, via, line, { token: program.tokens().agent, body })).status).toBe(403);
    }
    expect((await get(held.id)).state).toBe("open");
    await held.hangsUp();
  },
);

test("[HO55] another session answers as an agent, and is told so everywhere", async () => {
  const held = await askHeld(program);
  const answering = program.parley(["answer", held.id, "1"], { env: inside("another") });
  await held.takes();
  expect((await answering).code).toBe(0);
  expect((await get(held.id)).outcome?.actor).toEqual({ type: "agent", surface: "cli", session: "another" });
});

test.each([
  ["approval", { tool_name: "Bash", tool_input: { command: "rm -rf /" } }],
  ["plan", { tool_name: "ExitPlanMode", tool_input: { plan: "Do it" } }],
])("[HO56] no session settles an %s, its own or another's", async (kind, tool) => {
  const [dialog] = payloadsOf(recording("2.1.325", "single-select"), "PermissionRequest");
  const session_id = `s-${kind}`;
  const hook = program.spawn(["hook", "PermissionRequest"], {
    stdin: JSON.stringify({ ...dialog, ...tool, session_id, transcript_path: undefined }),
  });
  let ask: AskView | undefined;
  expect(
    await holds(
      async () => (
        ([ask] = (await program.client().call("listAsks", { query: { session: session_id } })).asks),
        ask?.reachable ?? false
      ),
    ),
  ).toBe(true);
  const { id = "" } = ask ?? {};
  for (const session of [session_id, "another"]) {
    expect((await program.parley(["answer", id, "1"], { env: inside(session) })).code).toBe(77);
    for (const settlement of ACTIONS) {
      const reply = await request(program, "socket", `POST /api/asks/${id}/settle`, {
        token: program.tokens().human,
        body: { ...settlement, session },
      });
      expect([session, settlement.action, reply.status]).toEqual([session, settlement.action, 403]);
    }
  }
  expect((await get(id)).state).toBe("open");
  hook.kill("SIGKILL");
  await hook.exited;
});

test("[HO57] what a session asks through a script it started is not for that session to answer", async () => {
  const env = inside("asker");
  const made = await program.parley(["ask", "Deploy?", "-o", "Yes", "-o", "No", "--no-wait"], { env });
  const id = made.out.trim();
  const own = await program.parley(["answer", id, "1"], { env });
  expect([own.code, own.err.includes(REFUSED), (await get(id)).state]).toEqual([77, true, "open"]);
  expect((await program.parley(["answer", id, "1"])).code).toBe(0);
  expect((await get(id)).outcome?.actor.type).toBe("person");
});

test("[HO57] nor what it asks over MCP", async () => {
  const env = inside("mcp-asker");
  const server = Bun.spawn([...COMMAND, "mcp"], {
    cwd: program.user,
    env: { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_HOME: program.home, PARLEY_PORT: "0", ...env },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const call = { name: "ask_user_question", arguments: { questions: [{ ...question("Over MCP") }] } };
  for (const message of [
    { id: 1, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: call },
  ])
    void server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let id = "";
  const isAsked = await holds(async () => {
    const { asks } = await program.client().call("listAsks");
    id = asks.find(({ questions }) => questions[0]?.header === "Over MCP")?.id ?? "";
    return id !== "";
  });
  expect(isAsked).toBe(true);
  expect((await program.parley(["answer", id, "1"], { env })).code).toBe(77);
  expect((await get(id)).state).toBe("open");
  void server.stdin.end();
  await server.exited;
});

test("[HO58] an agent's token settles nothing and reads no question of others", async () => {
  const { id } = await program.client("agent").call("createAsk", { body: { questions: [question()] } });
  const token = program.tokens().agent;
  for (const line of [`POST /api/asks/${id}/settle`, `GET /api/asks/${id}`, "GET /api/asks", "GET /api/log"]) {
    const body = { action: "answer", answers: ANSWER };
    expect((await request(program, "socket", line, { token, ...(line.startsWith("POST") && { body }) })).status).toBe(
      403,
    );
  }
  // Its own answer needs the whole id, which only the asker knows.
  expect((await request(program, "socket", `GET /api/asks/${id.slice(0, 8)}/answer`, { token })).status).toBe(404);
});
