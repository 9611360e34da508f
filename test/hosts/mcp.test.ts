import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { poll } from "../../src/lab/poll.ts";
import { createAskUserQuestionServer } from "../../src/tool/mcp-server.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { args, askOf, ONE } from "./asking.ts";
import { openMcp } from "./mcp-client.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
beforeEach(() => void (program = createProgram()));
afterEach(() => program.dispose());

describe("parley mcp", () => {
  test("[MC1] offers one tool, with what goes in and what comes out", async () => {
    await using client = await openMcp(program);
    const { result } = await client.reply(client.request("tools/list"));
    expect(result?.tools).toEqual([
      expect.objectContaining({
        name: "ask_user_question",
        inputSchema: expect.objectContaining({ required: ["questions"] }),
        outputSchema: expect.objectContaining({ required: ["text", "outcome", "answers", "lossless"] }),
      }),
    ]);
    const other = await client.reply(client.request("tools/call", { name: "rm", arguments: {} }));
    expect(other.error?.message).toContain('There is no tool "rm"');
  });

  test("[MC2] starts the daemon, asks as its client, and gives the answers as text and in their parts", async () => {
    await using client = await openMcp(program);
    const call = client.ask(args());
    const ask = await askOf(program);
    expect([ask.agentTitle, ask.origin.cwd]).toEqual(["a-client", program.user]);
    await program.parley(["answer", ask.id, "q1=2", "q2=1", "-m", "q1=with WAL"]);
    const { result } = await client.reply(call);
    const text = `Collected answers:\n- Database: Postgres\n- Features: Auth\n\nJSON:\n${JSON.stringify(
      { answers: { Database: "Postgres", Features: "Auth" } },
      null,
      2,
    )}`;
    expect(result?.content?.map((block) => block.text)).toEqual([text, "Notes:\n- Database: with WAL"]);
    expect(result?.isError).toBeUndefined();
    expect(result?.structuredContent).toMatchObject({
      outcome: "answered",
      answers: { Database: "Postgres", Features: "Auth" },
      lossless: [
        { header: "Database", picks: [1], labels: ["Postgres"], note: "with WAL" },
        { header: "Features", picks: [0], labels: ["Auth"] },
      ],
      text: `${text}\n\nNotes:\n- Database: with WAL`,
    });
  });

  test("[MC3] every other end is an error in words, with its outcome beside", async () => {
    await using client = await openMcp(program, ["--name", "me"]);
    const ended = async (...words: string[]) => {
      const call = client.ask(ONE);
      const { id } = await askOf(
        program,
        undefined,
        ({ state, agentTitle }) => state === "open" && agentTitle === "me",
      );
      await program.parley(["answer", id, ...words]);
      const { result } = await client.reply(call);
      return [result?.isError, result?.structuredContent?.outcome, result?.content?.[0]?.text];
    };
    expect(await ended("--decline")).toEqual([true, "declined", "The user declined to answer this question."]);
    expect(await ended("--cancel")).toEqual([true, "cancelled", "AskUserQuestion cancelled by user"]);
    await using hasty = await openMcp(program, ["--timeout", "100ms"]);
    const { result } = await hasty.reply(hasty.ask(ONE));
    expect([result?.isError, result?.structuredContent?.outcome]).toEqual([true, "expired"]);
  });

  test("[MC4] wrong arguments are an error with all of it in words", async () => {
    await using client = await openMcp(program);
    const [first] = ONE.questions;
    const { result } = await client.reply(client.ask({ questions: [{ ...first, question: "No mark", header: "" }] }));
    expect([result?.isError, result?.structuredContent?.outcome]).toEqual([true, "invalid"]);
    expect(result?.content?.[0]?.text.split("\n")).toEqual([
      "Question must end with ?: questions[0]",
      "Header must be 1-12 characters: questions[0].header",
    ]);
  });

  test("[MC5] a call that its client cancels is taken back, and hears nothing more", async () => {
    await using client = await openMcp(program);
    const call = client.ask(ONE);
    await askOf(program, undefined, ({ reachable }) => reachable);
    client.send({ method: "notifications/cancelled", params: { requestId: call, reason: "the user said stop" } });
    const ask = await askOf(program, undefined, ({ state }) => state === "closed");
    expect(ask.sentence).toBe("✗ withdrawn: a-client took the question back");
    // What comes back to a later call comes after all that was said to the earlier one.
    await client.reply(client.request("tools/list"));
    expect(client.messages.some(({ id, result }) => id === call && result)).toBe(false);
  });

  test("[MC6] a client that ends leaves no question behind", async () => {
    await using client = await openMcp(program);
    client.ask(ONE);
    client.ask(args("Another?"));
    await askOf(program, undefined, ({ reachable }) => reachable);
    await askOf(program, "Another?", ({ reachable }) => reachable);
    expect(await client.close()).toBe(0);
    const { asks } = await program.client().call("listAsks", { query: { state: "all" } });
    expect(asks.map(({ sentence }) => sentence)).toEqual(
      Array.from({ length: 2 }, () => "✗ withdrawn: a-client took the question back"),
    );
  });

  test("[MC7] a daemon that is killed meanwhile is waited for, and started again", async () => {
    await using client = await openMcp(program);
    const call = client.ask(ONE);
    const { id } = await askOf(program, undefined, ({ reachable }) => reachable);
    await program.kill9();
    await askOf(program, undefined, ({ reachable }) => reachable);
    const { out } = await program.parley(["answer", id, "1"], { env: UNTIL_RECEIVED });
    expect(out).toStartWith('✓ a-client received "SQLite"');
    expect((await client.reply(call)).result?.structuredContent?.answers).toEqual({ Database: "SQLite" });
  });

  test("[MC8] a client that asks for progress gets it while it waits, each higher than the one before", async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    let answer: (given: Record<string, string>) => void = () => {};
    const current = () => new Promise<Record<string, string>>((resolve) => (answer = resolve));
    await createAskUserQuestionServer({ current }, { progressMs: 10 }).connect(ours);
    const heard: JSONRPCMessage[] = [];
    Object.assign(theirs, { onmessage: (message: JSONRPCMessage) => void heard.push(message) });
    await theirs.start();
    const call = (id: number, progressToken: string) => {
      const params = { name: "ask_user_question", arguments: ONE, _meta: { progressToken } };
      return theirs.send({ jsonrpc: "2.0", id, method: "tools/call", params });
    };
    await call(1, "t");
    const progress = (token = "t") =>
      heard.flatMap((message) =>
        "method" in message && message.params?.["progressToken"] === token ? [message.params] : [],
      );
    await poll(() => (progress().length > 3 ? true : undefined), { failure: () => "no progress" });
    answer({ Database: "SQLite" });
    await poll(() => heard.find((message) => "result" in message), { failure: () => "no result" });
    const told = progress().length;
    expect(progress().slice(0, 3)).toMatchObject([1, 2, 3].map((count) => ({ progressToken: "t", progress: count })));
    expect(progress()[0]).toMatchObject({ message: expect.stringMatching(/^Waiting for the user to answer \(\d/) });
    // Another call is kept alive meanwhile; the one that has its answer is not.
    await call(2, "later");
    await poll(() => (progress("later").length > 3 ? true : undefined), { failure: () => "no progress" });
    answer({ Database: "SQLite" });
    expect(progress().length).toBe(told);
  });
});
