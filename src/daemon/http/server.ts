import { isLater } from "../../machine/time/later.ts";
import { ERRORS, ParleyError } from "../../core/error.ts";
import { jsonLine } from "../../core/text/json-line.ts";
import { orNoRoom } from "../../core/unwritable.ts";
import { CONTRACT, type EndpointName, STREAMS } from "../../protocol/contract.ts";
import type { Endpoint } from "../../protocol/endpoint.ts";
import { LINK } from "../../protocol/address.ts";
import { LinkHello } from "../../protocol/link.ts";
import { PAGE_KEY } from "../../protocol/page-key.ts";
import type { ErrorBody } from "../../protocol/view.ts";
import { WHO_MAY, type Changing } from "../../protocol/who-may.ts";
import { checkAccess, type Door, type Via } from "./access.ts";
import { type Caller, type Callers, NOBODY, refuseAgents } from "../../inbox/callers.ts";
import type { Remote } from "../../delivery/remote/remote.ts";
import type { Feed } from "./feed.ts";
import { boundedError } from "./json-bounds.ts";
import { isTakenInside, NOT_FROM_INSIDE, type Rules } from "./container/inside.ts";
import { linkStream } from "./link-stream.ts";
import type { Page } from "./page.ts";
import { bodyOf, checked, readRequest, textOf } from "./read-request.ts";
import { Arrived, type Incoming, type Routes } from "./routes/route.ts";
import { createSocketHandlers, type Subscriber } from "./websocket.ts";
import { eventStream } from "./sse.ts";

type Deps = {
  routes: Routes;
  feed: Feed;
  door: Door;
  callers: Callers;
  page: Page;
  remote: Remote;
  /** Where all is kept. */
  home: string;
  /** The daemon is going away: streams end, so that nobody holds it up. */
  ending: AbortSignal;
  log: (message: string, error: unknown) => void;
  /** Who comes over the network with the token of a container. */
  fromContainer: (request: Request) => Rules | undefined;
  /** Does this connection to the port come from inside a sandbox? */
  isFromSandbox: (peer: { port: number } | null, port: number | undefined) => boolean;
  onRequest: (what: { via: Via; method: string; path: string; status: number; ms: number }) => void;
};
type Where =
  | { via: "socket"; path: string }
  | { via: "port"; port: number; bind: string }
  /** In the sandbox of a task, or in a container. */
  | { via: "inside"; path: string; rules: Rules };
type Server = Bun.Server<Subscriber>;
type About = { method: string; path: string; since: number };
/** What a route will say, in a box: whoever waits for that keeps nothing else. */
type Working = { name: EndpointName; working: Promise<unknown> };

/** They may take as long as a person does. */
const WAITS: ReadonlySet<EndpointName> = new Set(["hookCall", "receiveAnswer", "notifyTest"]);
const JSON_TYPE = { "content-type": "application/json;charset=utf-8" };

