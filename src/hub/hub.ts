import { ERRORS, ParleyError } from "../core/error.ts";
import type { ToldTrust } from "../core/hub-trust.ts";
import { isLoopback } from "../machine/hub-url.ts";
import type { Log } from "../machine/log.ts";
import { HUB_PATHS, LINK_TAKES } from "../protocol/hub/hub.ts";
import type { PageFiles } from "../protocol/page-file.ts";
import type { HubRecords } from "../store/hub/records.ts";
import { bearer, bodyOf, createAskViews } from "./ask-views.ts";
import { createClaimRoutes } from "./claim-routes.ts";
import { digestOf } from "./digest.ts";
import { createDoor } from "./door.ts";
import { type LinkData, newLine } from "./line/line.ts";
import { createLinks } from "./line/links.ts";
import { seesProjects } from "./may.ts";
import { createHubMetrics } from "./metrics.ts";
import { createHubNews, tellingRecords } from "./news.ts";
import { createLookRoutes } from "./look-routes.ts";
import { createHubPace } from "./pace.ts";
import { createHubPage } from "./page.ts";
import { createHubPush, type HubPushOptions } from "./push.ts";
import { callerOf, type Proxies, trustedProxies } from "./proxy.ts";
import { createHubRoutes } from "./routes.ts";
import { createRuleRoutes } from "./rule-routes.ts";
import { COME_AGAIN_SECONDS, createStrangers } from "./line/strangers.ts";
import { createTaskRoutes } from "./task-routes.ts";

/** For what was taken, once no new connection is. */
const FINISH_MS = 5000;
/** What a request waits for may take so long, a database that is away too: Bun would end it after ten without a word. */
const REQUEST_SECONDS = 120;
/** Whoever asks whether it can work waits no longer; a database that says nothing until then is not there. */
const READY_MS = 3000;
const MAX_BODY = 1024 * 1024;
const NO_PROXIES = trustedProxies([]);
const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export type HubOptions = {
  records: HubRecords;
  listen: { host: string; port: number };
  tls?: { cert: string; key: string };
  /** Only what comes from these is believed about who asks; others are refused where it could be listened in on. */
  proxies?: Proxies;
  /** Also for others than the proxies: somebody said so. */
  plain?: boolean;
  version: string;
  now: () => number;
  log: Log;
  /** The page for browsers; without it there is only the API. */
  files: PageFiles;
  /** Where people open it: a host name, for passkeys. Undefined: `localhost` where only this machine comes, else nowhere. */
  page?: string | undefined;
  /** How long somebody is on a question before that ends by itself. */
  claimMs: number;
  push?: HubPushOptions | undefined;
};
export type Hub = {
  url: string;
  page: string | undefined;
  /** Says that it will end to whoever asks whether to send it something. What comes nevertheless is served. */
  retire(): void;
  /** `hurry`: from then on nothing that was taken is waited for. */
  stop(hurry?: Promise<unknown>): Promise<void>;
};

