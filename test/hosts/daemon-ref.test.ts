import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { payloadsOf, recording } from "../recorded.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { args, askOf, failure, ONE, toolOf } from "./asking.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
beforeEach(async () => {
  program = createProgram();
  await program.start();
});
afterEach(() => program.dispose());

describe("a tool that asks through the daemon", () => {
  test("[TL20] gets the answer that somebody gives anywhere, and that is its receipt", async () => {
    const running = toolOf(program).execute("id", { ...args(), answers: { Database: "Postgres" } });
    const ask = await askOf(program);
    expect(ask.origin).toMatchObject({
      agent: "my-agent",
      cwd: program.user,
      project: "user",
      pane: { server: "/tmp/tmux-0/default", id: "%7" },
      process: { pid: process.pid },
    });
    expect([ask.agentTitle, ask.prefill?.[0]]).toEqual(["my-agent", { picks: [1] }]);
    const told = await program.parley(["answer", ask.id, "q1=1", "q2=1,2", "--text", "q2=mine"], {
      env: UNTIL_RECEIVED,
    });
    expect(told.out).toStartWith('✓ my-agent received "SQLite; Auth, A, B, mine"');
    const { content, details } = await running;
    expect(content[0]?.text).toStartWith(
      "Collected answers:\n- Database: SQLite\n- Features: Auth, A, B, Other: mine\n\nJSON:\n",
    );
    expect(details.lossless[1]).toEqual({
      header: "Features",
      question: "Which features?",
      picks: [0, 1],
      labels: ["Auth", "A, B"],
      text: "mine",
    });
  });

  test("[TL21] every other end is a typed rejection in words", async () => {
    const ended = async (...words: string[]) => {
      const running = failure(toolOf(program).execute("id", ONE));
      const ask = await askOf(program, undefined, ({ state }) => state === "open");
      expect((await program.parley(["answer", ask.id, ...words])).code).toBe(0);
      const { name, outcome, message } = await running;
      return [name, outcome, message];
    };
    expect(await ended("--decline", "-m", "not now")).toEqual([
      "AskUserQuestionError",
      "declined",
      "The user declined to answer this question: not now",
    ]);
    expect(await ended("--chat", "why?")).toEqual([
      "AskUserQuestionError",
      "declined",
      "The user wants to talk about this before answering: why?",
    ]);
    expect(await ended("--cancel")).toEqual(["AskUserQuestionError", "cancelled", "AskUserQuestion cancelled by user"]);
    const expired = await failure(toolOf(program, { timeoutMs: 50 }).execute("id", ONE));
    expect([expired.outcome, expired.message]).toEqual(["expired", "AskUserQuestion expired: no answer within 50 ms"]);
  });

  test("[TL22] several at once wait together, and each gets its own answer", async () => {
    const tool = toolOf(program);
    const [first, second] = [tool.execute("1", args("First?")), tool.execute("2", args("Second?"))];
    const asks = [await askOf(program, "First?"), await askOf(program, "Second?")];
    await program.parley(["answer", asks[1]?.id ?? "", "q1=2", "q2=3"]);
    await program.parley(["answer", asks[0]?.id ?? "", "q1=1", "q2=1"]);
    expect((await first).details.answers).toEqual({ Database: "SQLite", Features: "Auth" });
    expect((await second).details.answers).toEqual({ Database: "Postgres", Features: "Search" });
  });

  test("[TL23] aborted, the question is taken back, and that is what people read", async () => {
    const controller = new AbortController();
    const tool = toolOf(program);
    const running = failure(tool.execute("id", ONE, controller.signal));
    const { id } = await askOf(program, undefined, ({ reachable }) => reachable);
    controller.abort();
    expect((await running).message).toBe("Operation aborted");
    await tool.idle();
    const ask = await program.client().call("getAsk", { id });
    expect([ask.state, ask.sentence]).toEqual(["closed", "✗ withdrawn: my-agent took the question back"]);
    const late = await program.parley(["answer", id, "1"]);
    expect([late.code, late.out]).toEqual([4, "✗ withdrawn: my-agent took the question back\n"]);
    expect((await program.parley(["show", id])).out).toContain("the agent took the question back");
  });

  test("[TL24] a daemon that is killed meanwhile is waited for, and the question is not asked twice", async () => {
    const running = toolOf(program).execute("id", ONE);
    const { id } = await askOf(program, undefined, ({ reachable }) => reachable);
    await program.kill9();
    await program.start();
    await askOf(program, undefined, ({ reachable }) => reachable);
    const { out } = await program.parley(["answer", id, "2"], { env: UNTIL_RECEIVED });
    expect(out).toStartWith('✓ my-agent received "Postgres"');
    expect((await running).details.answers).toEqual({ Database: "Postgres" });
    expect((await program.client().call("listAsks", { query: { state: "all" } })).asks.length).toBe(1);
  });

  test("[TL25] an answer that was not the person's says so", async () => {
    const running = toolOf(program).execute("id", ONE);
    const { id } = await askOf(program);
    const body = { action: "answer" as const, answers: [{ picks: [0] }], session: "another" };
    await program.client().call("settleAsk", { id, body });
    expect((await running).content[1]?.text).toBe("Notes:\n- Database: answered by another agent, not by a person");
  });

  test("[TL26] without a daemon and without a dialog nobody can be asked, and that is said", async () => {
    await program.parley(["down"]);
    const { outcome, message } = await failure(toolOf(program).execute("id", ONE));
    expect([outcome, message]).toEqual([
      "invalid",
      "AskUserQuestion UI not ready: Parley is not running. Start it: parley up",
    ]);
  });

  test("[TL27] a question whose asker died is withdrawn", async () => {
    const gone = Bun.spawn(["true"]);
    await gone.exited;
    const body = { ...ONE, origin: { agent: "my-agent", process: { pid: gone.pid } } };
    const { id } = await program.client("agent").call("createAsk", { body });
    const ask = await askOf(program, undefined, ({ state }) => state === "closed");
    expect([ask.id, ask.sentence]).toEqual([id, "✗ withdrawn: my-agent is gone"]);
  });

  test("[TL29] of what a model wrote only questions and answers go to the inbox", async () => {
    const more = { timeout: { ms: 1, choose: 0 }, assume: 1, origin: { agent: "parley", session: "mine" } };
    const running = toolOf(program).execute("id", { ...ONE, ...more });
    const ask = await askOf(program, undefined, ({ reachable }) => reachable);
    expect([ask.deadline, ask.assumption, ask.origin.session, ask.agentTitle]).toEqual([
      undefined,
      undefined,
      undefined,
      "my-agent",
    ]);
    await program.parley(["answer", ask.id, "2"]);
    expect((await running).details.answers).toEqual({ Database: "Postgres" });
  });

  test("[TL28] only what was asked through the API is taken back, and what is settled stays so", async () => {
    const agent = program.client("agent");
    const [payload = {}] = payloadsOf(recording("2.1.325", "single-select"), "PreToolUse");
    await agent.call("hookCall", { body: { agent: "claude-code", call: "c", waits: false, payload, facts: {} } });
    const [native] = (await program.client().call("listAsks")).asks;
    for (const id of [native?.id ?? "", "nosuchask234"]) {
      const { message } = await failure(agent.call("withdrawAsk", { id }));
      expect(message).toBe(`No question "${id}" asked through the API`);
    }
    const { id } = await agent.call("createAsk", { body: ONE });
    await program.parley(["answer", id, "1"]);
    expect((await agent.call("withdrawAsk", { id })).outcome?.type).toBe("answered");
    expect((await agent.call("receiveAnswer", { id })).outcome?.answers).toEqual([{ picks: [0] }]);
  });
});
