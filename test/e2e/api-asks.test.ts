import { afterAll, beforeAll, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import type { Client } from "../../src/client/client.ts";
import type { ParleyError } from "../../src/core/error.ts";
import type { CallOf } from "../../src/protocol/contract.ts";
import { ANSWER, question } from "./api-request.ts";
import { createProgram, holds, type Program } from "./program.ts";

let program: Program;
let agent: Client;
let human: Client;
beforeAll(async () => {
  program = createProgram();
  await program.start();
  [agent, human] = [program.client("agent"), program.client("human")];
});
afterAll(() => program.dispose());

const create = (origin: Record<string, unknown> = {}, extra: object = {}) =>
  agent.call("createAsk", { body: { questions: [question("Store", extra)], origin } });
const answer = (id: string) => human.call("settleAsk", { id, body: { action: "answer", answers: ANSWER } });
const take = (id: string, wait = 0) => agent.call("receiveAnswer", { id, query: { wait } });
const listed = async (query: CallOf<"listAsks">["query"]) =>
  (await human.call("listAsks", { query: query ?? {} })).asks.map(({ id }) => id);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as ParleyError,
  );

test("[P19] a created ask is listed and found by its id and by any unique beginning of it", async () => {
  const ask = await create({ project: "p19", cwd: "/x" }, { weight: 3 });
  expect(ask).toMatchObject({
    state: "open",
    kind: "question",
    origin: { agent: "script", project: "p19", cwd: "/x" },
    questions: [{ text: "Which database?", weight: 3, options: [{ label: "SQLite" }, { label: "PostgreSQL" }] }],
    reachable: false,
  });
  expect(ask.sentence).toStartWith("… waiting for an answer for ");
  expect(await listed({ project: "p19" })).toEqual([ask.id]);
  for (const length of [12, 11, 10, 9]) {
    const found = await human.call("getAsk", { id: ask.id.slice(0, length) });
    expect(found).toEqual({ ...ask, sentence: expect.any(String) });
  }
});

test("[P20] a beginning that fits several asks is refused and names them", async () => {
  const ids: string[] = [];
  // More asks than letters: two of them begin with the same.
  while (new Set(ids.map((id) => id[0])).size === ids.length) ids.push((await create()).id);
  const letter = ids.at(-1)?.[0] ?? "";
  const error = await failure(human.call("getAsk", { id: letter }));
  expect(error?.code).toBe("ambiguous");
  expect(error?.message).toStartWith(`"${letter}" matches several questions: `);
  for (const id of ids.filter((one) => one.startsWith(letter))) expect(error?.message).toContain(id);
});

test("[P21] an ask that is not there is not found, by whatever door", async () => {
  const calls = [
    human.call("getAsk", { id: "0nope" }),
    human.call("settleAsk", { id: "0nope", body: { action: "decline" } }),
    human.call("readLog", { query: { ask: "0nope" } }),
    human.call("listAsks", { query: { after: "0nope" } }),
  ];
  for (const error of await Promise.all(calls.map((call) => failure(call)))) {
    expect([error?.code, error?.message]).toEqual(["not_found", 'No question "0nope". See: parley ls --all']);
  }
  expect((await failure(take("0nope")))?.message).toBe('No question "0nope" asked through the API');
});

test("[P22] asks are listed by state, open ones longest waiting first, done ones newest first", async () => {
  const origin = { project: "p22", session: "s22" };
  // Each younger than the one before: of the same millisecond none waits longer.
  const younger = async () => {
    const made = await create(origin);
    await holds(() => Date.now() > made.createdAt);
    return made;
  };
  const [one, two, three, four] = [await younger(), await younger(), await younger(), await younger()];
  await answer(two.id);
  for (const { id } of [three, four]) await answer(id).then(() => take(id));
  const state = (name: string) => listed({ state: name as "open", ...origin });
  expect(await state("open")).toEqual([one.id]);
  expect(await state("settled")).toEqual([two.id]);
  expect(await state("active")).toEqual([one.id, two.id]);
  expect((await state("done")).toSorted()).toEqual([three.id, four.id].toSorted());
  expect(await state("all")).toHaveLength(4);
  expect(await listed({ ...origin, kind: "plan" })).toEqual([]);
  expect(await listed({ project: "p22", session: "other" })).toEqual([]);
  const createdAt = async (name: string) =>
    (await human.call("listAsks", { query: { state: name as "open", ...origin } })).asks.map((ask) => ask.createdAt);
  expect(await createdAt("done")).toEqual((await createdAt("done")).toSorted((a, b) => b - a));
  expect(await createdAt("active")).toEqual((await createdAt("active")).toSorted((a, b) => a - b));
});

