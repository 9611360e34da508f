import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import type { ParleyError } from "../../src/core/error.ts";
import type { CallOf } from "../../src/protocol/contract.ts";
import { ANSWER, DOORS, question, request } from "./api-request.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
let agent: Client;
let human: Client;
beforeAll(async () => {
  program = createProgram();
  await program.start();
  [agent, human] = [program.client("agent"), program.client("human")];
});
afterAll(() => program.dispose());

type Settle = NonNullable<CallOf<"settleAsk">["body"]>;
const create = (session = "s1") =>
  agent.call("createAsk", { body: { questions: [question()], origin: { agent: "script", session } } });
const settle = (id: string, body: Settle, idempotencyKey?: string) =>
  human.call("settleAsk", { id, body, ...(idempotencyKey !== undefined && { idempotencyKey }) });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as ParleyError,
  );
const settledEvents = async (ask: string) =>
  (await human.call("readLog", { query: { ask } })).events.filter(({ type }) => type === "ask.settled");

const OWN_WORDS = { type: "answered", answers: [{ picks: [], text: "MySQL" }] };
const NOTED = [{ picks: [0], note: "for now" }];
test.each([
  ["an option", { action: "answer", answers: NOTED }, { type: "answered", answers: NOTED }],
  ["own words", { action: "answer", answers: [{ text: " MySQL " }] }, OWN_WORDS],
  ["decline", { action: "decline", message: "not now" }, { type: "declined", message: "not now" }],
  ["chat", { action: "chat", message: " why? " }, { type: "chat", message: "why?" }],
  ["cancel", { action: "cancel" }, { type: "cancelled" }],
] as [string, Settle, { type: "answered" }][])(
  "[P31] %s settles an ask and reaches the asker",
  async (_, body, outcome) => {
    const { id } = await create();
    const ask = await settle(id, { ...body, surface: "web" });
    expect(ask).toMatchObject({ state: "settled", version: 2, settledAt: expect.any(Number) });
    const actor = { type: "person" as const, surface: "web" };
    expect(ask.outcome).toEqual({ actor, at: expect.any(Number), ...outcome });
    const taken = await agent.call("receiveAnswer", { id });
    expect(taken.outcome).toEqual(ask.outcome);
  },
);

test("[P32] a beginning of the id is enough to settle", async () => {
  const { id } = await create();
  expect((await settle(id.slice(0, 10), { action: "decline" })).id).toBe(id);
});

test("[P33] who comes second is told who won, when, from where and with what", async () => {
  const { id } = await create();
  const won = await settle(id, { action: "answer", answers: ANSWER, surface: "cli" });
  const body = { action: "decline", surface: "web" };
  const reply = await request(program, "port", `POST /api/asks/${id}/settle`, { body, token: program.tokens().human });
  expect([reply.status, reply.error.code]).toEqual([409, "already_settled"]);
  expect(reply.error.message).toMatch(/^Already settled: answered by cli \d+(\.\d+)? m?s ago: PostgreSQL$/);
  expect(reply.error.details).toEqual({ outcome: won.outcome, state: "settled", version: 2 });
  expect(won.outcome).toMatchObject({ actor: { surface: "cli" }, at: expect.any(Number), answers: ANSWER });
});

test("[P34] of fifty at once exactly one wins, and all others are told its outcome", async () => {
  const { id } = await create();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, i) => {
      const body = { action: "answer", answers: [{ text: `answer ${i}` }], surface: `s${i}` };
      const sent = { body, token: program.tokens().human, headers: { "idempotency-key": `race-${i}` } };
      return request(program, DOORS[i % 2] ?? "socket", `POST /api/asks/${id}/settle`, sent);
    }),
  );
  const [won, ...more] = replies.filter(({ status }) => status === 200);
  expect(more).toEqual([]);
  const lost = replies.filter(({ status }) => status === 409);
  expect(lost).toHaveLength(49);
  for (const { error } of lost) expect(error.details?.["outcome"]).toEqual(won?.body["outcome"]);
  expect((await human.call("getAsk", { id })).outcome).toEqual(won?.body["outcome"] as never);
  expect(await settledEvents(id)).toHaveLength(1);
});

