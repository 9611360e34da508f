import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CONTRACT, type EndpointName, MAX_BODY, STREAMS } from "../../src/protocol/contract.ts";
import type { Endpoint } from "../../src/protocol/endpoint.ts";
import { CALLS } from "./api-calls.ts";
import { ANSWER, DOORS, open, question, request, type Sent } from "./api-request.ts";
import { createSession, ended, isHeld, settle } from "./hook-stage.ts";
import { type Document, faults, misfits, type Operation, operations } from "./openapi-check.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
let document: Document;
beforeAll(async () => {
  program = createProgram();
  await program.start();
  document = (await request(program, "port", "GET /openapi.json")).body as Document;
  await makeHistory();
});
afterAll(() => program.dispose());

const names = Object.keys(CONTRACT) as EndpointName[];
const human = () => program.tokens().human;
const ids: string[] = [];
/** The Ask a good request is about: one of its own, still open. */
async function freshAsk(): Promise<string> {
  return (await program.client("agent").call("createAsk", { body: { questions: [question()] } })).id;
}

/** Asks of every end, a session and a receipt: what the lists then hold. */
async function makeHistory(): Promise<void> {
  for (const action of ["answer", "decline", "chat", "cancel"] as const) {
    const id = await freshAsk();
    const body = { action, ...(action === "answer" ? { answers: ANSWER } : { message: "why" }) };
    await program.client().call("settleAsk", { id, body });
    if (action === "answer") await program.client("agent").call("receiveAnswer", { id });
    ids.push(id);
  }
  const session = createSession(program, "single-select");
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  const ask = await session.ask(isHeld);
  await settle(program, ask, { action: "answer", answers: [{ picks: [0] }] });
  await ended(dialog);
}

function operationOf(line: string): Operation {
  const found = operations(document).find((one) => one.line === line);
  if (!found) throw new Error(`${line} is not described`);
  return found.operation;
}

/** What is wrong with a reply, held against the description of its endpoint. */
async function compare(line: string, address: string, sent: Sent): Promise<{ status: number; wrong: string[] }> {
  const response = await open(program, "socket", `${line.split(" ")[0]} ${address}`, sent);
  const described = operationOf(line).responses[String(response.status)];
  if (!described) return { status: response.status, wrong: [`${line} answered ${response.status}, not described`] };
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const schema = described.content?.[type]?.schema;
  if (!schema) return { status: response.status, wrong: [`${line} answered in ${type}, not described`] };
  const value: unknown = type === "application/json" ? await response.json() : await response.text();
  const code = response.ok ? "" : String((value as { error?: { code?: unknown } }).error?.code);
  const unnamed = described.description.includes(code) ? [] : [`${line} refused with ${code}, not described`];
  return { status: response.status, wrong: [...misfits(document, schema, value), ...unnamed] };
}

const lineOf = ({ method, path }: Endpoint) => `${method} ${path.replace(":id", "{id}")}`;

test.each(DOORS)("[OP15] the description is OpenAPI 3.1 without faults, and needs no token (%s)", async (via) => {
  const { status, body } = await request(program, via, "GET /openapi.json");
  expect(status).toBe(200);
  expect(faults(body as Document)).toEqual([]);
});

test("[OP15] the check of the description finds faults", () => {
  const broken = structuredClone(document);
  const settled = broken.paths["/api/asks/{id}/settle"]?.["post"];
  if (!settled) throw new Error("not described");
  settled.parameters = [];
  settled.operationId = "getAsk";
  settled.security = [{ nobody: [] }];
  broken.components.schemas["Ask"] = { $ref: "#/components/schemas/Nothing", items: { type: "text" } };
  expect(faults(broken)).toHaveLength(5);
  const status = { $ref: "#/components/schemas/Status" };
  expect(misfits(document, status, { version: 1 }).length).toBeGreaterThan(1);
  expect(() => misfits(document, { whatever: 1 }, 1)).toThrow("does not know whatever");
});

test("[OP16] every address the daemon answers is described, and every one described is answered", async () => {
  const contract = [
    ...names.map((name) => lineOf(CONTRACT[name])),
    ...Object.values(STREAMS).map((path) => `GET ${path}`),
  ];
  expect(
    operations(document)
      .map(({ line }) => line)
      .toSorted(),
  ).toEqual(contract.toSorted());
  // Without a token the daemon refuses what it knows, and says of the rest that it is not there.
  for (const path of Object.keys(document.paths))
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (Object.values<string>(STREAMS).includes(path)) continue;
      const reply = await request(program, "socket", `${method} ${path.replace("{id}", "x")}`);
      const isKnown = reply.error.message !== `No ${method} ${path.replace("{id}", "x")}`;
      expect([method, path, isKnown]).toEqual([method, path, method.toLowerCase() in (document.paths[path] ?? {})]);
    }
});

