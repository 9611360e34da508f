import { CONTRACT, STREAMS } from "./contract.ts";
import type { Endpoint } from "./endpoint.ts";
import { errorResponse, errorResponses } from "./openapi-errors.ts";
import { inputSchema, type Json, querySchemas, sentSchemas } from "./openapi-schemas.ts";

const NOTE = `See, settle, make and follow what coding agents ask. The program itself speaks this API.

It is served on the loopback port and on the private socket in PARLEY_HOME. The tokens are in PARLEY_HOME/daemon.json:
\`agent\` may ask and receive its own answers, \`human\` may see and settle everything. On the port a foreign Host or
Origin is refused. What carries \`x-internal\` is between the parts of the program, on the socket only, and changes with
them. Readers let pass fields they do not know.`;
const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description: "Sent again with the same key, a request has one effect",
  schema: { type: "string", maxLength: 200 },
};
const PREFER = {
  name: "Prefer",
  in: "header",
  description: "With `return=minimal` the answer is the short one",
  schema: { type: "string" },
};
const AFTER = { name: "after", in: "query", schema: { type: "integer", minimum: 0, default: 0 } };

/** The contract as OpenAPI 3.1. */
export function describeApi(version: string): Json & { openapi: string; info: Json; paths: Json } {
  const { shared, results } = sentSchemas();
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(CONTRACT)) {
    const path = endpoint.path.replace(":id", "{id}");
    const result = results[name] ?? {};
    const { brief } = endpoint;
    const described = operation(name, endpoint, brief ? { anyOf: [result, inputSchema(brief)] } : result);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: described };
  }
  paths[STREAMS.sse] = { get: eventStream() };
  paths[STREAMS.websocket] = { get: webSocket() };
  return {
    openapi: "3.1.0",
    info: { title: "Parley", version, description: NOTE, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "http://127.0.0.1:{port}", variables: { port: { default: "4747" } } }],
    paths,
    components: {
      schemas: shared,
      securitySchemes: {
        human: { type: "http", scheme: "bearer", description: "tokens.human in PARLEY_HOME/daemon.json" },
        agent: { type: "http", scheme: "bearer", description: "tokens.agent in PARLEY_HOME/daemon.json" },
      },
    },
  };
}

function operation(name: string, endpoint: Endpoint, result: Json): Json {
  const { method, path, needs, about, query, body, brief, text = "application/json" } = endpoint;
  const parameters = [
    ...(path.includes(":id") ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }] : []),
    // Every one of them has a default or may be left out.
    ...Object.entries(query ? querySchemas(query) : {}).map(([of, schema]) => ({ name: of, in: "query", schema })),
    ...(method === "POST" ? [IDEMPOTENCY_KEY] : []),
    ...(brief ? [PREFER] : []),
  ];
  return {
    operationId: name,
    summary: about,
    ...(path.startsWith("/hook/") && { "x-internal": true }),
    security: securityOf(needs),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { "application/json": { schema: inputSchema(body) } } } }),
    responses: {
      // Named without its parameters, as media types are here.
      200: { description: "Done", content: { [text.split(";")[0] ?? text]: { schema: result } } },
      ...errorResponses(endpoint),
    },
  };
}

function eventStream(): Json {
  const lastSeen = { name: "Last-Event-ID", in: "header", schema: { type: "integer", minimum: 0 } };
  const content = { "text/event-stream": { schema: { type: "string" } } };
  return {
    operationId: "events",
    summary: "Live events after `after`, as server-sent events; none is missed",
    security: securityOf("human"),
    parameters: [AFTER, lastSeen],
    responses: { 200: { description: "The `data` of each is a LogEvent", content }, ...streamErrors() },
  };
}

function webSocket(): Json {
  return {
    operationId: "socket",
    summary: "The same over WebSocket; each message is a LogEvent",
    security: securityOf("human"),
    parameters: [AFTER],
    responses: { 101: { description: "Speaks WebSocket from here on" }, ...streamErrors() },
  };
}

function streamErrors(): Json {
  return {
    400: errorResponse("usage"),
    401: errorResponse("unauthorized"),
    403: errorResponse("forbidden"),
    500: errorResponse("internal"),
  };
}

function securityOf(needs: Endpoint["needs"]): Json[] {
  return { none: [], agent: [{ agent: [] }, { human: [] }], human: [{ human: [] }] }[needs];
}