test("[P35] an agent does not answer its own question", async () => {
  const { id } = await create("mine");
  for (const action of ["answer", "decline", "cancel"] as const) {
    const error = await failure(settle(id, { action, answers: ANSWER, session: "mine" }));
    expect([error?.code, error?.message]).toEqual([
      "self_answer",
      "An agent may not answer its own question: this is the session that asked",
    ]);
  }
  const body = { action: "decline", session: "mine" };
  const reply = await request(program, "socket", `POST /api/asks/${id}/settle`, {
    body,
    token: program.tokens().human,
  });
  expect(reply.status).toBe(403);
  expect((await human.call("getAsk", { id })).state).toBe("open");
});

test("[P36] another agent that answers is recorded as an agent, never as a person", async () => {
  const { id } = await create("mine");
  const { outcome } = await settle(id, { action: "answer", answers: ANSWER, session: "theirs", surface: "cli" });
  expect(outcome?.actor).toEqual({ type: "agent", surface: "cli", session: "theirs" });
});

test("[P37] the same key twice creates one ask", async () => {
  const body = { questions: [question()], origin: { project: "p37" } };
  const once = () => agent.call("createAsk", { body, idempotencyKey: "p37" });
  const all = await Promise.all(Array.from({ length: 20 }, once));
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect((await human.call("listAsks", { query: { project: "p37", state: "all" } })).asks).toHaveLength(1);
  await settle(all[0]?.id ?? "", { action: "decline" });
  expect(await once()).toMatchObject({ id: all[0]?.id, state: "settled" });
});

test("[P38] the same key twice settles once, and the second gets the same ask", async () => {
  const { id } = await create();
  const both = await Promise.all([0, 1].map(() => settle(id, { action: "answer", answers: ANSWER }, "p38")));
  const again = await settle(id, { action: "answer", answers: ANSWER }, "p38");
  expect([...both, again].map(({ outcome }) => outcome)).toEqual(Array(3).fill(both[0]?.outcome));
  expect(await settledEvents(id)).toHaveLength(1);
});

test("[P39] a key that was used for something else is refused, also at the same moment", async () => {
  const message = "This idempotency key was used for another request";
  const make = (project: string, idempotencyKey: string) =>
    failure(agent.call("createAsk", { body: { questions: [question()], origin: { project } }, idempotencyKey }));
  expect(await make("one", "p39")).toBeUndefined();
  expect(await make("two", "p39")).toMatchObject({ code: "idempotency_mismatch", message });
  const atOnce = await Promise.all(["a", "b", "c", "d"].map((project) => make(project, "p39-at-once")));
  const refused = atOnce.filter((error) => error?.code === "idempotency_mismatch");
  expect([refused.length, atOnce.filter((error) => error === undefined).length]).toEqual([3, 1]);

  const { id } = await create();
  await settle(id, { action: "answer", answers: ANSWER }, "p39-settle");
  expect(await failure(settle(id, { action: "decline" }, "p39-settle"))).toMatchObject({
    code: "idempotency_mismatch",
    message,
  });
  // A key belongs to one kind of request: what created an ask may also settle one.
  const other = await create();
  expect((await settle(other.id, { action: "decline" }, "p39")).state).toBe("settled");
});

test("[P40] keys hold over a restart of the daemon", async () => {
  const body = { questions: [question()] };
  const before = await agent.call("createAsk", { body, idempotencyKey: "p40" });
  await settle(before.id, { action: "answer", answers: ANSWER }, "p40");
  await program.kill9();
  expect((await agent.call("createAsk", { body, idempotencyKey: "p40" })).id).toBe(before.id);
  expect((await settle(before.id, { action: "answer", answers: ANSWER }, "p40")).version).toBe(2);
  const other = agent.call("createAsk", { body: { questions: [question("Other one")] }, idempotencyKey: "p40" });
  expect((await failure(other))?.code).toBe("idempotency_mismatch");
  expect(await settledEvents(before.id)).toHaveLength(1);
});