/** A hub in this process. It keeps nothing that is not in its records: any number of them may have the same ones. */
export function startHub({ listen, tls, version, now, log, files, claimMs, ...given }: HubOptions): Hub {
  const { proxies, plain = false } = given;
  const records = tellingRecords(given.records, (machine) => (news.tell(machine), pace.wake(machine)));
  const links = createLinks({ records, now, log, trust });
  const strangers = createStrangers({ now, log });
  const metrics = createHubMetrics({ records, version, now, links, strangers, waiting: () => news.waiting() });
  let isLeaving = false;
  let stopping: Promise<void> | undefined;

  async function trust(): Promise<ToldTrust> {
    const rpId = new URL(origin ?? "http://localhost").hostname;
    return {
      keys: (await records.memberKeys()).map((key) => ({ ...key, rpId })),
      policies: await records.policies(),
    };
  }

  async function respond(request: Request, server: Bun.Server<LinkData>): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") return json({ parley: version, hub: true, pid: process.pid });
    if (pathname === "/ready") return isReady();
    const from = server.requestIP(request)?.address ?? "";
    const caller = callerOf(from, request.headers, tls !== undefined, proxies ?? NO_PROXIES);
    if (proxies && !plain && !caller.isSecure)
      throw new ParleyError("forbidden", "This hub is reached through its proxy, by https");
    if (pathname === "/metrics" && request.method === "GET") return scrape(request);
    if (pathname === HUB_PATHS.link) {
      if (stopping) return json({ error: { code: "hub_away", message: "The hub ends" } }, 503);
      const free = strangers.enter(caller.address);
      if (!free) return tooMany();
      const canWithdraw = request.headers.get(LINK_TAKES.header) === LINK_TAKES.withdraw;
      const data = newLine({ token: digestOf(bearer(request)), address: caller.address, canWithdraw, free });
      if (server.upgrade(request, { data })) return undefined;
      free();
      return json({ error: { code: "usage", message: "A machine connects here by WebSocket" } }, 400);
    }
    if (pathname === HUB_PATHS.news && request.method === "POST") {
      // It is held until there is something; Bun would end it before.
      server.timeout(request, 0);
      const { cursor } = ((await bodyOf(request)) ?? {}) as { cursor?: unknown };
      return json(await news.news(request, cursor));
    }
    const result =
      (await claims(request)) ??
      (await looking(request)) ??
      (await rules(request)) ??
      (await push.handle(request)) ??
      (await tasks(request)) ??
      (await handle(request));
    if (result) return json(result);
    const found = (await door(request)) ?? (await page(request));
    if (found) return found;
    throw new ParleyError("not_found", `No ${request.method} ${pathname}`);
  }

  /** For any token that is not limited to a project: they are counts alone. */
  async function scrape(request: Request): Promise<Response> {
    const who = await records.actor(digestOf(bearer(request)), now());
    if (!who)
      throw new ParleyError(
        "unauthorized",
        "Metrics are read with a token: parley hub token --member NAME --role viewer",
      );
    if (seesProjects(who) !== null)
      throw new ParleyError("forbidden", "Metrics are of all projects, this token is of one");
    const type = "text/plain; version=0.0.4; charset=utf-8";
    return new Response(await metrics.text(), { headers: { ...HEADERS, "content-type": type } });
  }

  let looked: Promise<boolean> | undefined;

  async function isReady(): Promise<Response> {
    const why = isLeaving ? "the hub ends" : (await isThere()) ? undefined : "the database does not answer";
    const ready = why === undefined;
    return json({ ready, ...(!ready && { why }), machines: links.count() }, ready ? 200 : 503);
  }

  /** One look for all who ask: it is patient with a database that is away. */
  function isThere(): Promise<boolean> {
    looked ??= records
      .isThere()
      .catch(() => false)
      .finally(() => (looked = undefined));
    return Promise.race([looked, Bun.sleep(READY_MS).then(() => false)]);
  }

  const server = Bun.serve<LinkData>({
    hostname: listen.host,
    port: listen.port,
    ...(tls && { tls: { cert: tls.cert, key: tls.key } }),
    maxRequestBodySize: MAX_BODY,
    websocket: links.handlers,
    async fetch(request, self) {
      self.timeout(request, REQUEST_SECONDS);
      const response = await respond(request, self).catch((error: unknown) => refusal(error));
      metrics.answered(response?.status ?? 101);
      // Whoever keeps the connection would come here again.
      if (isLeaving) response?.headers.set("connection", "close");
      return response;
    },
  });

  const scheme = tls ? "https" : "http";
  const isHere = isLoopback(listen.host);
  const origin = given.page ?? (isHere ? `${scheme}://localhost:${server.port}` : undefined);
  // Ports of a machine share their cookies: each hub has a name of its own.
  const cookie = `parley-hub-${digestOf(origin ?? "").slice(0, 8)}`;
  const views = createAskViews({ records, now, cookie });
  const news = createHubNews({ records, views });
  const handle = createHubRoutes({ records, now, wake: links.wake, isHere: links.isHere, views, trust });
  const claims = createClaimRoutes({ records, now, views, claimMs });
  const tasks = createTaskRoutes({ records, now, views, wake: links.wake });
  const looking = createLookRoutes({ records, now, views });
  const rules = createRuleRoutes({ records, now, views });
  const options = given.push ?? { text: false, anywhere: false };
  const push = createHubPush({ records, views, now, log, options, answer: handle });
  const pace = createHubPace({ records, now, log, sendDue: push.sendDue });
  const door = createDoor({ records, views, now, origin, cookie });
  const page = createHubPage({ files, records, now, origin, cookie });

  function refusal(error: unknown): Response {
    const known = error instanceof ParleyError ? error : new ParleyError("internal", "Something went wrong in the hub");
    if (known !== error) log("error", "a request failed", { error: String(error) });
    const { code, message, problems, details } = known;
    return json({ error: { code, message, problems, details } }, ERRORS[code].status);
  }

  /** What was taken is finished; machines are told to come again. */
  async function end(hurry: Promise<unknown>): Promise<void> {
    isLeaving = true;
    news.stop();
    const paced = pace.stop();
    const finished = server.stop();
    await Promise.race([Promise.all([links.stop(), finished, paced]), Bun.sleep(FINISH_MS), hurry]);
    // What still waits for a database that is away would keep it.
    await Promise.race([server.stop(true), Bun.sleep(FINISH_MS), hurry]);
    // Where the database is away what it was asked for is waited for longer than anybody here waits.
    await Promise.race([records.close(), Bun.sleep(FINISH_MS), hurry]);
  }

  const host = listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  return {
    url: `${scheme}://${host}:${server.port}`,
    page: origin,
    retire: () => void (isLeaving = true),
    stop: (hurry = Promise.withResolvers().promise) => (stopping ??= end(hurry)),
  };
}

/** A machine takes it for a hub that is away: it waits longer each time, and comes again. */
function tooMany(): Response {
  const reply = json({ error: { code: "hub_away", message: "Too many dial at once: come again" } }, 503);
  reply.headers.set("retry-after", String(COME_AGAIN_SECONDS));
  return reply;
}

const json = (value: object, status = 200): Response => Response.json(value, { status, headers: HEADERS });