describe.each(names.filter((name) => name !== "shutdown"))("%s", (name) => {
  const endpoint: Endpoint = CONTRACT[name];
  const line = lineOf(endpoint);
  const { body, query = "", good: status = 200 } = CALLS[name];
  const addressOf = (id: string) => `${endpoint.path.replace(":id", id)}${query}`;
  const token = { token: "" };

  test("[OP17] a good request is answered as described", async () => {
    token.token = human();
    if (body !== undefined) {
      const schema = operationOf(line).requestBody?.content["application/json"]?.schema;
      expect(misfits(document, schema ?? {}, body)).toEqual([]);
    }
    const sent = { ...token, ...(body !== undefined && { body }) };
    expect(await compare(line, addressOf(await freshAsk()), sent)).toEqual({ status, wrong: [] });
    // Also of Asks that ended in one way or the other.
    if (endpoint.method === "GET" && endpoint.path.includes(":id"))
      for (const id of ids) expect(await compare(line, addressOf(id), token)).toEqual({ status, wrong: [] });
    if (name === "listAsks")
      expect(await compare(line, "/api/asks?state=all&limit=500", token)).toEqual({ status: 200, wrong: [] });
  });

  test("[OP18] what is refused is refused as described", async () => {
    token.token = human();
    const refused = async (status: number, address: string, sent: Sent) =>
      expect([address, await compare(line, address, sent)]).toEqual([address, { status, wrong: [] }]);
    const address = addressOf(await freshAsk());
    const good = body === undefined ? {} : { body };
    if (endpoint.needs !== "none") await refused(401, address, good);
    if (endpoint.needs === "human") await refused(403, address, { ...good, token: program.tokens().agent });
    if (endpoint.path.includes(":id")) {
      await refused(404, addressOf("nobody"), { ...good, ...token });
      await refused(400, addressOf("%zz"), { ...good, ...token });
    }
    if (endpoint.body) {
      await refused(400, address, { ...token, body: "{" });
      await refused(413, address, { ...token, body: " ".repeat(MAX_BODY + 1) });
      const schema = operationOf(line).requestBody?.content["application/json"]?.schema ?? {};
      expect(misfits(document, schema, [])).not.toEqual([]);
      await refused(422, address, { ...token, body: [] });
    }
    for (const { name: parameter, in: place, schema } of operationOf(line).parameters ?? []) {
      if (place !== "query" || (schema["type"] === "string" && !schema["enum"])) continue;
      expect(misfits(document, schema, "nonsense")).not.toEqual([]);
      await refused(422, `${address}?${parameter}=nonsense`, { ...good, ...token });
    }
    if (endpoint.method === "POST")
      await refused(400, address, { ...good, ...token, headers: { "idempotency-key": "k".repeat(201) } });
  });
});

test("[OP18] a lost race and a used key are refused as described", async () => {
  const id = await freshAsk();
  const sent = (answers: unknown, key: string) => ({
    token: human(),
    body: { action: "answer", answers },
    headers: { "idempotency-key": key },
  });
  const line = "POST /api/asks/{id}/settle";
  const address = `/api/asks/${id}/settle`;
  expect(await compare(line, address, sent(ANSWER, "a"))).toEqual({ status: 200, wrong: [] });
  expect(await compare(line, address, sent(ANSWER, "b"))).toEqual({ status: 409, wrong: [] });
  expect(await compare(line, address, sent([{ picks: [0] }], "a"))).toEqual({ status: 422, wrong: [] });
});

test("[OP17] live events are as described", async () => {
  const line = `GET ${STREAMS.sse}`;
  const leave = new AbortController();
  const response = await open(program, "socket", line, { token: human(), signal: leave.signal });
  const { content } = operationOf(line).responses["200"] ?? {};
  expect(Object.keys(content ?? {})).toEqual([String(response.headers.get("content-type")?.split(";")[0])]);
  const { events } = await program.client().call("readLog", { query: { limit: 1000 } });
  expect(events.length).toBeGreaterThan(10);
  for (const event of events) expect(misfits(document, { $ref: "#/components/schemas/LogEvent" }, event)).toEqual([]);
  leave.abort();
  const plain = await compare(`GET ${STREAMS.websocket}`, STREAMS.websocket, { token: human() });
  expect(plain).toEqual({ status: 400, wrong: [] });
  for (const path of Object.values(STREAMS)) {
    expect(await compare(`GET ${path}`, path, {})).toEqual({ status: 401, wrong: [] });
    expect(await compare(`GET ${path}`, `${path}?after=x`, { token: human() })).toEqual({ status: 400, wrong: [] });
  }
});
