import { afterAll, beforeAll, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { MAX_BODY } from "../../src/protocol/contract.ts";
import { ANSWER, DOORS, question, request } from "./api-request.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const send = (line: string, body?: unknown, headers = {}, via: "socket" | "port" = "socket") =>
  request(program, via, line, { token: program.tokens().human, headers, ...(body !== undefined && { body }) });
const create = (body: unknown) => send("POST /api/asks", body);
const messages = ({ error }: Awaited<ReturnType<typeof send>>) =>
  (error.problems as { field: string; message: string }[]).map(({ field, message }) => `${field}: ${message}`);

test.each(DOORS)("[P10] a body of more than a mebibyte is refused in words (%s)", async (via) => {
  const whole = "x".repeat(MAX_BODY + 1);
  for (const body of [whole, whole.repeat(30), inParts(whole, 2)]) {
    const reply = await send("POST /api/asks", body, {}, via);
    expect([reply.status, reply.error.code]).toEqual([413, "too_large"]);
    expect(reply.error.message).toBe("A body has at most 1048576 bytes");
  }
});

test("[P11] a body of exactly a mebibyte is read", async () => {
  const ask = { questions: [question()] };
  const body = JSON.stringify({ ...ask, padding: "ä".repeat(500_000) });
  const fill = " ".repeat(MAX_BODY - Buffer.byteLength(body));
  expect((await create(body + fill)).status).toBe(200);
  expect((await create(`${body}${fill} `)).status).toBe(413);
});

test("[P12] a body that is not JSON is refused", async () => {
  for (const body of ["{", "questions", '{"questions":[}', "\u0000"]) {
    const reply = await create(body);
    expect([reply.status, reply.error.code]).toEqual([400, "usage"]);
    expect(reply.error.message).toStartWith("The body is not JSON: ");
  }
});

test("[P13] a body of the wrong shape is refused with every problem and its place", async () => {
  for (const body of ["[]", "null", "7", '"text"']) {
    const reply = await create(body);
    expect([body, reply.status, reply.error.code]).toEqual([body, 422, "invalid"]);
  }
  const origin = { session: 7, pane: { server: 1 } };
  expect(messages(await create({ questions: [question()], origin }))).toEqual([
    "origin.session: expected text, not a number",
    "origin.pane.server: expected text, not a number",
    "origin.pane.id: is missing; expected text",
  ]);
  const id = String((await create({ questions: [question()] })).body["id"]);
  const settle = await send(`POST /api/asks/${id}/settle`, { action: "eat", answers: [{ picks: ["a"] }], colour: 1 });
  expect(settle.status).toBe(422);
  expect(messages(settle)).toEqual([
    "action: expected answer, decline, chat or cancel",
    "answers[0].picks[0]: expected a number, not text",
    "body: colour is unknown",
  ]);
  expect((await send("POST /api/prune", {})).error.message).toBe("days: is missing; expected a number");
});

test("[P14] a question that breaks the rules is refused with every problem, in the words of the rules", async () => {
  const bad = {
    question: "Which one",
    header: "A header that is too long",
    multiSelect: "no",
    options: [{ label: "Other", description: "" }],
  };
  const reply = await create({ questions: [bad, question("Same"), question("same")], answers: { Nope: "x" } });
  expect([reply.status, reply.error.code]).toEqual([422, "invalid"]);
  expect(messages(reply)).toEqual([
    "questions[0].question: Question must end with ?: A header that is too long",
    "questions[0].header: Header must be 1-12 characters: A header that is too long",
    "questions[0].multiSelect: multiSelect must be true or false: A header that is too long",
    "questions[0].options: Question must have 2-4 options: A header that is too long",
    'questions[0].options[0].label: Option label "Other" is reserved',
    "questions[0].options[0].description: Option description must not be empty: Other",
    "questions[2].header: Duplicate header: same",
    "answers.Nope: Unknown answers key: Nope",
  ]);
  expect(messages(await create({}))).toEqual(["questions: Questions must be a list"]);
  expect((await send("GET /api/asks?state=all")).body["asks"]).not.toContainEqual(
    expect.objectContaining({ questions: [expect.objectContaining({ text: "Which one" })] }),
  );
});

test("[P15] a wrong query is refused with every problem", async () => {
  const reply = await send("GET /api/asks?limit=0&state=asleep&kind=7");
  expect([reply.status, reply.error.code]).toEqual([422, "invalid"]);
  expect((reply.error.problems as { field: string }[]).map(({ field }) => field)).toEqual(["state", "kind", "limit"]);
  for (const path of ["/api/log?after=-1", "/api/log?limit=1001", "/api/log?tail=maybe", "/api/sessions?limit=x"])
    expect([path, (await send(`GET ${path}`)).status]).toEqual([path, 422]);
  for (const after of ["-1", "x", "1.5", "1e99"])
    expect([after, (await send(`GET /api/events?after=${after}`)).status]).toEqual([after, 400]);
});

test("[P16] what is not there is not found, and what is no address is refused", async () => {
  expect((await send("GET /api/nothing")).error.message).toBe("No GET /api/nothing");
  expect((await send("POST /api/status")).status).toBe(404);
  expect((await send("GET /api/asks/")).status).toBe(404);
  expect((await send("GET /api/asks/a/b")).status).toBe(404);
  const reply = await send("GET /api/asks/%E0%A4%A");
  expect([reply.status, reply.error.code]).toEqual([400, "usage"]);
});

test("[P17] an idempotency key has at most 200 characters, and an empty one is none", async () => {
  const body = { questions: [question()] };
  const long = await send("POST /api/asks", body, { "idempotency-key": "k".repeat(201) });
  expect([long.status, long.error.message]).toEqual([400, "Idempotency-Key: at most 200 characters"]);
  const [one, two] = [await keyed(""), await keyed("")];
  expect(one).not.toBe(two);
  expect(await keyed("k".repeat(200))).toBe(await keyed("k".repeat(200)));

  async function keyed(key: string) {
    return (await send("POST /api/asks", body, { "idempotency-key": key })).body["id"];
  }
});

test("[P55] who prefers a minimal answer gets the id of the ask alone, also for the same key again; all else is as ever", async () => {
  const body = { questions: [question()] };
  const ask = (prefer: string, more = {}) => send("POST /api/asks", body, { prefer, ...more });
  const key = { "idempotency-key": "minimal" };
  for (const prefer of ["return=minimal", "respond-async, Return = Minimal; x=1"]) {
    const made = (await ask(prefer, key)).body;
    expect(made).toEqual({ id: expect.any(String) });
    const whole = (await ask("return=representation", key)).body;
    expect(whole).toMatchObject({ id: made["id"], state: "open", questions: [{ header: question().header }] });
    expect((await send(`GET /api/asks/${made["id"]}`)).body).toEqual({ ...whole, sentence: expect.any(String) });
  }
  for (const prefer of ["", "return=minimals", "x-return=minimal"])
    expect((await ask(prefer)).body).toMatchObject({ state: "open", title: expect.any(String) });
  const refused = await send("POST /api/asks", { questions: [] }, { prefer: "return=minimal" });
  expect(messages(refused)).toEqual(messages(await create({ questions: [] })));
});

test("[P18] wrong answers are refused with every problem, and the ask stays open", async () => {
  const made = await create({ questions: [question("A"), question("B"), question("C", { multiSelect: true })] });
  const id = String(made.body["id"]);
  const answer = (answers: unknown) => send(`POST /api/asks/${id}/settle`, { action: "answer", answers });
  const reply = await answer([{ picks: [0, 1] }, { picks: [7] }, { picks: [], text: "  " }]);
  expect([reply.status, reply.error.code]).toEqual([422, "invalid"]);
  expect(messages(reply)).toEqual([
    "answers[0].picks: Select only one option",
    "answers[1].picks: Unknown option: 7",
    "answers[2].text: Other selected but no text entered",
  ]);
  expect(messages(await answer(undefined))).toEqual(["answers: Answers must be a list"]);
  expect(messages(await answer(ANSWER))).toEqual(["answers: Expected 3 answers, received 1"]);
  expect(messages(await send(`POST /api/asks/${id}/settle`, { action: "chat", message: " " }))).toEqual([
    "message: Chat needs a message",
  ]);
  expect((await send(`GET /api/asks/${id}`)).body).toMatchObject({ state: "open", version: 1 });
});

test("[P54] a sender that leaves in the middle of its body is no error", async () => {
  const line = `Authorization: Bearer ${program.tokens().human}\r\n`;
  for (let i = 0; i < 5; i++) {
    const sender = connect(program.paths.socket);
    await once(sender, "connect");
    sender.write(`POST /api/asks HTTP/1.1\r\nHost: parley\r\n${line}Content-Length: 100\r\n\r\n{`);
    await send("GET /api/status");
    const left = once(sender, "close");
    sender.destroy();
    await left;
    expect((await send("GET /api/status")).status).toBe(200);
  }
  expect(await Bun.file(program.paths.log).text()).not.toContain('"error"');
});

/** A body whose length is not known before. */
function inParts(text: string, count: number): ReadableStream {
  let left = count;
  return new ReadableStream({ pull: (to) => (left-- > 0 ? to.enqueue(Buffer.from(text)) : to.close()) });
}
