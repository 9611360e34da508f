import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CONTRACT, type EndpointName, STREAMS } from "../../src/protocol/contract.ts";
import type { Endpoint } from "../../src/protocol/endpoint.ts";
import { CALLS } from "./api-calls.ts";
import { DOORS, open, question, request, type Sent, type Via } from "./api-request.ts";
import { createProgram, type Program } from "./program.ts";

const names = Object.keys(CONTRACT) as EndpointName[];

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

describe.each(names)("%s", (name) => {
  const { needs, result, text }: Endpoint = CONTRACT[name];
  const isHook = name.startsWith("hook");

  test.each(DOORS)("[P1] without a token it is open only if it needs none (%s)", async (via) => {
    for (const token of [undefined, "", "wrong", `${program.tokens().human}x`]) {
      const reply = await call(name, via, token === undefined ? {} : { token });
      expect([via, token, reply.status]).toEqual([via, token, needs === "none" ? 200 : 401]);
      if (needs !== "none") expect(reply.error.message).toBe("A token is needed: Authorization: Bearer <token>");
    }
  });

  test.each(DOORS)("[P2] the agent's token opens what an agent may do, and nothing else (%s)", async (via) => {
    const reply = await call(name, via, { token: program.tokens().agent });
    if (needs === "human") {
      expect([reply.status, reply.error.message]).toEqual([403, "The agent token does not allow this"]);
    } else if (isHook && via === "port") {
      expect([reply.status, reply.error.message]).toEqual([403, "Hooks speak over the private socket only"]);
    } else {
      expect(reply.status).toBe(CALLS[name].good ?? 200);
      if (reply.status === 200) result.parse(text ? reply.text : reply.body);
    }
  });

  // What ends the daemon comes last, below.
  if (name !== "shutdown")
    test.each(DOORS)("[P3] the human's token opens everything; hooks only on the socket (%s)", async (via) => {
      const reply = await call(name, via, { token: program.tokens().human });
      expect(reply.status).toBe(isHook && via === "port" ? 403 : (CALLS[name].good ?? 200));
      if (reply.status === 200) result.parse(text ? reply.text : reply.body);
    });

  test("[P4] a foreign Host or Origin is refused on the port, with whatever token", async () => {
    const { port } = new URL(program.url());
    const foreign = [
      { host: "evil.example" },
      { host: `evil.example:${port}` },
      { host: "127.0.0.1:1" },
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: `https://127.0.0.1:${port}` },
      { origin: "http://127.0.0.1:1" },
    ];
    for (const headers of foreign) {
      const reply = await call(name, "port", { headers, token: program.tokens().human });
      expect([headers, reply.status, reply.error.code]).toEqual([headers, 403, "forbidden"]);
      expect(reply.error.message).toContain(JSON.stringify(Object.values(headers)[0]));
    }
  });
});

test("[P5] the daemon's own names are no foreign Host or Origin", async () => {
  const { port } = new URL(program.url());
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
    const headers = { host, origin: `http://${host}` };
    expect((await call("status", "port", { headers, token: program.tokens().human })).status).toBe(200);
  }
});

test.each(DOORS)("[P6] live events are for the human's token only (%s)", async (via) => {
  const { agent, human } = program.tokens();
  for (const path of Object.values(STREAMS)) {
    expect((await request(program, via, `GET ${path}`)).status).toBe(401);
    expect((await request(program, via, `GET ${path}`, { token: agent })).status).toBe(403);
  }
  const ending = new AbortController();
  const stream = await open(program, via, `GET ${STREAMS.sse}`, { token: human, signal: ending.signal });
  expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  ending.abort();
  const plain = await request(program, via, `GET ${STREAMS.websocket}`, { token: human });
  expect([plain.status, plain.error.message]).toEqual([400, "This address speaks WebSocket"]);
});

test("[P7] a page of another site gets no live events", async () => {
  for (const path of Object.values(STREAMS)) {
    const headers = { origin: "http://evil.example" };
    const reply = await request(program, "port", `GET ${path}`, { headers, token: program.tokens().human });
    expect([reply.status, reply.error.code]).toEqual([403, "forbidden"]);
  }
});

test("[P8] a token in the address opens nothing", async () => {
  const { human } = program.tokens();
  for (const name of ["token", "access_token", "authorization"])
    expect((await request(program, "port", `GET /api/status?${name}=${human}`)).status).toBe(401);
});

test("[P9] the human's token ends the daemon", async () => {
  const reply = await call("shutdown", "port", { token: program.tokens().human });
  expect([reply.status, reply.body]).toEqual([200, { stopping: true }]);
});

async function call(name: EndpointName, via: Via, sent: Sent) {
  const { method, path }: Endpoint = CONTRACT[name];
  const { body, query = "" } = CALLS[name];
  const address = path.includes(":id") ? path.replace(":id", await newAsk()) : path;
  return request(program, via, `${method} ${address}${query}`, { ...sent, ...(body !== undefined && { body }) });
}

async function newAsk(): Promise<string> {
  const body = { questions: [question()] };
  const { body: ask } = await request(program, "socket", "POST /api/asks", { body, token: program.tokens().agent });
  return String(ask["id"]);
}
