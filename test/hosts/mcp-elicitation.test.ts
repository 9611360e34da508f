import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { poll } from "../../src/lab/poll.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { args, askOf } from "./asking.ts";
import { type McpClient, openMcp } from "./mcp-client.ts";
import { eventually } from "../patience.ts";

let program: Program;
beforeEach(() => void (program = createProgram()));
afterEach(() => program.dispose());

const open = () => openMcp(program, [], { elicitation: {} });
type Form = { id: number; params: { message: string; requestedSchema: { properties: Record<string, object> } } };
const formOf = (client: McpClient, nth = 0) =>
  poll(() => client.messages.filter(({ method }) => method === "elicitation/create")[nth] as Form | undefined, {
    failure: () => "the client was not asked",
  });

describe("parley mcp, a client with forms of its own", () => {
  test("[EL20] asks in the client too; answered there first, the inbox knows who and what", async () => {
    await using client = await open();
    const call = client.ask(args());
    const { id, params } = await formOf(client);
    expect(Object.keys(params.requestedSchema.properties)).toEqual([
      "question_1",
      "question_1_other",
      "question_2",
      "question_2_other",
    ]);
    const ask = await askOf(program);
    client.send({ id, result: { action: "accept", content: { question_1: "Postgres" } } });
    const again = await formOf(client, 1);
    expect(again.params.message).toStartWith("Each question needs an option, or your own words.");
    const content = { question_1: "Postgres", question_2: ["Auth"], question_2_other: "fuzzy" };
    client.send({ id: again.id, result: { action: "accept", content } });
    const { result } = await client.reply(call);
    expect(result?.structuredContent?.answers).toEqual({ Database: "Postgres", Features: "Auth, Other: fuzzy" });
    const settled = await eventually(async () => {
      const now = await program.client("human").call("getAsk", { id: ask.id });
      expect(now.state).toBe("verified");
      return now;
    });
    expect(settled.outcome).toMatchObject({ type: "answered", actor: { type: "person", surface: "terminal" } });
  });

  test("[EL21] answered in the inbox first, the client's form is cancelled", async () => {
    await using client = await open();
    const call = client.ask(args());
    const { id } = await formOf(client);
    const ask = await askOf(program);
    await program.parley(["answer", ask.id, "q1=1", "q2=1"]);
    expect((await client.reply(call)).result?.structuredContent?.outcome).toBe("answered");
    await eventually(() => {
      const cancelled = client.messages.find(({ method }) => method === "notifications/cancelled");
      expect(cancelled?.params).toMatchObject({ requestId: id });
    });
  });

  test("[EL22] a form that the client closes by itself decides nothing", async () => {
    await using client = await open();
    const call = client.ask(args());
    const { id } = await formOf(client);
    const ask = await askOf(program);
    client.send({ id, result: { action: "cancel" } });
    await program.parley(["answer", ask.id, "q1=2", "q2=1"]);
    expect((await client.reply(call)).result?.structuredContent?.answers).toMatchObject({ Database: "Postgres" });
  });
});
