import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { startAgent } from "../e2e/agent-stage.ts";
import { createSession, ended, hook as hookOf, isHeld, type Session, settle } from "../e2e/hook-stage.ts";
import { createProgram, holds, type Program } from "../e2e/program.ts";
import { eventually } from "../patience.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const isResult = (line: string) => line.includes('"tool_result"');
const looked = async (session: Session) => {
  // Whatever hook comes: each makes the daemon look at the record of what is open.
  const [ask] = await session.asks();
  for (let i = 0; i < 3; i++) await program.client().call("getAsk", { id: ask?.id ?? "" });
  return ask;
};

test("[OX17] an answer that an agent writes into its own record does not end a question whose hook still waits", async () => {
  const session = createSession(program, "single-select");
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  const { id } = await session.ask(isHeld);
  session.write(isResult);
  // A result that no question of this session has: all of them are compared with the record.
  await session.tell("PostToolUse", 0, { key: "toolu_nobody" });
  expect(await looked(session)).toMatchObject({ state: "open", reachable: true });
  // The person's own answer is what counts, also beside the one that stands there.
  await settle(program, (await session.asks())[0]!, { action: "answer", answers: [{ picks: [2] }] });
  const { out } = await ended(dialog);
  expect(out).toContain("Option C");
  const asks = await session.asks();
  expect(asks.map(({ state, outcome }) => [state, outcome?.actor.type])).toEqual([["delivered", "person"]]);
  expect(asks[0]?.id).toBe(id);
});

test("[OX18] what only the agent's record says is recorded as the agent's word when the turn is over", async () => {
  const session = createSession(program, "single-select");
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  await session.ask(isHeld);
  session.write();
  await session.tell("Stop");
  const ask = await session.ask(({ state }) => state === "closed");
  expect(ask.outcome).toMatchObject({
    type: "answered-elsewhere",
    actor: { type: "agent", surface: "terminal", session: session.id },
  });
  expect(ask.sentence).toBe("✓ answered in the terminal, as the agent's own record says: Option B");
  dialog.kill("SIGKILL");
  await dialog.exited;
});

test("[OX19] a result is a person's when the session's own process reports it, not when something it started does", async () => {
  const agent = startAgent(program, "reporting");
  await agent.does({ run: ["status"] });
  const session = createSession(program, "single-select");
  const hook = (event: string, more: object = {}) => {
    const payload = { ...session.payload(event), session_id: agent.session, ...more };
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: agent.session };
    return { run: ["hook", event], env, stdin: JSON.stringify(payload) };
  };
  const asked = async () => {
    const query = { state: "all", session: agent.session } as const;
    return (await program.client().call("listAsks", { query })).asks[0];
  };
  await agent.does(hook("PreToolUse"));
  const sessionEnd = { hook_event_name: "SessionEnd", reason: "other" };
  for (const forged of [hook("PostToolUse"), hook("Stop"), hook("Stop", sessionEnd)])
    await agent.does({ nested: forged });
  // Some are looked at when their hook has gone.
  const refused = () =>
    readFileSync(program.paths.log, "utf8").split("a hook that the session's own process did not call");
  await eventually(() => expect(refused().length - 1).toBe(3));
  expect((await asked())?.outcome).toBeUndefined();
  await agent.does(hook("PostToolUse"));
  expect(await holds(async () => (await asked())?.outcome !== undefined)).toBe(true);
  expect((await asked())?.outcome?.actor).toEqual({ type: "person", surface: "terminal" });
  await agent.ends();
});

test("[OX20] in a task, which has no terminal, nothing but an answer through Parley ends a question", async () => {
  const session = createSession(program, "single-select");
  const env = { PARLEY_TASK: "t1" };
  const dialog = hookOf(program, session.payload("PreToolUse"), { env, args: ["--hold", "--task"] });
  await session.ask(isHeld);
  session.write(isResult);
  const looking = hookOf(program, session.payload("PostToolUse", 0, { key: "toolu_nobody" }), {
    env,
    args: ["--task"],
  });
  await ended(looking);
  expect((await session.asks()).map(({ state }) => state)).toEqual(["open"]);
  dialog.kill("SIGKILL");
  await dialog.exited;
});

test("[OX21] that somebody allowed a call in the terminal is the agent's word: no hook of it reports that", async () => {
  const session = createSession(program, "single-select");
  const call = { tool_name: "Bash", tool_input: { command: "rm -rf build" }, tool_use_id: undefined };
  const dialog = hookOf(program, { ...session.payload("PermissionRequest"), ...call });
  await session.ask(isHeld);
  const message = (type: string, content: object[]) => ({
    type,
    timestamp: new Date().toISOString(),
    message: { content },
  });
  session.append(
    JSON.stringify(message("assistant", [{ type: "tool_use", id: "toolu_rm", name: "Bash", input: call.tool_input }])),
  );
  session.append(JSON.stringify(message("user", [{ type: "tool_result", tool_use_id: "toolu_rm", content: "gone" }])));
  const { outcome, sentence } = await session.ask(({ state }) => state === "closed");
  expect(outcome?.actor).toEqual({ type: "agent", surface: "terminal", session: session.id });
  expect(sentence).toBe("✓ answered in the terminal, as the agent's own record says: Approve");
  dialog.kill("SIGKILL");
  await dialog.exited;
});
