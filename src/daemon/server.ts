import { ERRORS, ParleyError } from "../core/error.ts";
import { CONTRACT, type Endpoint, type EndpointName, MAX_BODY, STREAMS } from "../protocol/contract.ts";
import type { ErrorBody } from "../protocol/view.ts";
import { checkAccess, type Tokens, type Via } from "./access.ts";
import type { Feed } from "./feed.ts";
import type { Incoming, Routes } from "./routes.ts";
import { createSocketHandlers, type Subscriber } from "./websocket.ts";
import { eventStream } from "./sse.ts";

type Deps = { routes: Routes; feed: Feed; tokens: Tokens; log: (message: string, error: unknown) => void };
type Where = { via: "socket"; path: string } | { via: "port"; port: number };
type Server = Bun.Server<Subscriber>;

/** One server on the private socket or on a loopback port; both speak the whole contract. */
export function listen({ routes, feed, tokens, log }: Deps, where: Where): Server {
  const matchers = (Object.keys(CONTRACT) as EndpointName[]).map((name) => ({ name, ...matcher(CONTRACT[name]) }));
  const address = where.via === "socket" ? { unix: where.path } : { hostname: "127.0.0.1", port: where.port };
  return Bun.serve<Subscriber>({
    ...address,
    maxRequestBodySize: MAX_BODY,
    idleTimeout: 30,
    fetch: (request, server) => answer(request, server).catch((error: unknown) => failed(error)),
    error: failed,
    websocket: createSocketHandlers(feed),
  } as Bun.Serve.Options<Subscriber>);

  async function answer(request: Request, server: Server): Promise<Response> {
    const url = new URL(request.url);
    const access = (needs: Endpoint["needs"]) => checkAccess(request, needs, where.via, tokens, server.port);
    if (url.pathname === STREAMS.sse || url.pathname === STREAMS.websocket) {
      access("human");
      return stream(request, url, server);
    }
    const found = matchers.find(({ method, pattern }) => method === request.method && pattern.test(url.pathname));
    access(found ? CONTRACT[found.name].needs : "none");
    if (!found) throw new ParleyError("not_found", `No ${request.method} ${url.pathname}`);
    if (found.name.startsWith("hook")) refuseOnPort(where.via);
    if (found.name === "hookCall" || found.name === "receiveAnswer") server.timeout(request, 0);
    const input = {
      ...(await read(found.name, request, url)),
      id: decodeURIComponent(found.pattern.exec(url.pathname)?.[1] ?? ""),
      gone: request.signal,
    };
    const route = routes[found.name] as (input: Incoming<EndpointName>) => Promise<unknown>;
    return Response.json(await route(input as Incoming<EndpointName>));
  }

  function stream(request: Request, url: URL, server: Server): Response {
    const after = Number(request.headers.get("last-event-id") ?? url.searchParams.get("after") ?? 0);
    if (!Number.isSafeInteger(after) || after < 0) throw new ParleyError("usage", "after: a sequence number is needed");
    server.timeout(request, 0);
    if (url.pathname === STREAMS.sse) return eventStream(feed, after, request.signal);
    if (server.upgrade(request, { data: { after } })) return new Response(null);
    throw new ParleyError("usage", "This address speaks WebSocket");
  }

  function failed(error: unknown): Response {
    const known =
      error instanceof ParleyError ? error : new ParleyError("internal", messageOf(error), { cause: error });
    if (known.code === "internal") log("request failed", error);
    const { code, message, problems, details } = known;
    const body: ErrorBody = { error: { code, message, problems: [...problems], details } };
    return Response.json(body, { status: ERRORS[code].status });
  }
}

function matcher({ method, path }: Endpoint): { method: string; pattern: RegExp } {
  return { method, pattern: new RegExp(`^${path.replace(":id", "([^/]+)")}$`) };
}

async function read(name: EndpointName, request: Request, url: URL) {
  const { query, body }: Endpoint = CONTRACT[name];
  const once = request.headers.get("idempotency-key") ?? undefined;
  if (once !== undefined && once.length > 200)
    throw new ParleyError("usage", "Idempotency-Key: at most 200 characters");
  return {
    once,
    query: query ? parse(query, Object.fromEntries(url.searchParams), "query") : {},
    body: body ? parse(body, await json(request), "body") : undefined,
  };
}

async function json(request: Request): Promise<unknown> {
  const text = await request.text();
  if (Buffer.byteLength(text) > MAX_BODY) throw new ParleyError("too_large", `A body has at most ${MAX_BODY} bytes`);
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch (error) {
    throw new ParleyError("usage", `The body is not JSON: ${messageOf(error)}`);
  }
}

function parse(schema: NonNullable<Endpoint["body"]>, value: unknown, where: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({ field: [where, ...path].join("."), message }));
  throw new ParleyError("invalid", problems.map(({ field, message }) => `${field}: ${message}`).join("; "), {
    problems,
  });
}

/** Hooks carry answers to agents; only the private socket is theirs. */
function refuseOnPort(via: Via): void {
  if (via === "port") throw new ParleyError("forbidden", "Hooks speak over the private socket only");
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