test("[P23] pages of a list hold every ask once, and the last one says so", async () => {
  const made = await Promise.all(Array.from({ length: 7 }, () => create({ project: "p23" })));
  for (const state of ["open", "all"] as const) {
    const seen: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const query = { state, project: "p23", limit: 3, ...(after !== undefined && { after }) };
      const page = await human.call("listAsks", { query });
      seen.push(...page.asks.map(({ id }) => id));
      after = page.next;
      more = after !== undefined;
    }
    expect(seen).toHaveLength(7);
    expect(seen.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  }
});

test("[P24] an asker gets the outcome once it is there, and the ask is verified then", async () => {
  const { id } = await create();
  const early = await take(id);
  expect(early.outcome).toBeUndefined();
  expect(early.sentence).toStartWith("… waiting for an answer");
  const waiting = take(id, 60_000);
  // Answered one after the other on this connection's daemon: the request above is waiting by now.
  await human.call("getAsk", { id });
  await answer(id);
  const outcome = { type: "answered", answers: [{ picks: [1] }], actor: { type: "person", surface: "api" } };
  expect(await waiting).toMatchObject({ outcome, sentence: expect.stringContaining('received "PostgreSQL"') });
  expect(await human.call("getAsk", { id })).toMatchObject({
    state: "verified",
    deliveries: [{ state: "verified", channel: "fetch", detail: "taken by the asker" }],
  });
});

test("[P25] many askers of one ask get the same outcome, and it is delivered once", async () => {
  const { id } = await create();
  const waiting = Array.from({ length: 10 }, () => take(id, 60_000));
  await human.call("getAsk", { id });
  const { outcome } = await answer(id);
  const all = await Promise.all([...waiting, take(id)]);
  expect(all.map((one) => one.outcome)).toEqual(all.map(() => outcome));
  expect(await typesOf(id)).toEqual(["ask.captured", "ask.settled", "ask.sent", "ask.verified"]);
});

test("[P26] an asker that went away takes nothing: the outcome stays for the next", async () => {
  const { id } = await create();
  const asker = connect(program.paths.socket);
  asker.write(`GET /api/asks/${id}/answer?wait=60000 HTTP/1.1\r\nHost: parley\r\n`);
  asker.write(`Authorization: Bearer ${program.tokens().agent}\r\n\r\n`);
  const isWaiting = async () => (await human.call("getAsk", { id })).reachable;
  expect(await holds(isWaiting)).toBe(true);
  const left = once(asker, "close");
  asker.destroy();
  await left;
  expect(await holds(async () => !(await isWaiting()))).toBe(true);
  await answer(id);
  expect((await human.call("getAsk", { id })).state).toBe("settled");
  expect((await take(id)).outcome?.type).toBe("answered");
});

test("[P27] the time to wait ends the wait, not the question", async () => {
  const { id } = await create();
  expect((await take(id, 20)).outcome).toBeUndefined();
  expect((await human.call("getAsk", { id })).state).toBe("open");
});

test("[P28] the whole id is needed to take an answer", async () => {
  const { id } = await create();
  const error = await failure(take(id.slice(0, 11)));
  expect(error?.code).toBe("not_found");
});

test("[P29] prune removes what is done and old enough, never what is open or not yet taken", async () => {
  const origin = { project: "p29" };
  const [open, kept, done] = [await create(origin), await create(origin), await create(origin)];
  for (const { id } of [kept, done]) await answer(id);
  await take(done.id);
  const { settledAt = 0 } = await human.call("getAsk", { id: done.id });
  expect(await human.call("prune", { body: { days: 1 } })).toEqual({ removed: 0 });
  await holds(() => Date.now() > settledAt);
  expect((await human.call("prune", { body: { days: 0 } })).removed).toBeGreaterThan(0);
  expect((await listed({ ...origin, state: "all" })).toSorted()).toEqual([open.id, kept.id].toSorted());
  expect((await failure(human.call("getAsk", { id: done.id })))?.code).toBe("not_found");
});

test("[P30] the log is read in pages, of one ask, and from its end", async () => {
  const { id } = await create();
  await answer(id);
  await take(id);
  const log = async (query: CallOf<"readLog">["query"]) =>
    (await human.call("readLog", { query: query ?? {} })).events.map(({ seq }) => seq);
  const all = await log({ limit: 1000 });
  expect(all.length).toBeGreaterThan(4);
  expect(all).toEqual(all.toSorted((a, b) => a - b));
  expect(await log({ limit: 3, after: all[1] ?? 0 })).toEqual(all.slice(2, 5));
  expect(await log({ tail: "true", limit: 2 })).toEqual(all.slice(-2));
  expect(await typesOf(id)).toEqual(["ask.captured", "ask.settled", "ask.sent", "ask.verified"]);
  expect(await log({ ask: id.slice(0, 9), tail: "true", limit: 4 })).toEqual(all.slice(-4));
});

async function typesOf(ask: string): Promise<string[]> {
  return (await human.call("readLog", { query: { ask } })).events.map(({ type }) => type);
}