/** One server on the private socket or on a loopback port; both speak the whole contract. */
export function listen(
  { routes, feed, door, callers, page, remote, home, ending, log, fromContainer, isFromSandbox, onRequest }: Deps,
  where: Where,
): Server {
  const matchers = (Object.keys(CONTRACT) as EndpointName[]).map((name) => ({ name, ...matcher(CONTRACT[name]) }));
  const byAddress = new Map(matchers.map((each) => [`${each.method} ${CONTRACT[each.name].path}`, each]));
  const address = where.via === "port" ? { hostname: where.bind, port: where.port } : { unix: where.path };
  return Bun.serve<Subscriber>({
    ...address,
    // Bun's own limit answers without a word of why; `read` has one that speaks, and does not buffer either.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // `server.timeout` is without effect on a socket (Bun 1.4.4): there a line may be silent for as long as anybody may wait, and longer.
    idleTimeout: where.via === "port" ? 10 : 120,
    fetch(request, server) {
      const url = URL.parse(request.url);
      return concluded(answer(request, url, server), request, url?.pathname ?? "");
    },
    error: failed,
    websocket: createSocketHandlers(feed),
  } as Bun.Serve.Options<Subscriber>);

  async function concluded(working: ReturnType<typeof answer>, request: Request, path: string): Promise<Response> {
    const about = { method: request.method, path, since: performance.now() };
    try {
      const first = await working;
      if (first instanceof Response) return told(about, first);
      const result = await first.working;
      if (isLater(result)) return held(about, first.name, result.later, request.signal);
      return told(about, responseOf(first.name, result));
    } catch (error) {
      // Who left in the middle of a request is no error, and hears nothing any more.
      return told(about, request.signal.aborted ? new Response(null) : failed(error));
    }
  }
  function told({ since, ...about }: About, response: Response): Response {
    onRequest({ via: where.via, ...about, status: response.status, ms: Math.round(performance.now() - since) });
    return response;
  }

  /** Apart from what reads the request: while a person thinks, nothing of that is kept. */
  async function held(about: About, name: EndpointName, working: Promise<unknown>, gone: AbortSignal) {
    try {
      return told(about, responseOf(name, await working));
    } catch (error) {
      return told(about, gone.aborted ? new Response(null) : failed(error));
    }
  }

  async function answer(request: Request, url: URL | null, server: Server): Promise<Response | Working> {
    // With a Host that is none.
    if (!url) throw new ParleyError("usage", "The address is not well formed");
    if (where.via === "inside") return answerInside(request, url, server, where.rules);
    if (where.via === "port" && isFromSandbox(server.requestIP(request), server.port))
      throw new ParleyError("forbidden", NOT_FROM_INSIDE);
    // No page knows such a token, so nothing else needs to be known of where it comes from.
    const container = where.via === "port" ? fromContainer(request) : undefined;
    if (container) return answerInside(request, url, server, container);
    const access = (needs: Endpoint["needs"]) => checkAccess(request, needs, where.via, door, server.port);
    const served = where.via === "port" ? await page(request, url, access) : undefined;
    if (served) return served;
    if (url.pathname === STREAMS.sse || url.pathname === STREAMS.websocket) {
      access("human");
      return stream(request, url, server);
    }
    if (url.pathname === LINK && request.method === "POST") {
      access("agent");
      refuseOnPort(where.via);
      server.timeout(request, 0);
      const hello = checked(LinkHello, bodyOf(await textOf(request)), "body") as LinkHello;
      return linkStream(remote, hello, AbortSignal.any([request.signal, ending]));
    }
    const found = endpointAt(request, url);
    access(found ? CONTRACT[found.name].needs : "none");
    if (!found) throw new ParleyError("not_found", `No ${request.method} ${url.pathname}`);
    if (found.name.startsWith("hook")) refuseOnPort(where.via);
    const caller = isChanging(found.name) || found.name === "caller" ? await callers.of(request) : NOBODY;
    if (isChanging(found.name)) refuseAgents(found.name, caller);
    return done(found, request, url, server, caller);
  }

  function endpointAt({ method: wanted }: Request, { pathname }: URL) {
    const exact = byAddress.get(`${wanted} ${pathname}`);
    return exact ?? matchers.find(({ method, pattern }) => method === wanted && pattern.test(pathname));
  }

  /** No page, no stream and no token: whoever reaches this door is an agent behind it, whatever they bring. */
  async function answerInside(request: Request, url: URL, server: Server, rules: Rules): Promise<Response | Working> {
    const found = endpointAt(request, url);
    if (!found || !isTakenInside(found.name)) throw new ParleyError("forbidden", NOT_FROM_INSIDE);
    return done(found, request, url, server, await rules.caller(), (input) => rules.checked(found.name, input));
  }

  async function done(
    found: (typeof matchers)[number],
    request: Request,
    url: URL,
    server: Server,
    caller: Caller,
    check?: (input: Incoming<EndpointName>) => Promise<Incoming<EndpointName>>,
  ): Promise<Working> {
    if (WAITS.has(found.name)) server.timeout(request, 0);
    const { once, query, body, isBrief } = await readRequest(found.name, request, url);
    const browser = where.via === "port" ? door.browserOf(request) : undefined;
    const id = found.hasId ? decoded(found.pattern.exec(url.pathname)?.[1] ?? "") : "";
    const over = found.name === "receiveAnswer" ? ending : undefined;
    const input = new Arrived(
      { once, query, body, caller, browser, id, isBrief },
      request,
      over,
    ) as Incoming<EndpointName>;
    const route = routes[found.name] as (input: Incoming<EndpointName>) => Promise<unknown>;
    // Whoever checks it makes another one of it.
    return { name: found.name, working: route(check ? await check({ ...input, gone: input.gone }) : input) };
  }

  function stream(request: Request, url: URL, server: Server): Response {
    const after = Number(request.headers.get("last-event-id") ?? url.searchParams.get("after") ?? 0);
    if (!Number.isSafeInteger(after) || after < 0) throw new ParleyError("usage", "after: expected a sequence number");
    server.timeout(request, 0);
    const signedOut = door.signedIn(request);
    const over = signedOut ? AbortSignal.any([ending, signedOut]) : ending;
    if (url.pathname === STREAMS.sse) return eventStream(feed, after, AbortSignal.any([request.signal, over]));
    const data = { after, over, left: new AbortController() };
    if (server.upgrade(request, { data, headers: chosenProtocol(request) })) return new Response(null);
    throw new ParleyError("usage", "This address speaks WebSocket");
  }

  function failed(cause: unknown): Response {
    // Whatever was to be written, wherever: a full disk is one, not a mistake of ours.
    const error = orNoRoom(cause, home);
    const known =
      error instanceof ParleyError ? error : new ParleyError("internal", messageOf(error), { cause: error });
    if (known.code === "internal") log("request failed", error);
    const { code, details } = known;
    const body: ErrorBody = { error: { code, ...boundedError(known.message, known.problems), details } };
    // The rest of a body nobody reads would keep the connection, and a daemon that wants to end, waiting.
    const headers = code === "too_large" ? { headers: { connection: "close" } } : {};
    return jsonResponse(body, { status: ERRORS[code].status, ...headers });
  }
}

/** A browser that offers protocols hangs up unless one of them is chosen; the other one it offers is its key. */
function chosenProtocol(request: Request): Record<string, string> {
  const offered = (request.headers.get("sec-websocket-protocol") ?? "").split(/, */);
  return offered.includes(PAGE_KEY.protocol) ? { "sec-websocket-protocol": PAGE_KEY.protocol } : {};
}

function responseOf(name: EndpointName, result: unknown): Response {
  const { text: type }: Endpoint = CONTRACT[name];
  return type ? new Response(String(result), { headers: { "content-type": type } }) : jsonResponse(result);
}

/** Also for who looks at it with curl in a terminal. */
function jsonResponse(
  body: unknown,
  { status = 200, headers }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(jsonLine(body), { status, headers: headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE });
}

const isChanging = (name: EndpointName): name is Changing => Object.hasOwn(WHO_MAY, name);

function matcher({ method, path }: Endpoint): { method: string; pattern: RegExp; hasId: boolean } {
  return { method, pattern: new RegExp(`^${path.replace(":id", "([^/]+)")}$`), hasId: path.includes(":id") };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ParleyError("usage", `The address is not well formed: ${part}`);
  }
}

/** Hooks carry answers to agents; only the private socket is theirs. */
function refuseOnPort(via: Via): void {
  if (via === "port") throw new ParleyError("forbidden", "Hooks speak over the private socket only");
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
