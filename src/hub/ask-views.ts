import { ParleyError } from "../core/error.ts";
import { safeLine } from "../core/text/text.ts";
import { type HubAskView, type HubSettlement, type IntentView, type RouteView, SILENCE_MS } from "../protocol/hub.ts";
import { PAGE_KEY } from "../protocol/page-key.ts";
import type { AskView } from "../protocol/view.ts";
import type { HubClaim } from "../store/hub-claims.ts";
import type { HubLook } from "../store/hub-looks.ts";
import type { HubRouted } from "../store/hub-routing.ts";
import type { HubActor, HubAsk, HubIntent, HubRecords } from "../store/hub-records.ts";
import { digestOf } from "./digest.ts";
import { seesProjects } from "./may.ts";

/** What is kept beside Asks: who is on them, whom they go to, who looks. */
type Beside = { claims: readonly HubClaim[]; routed: ReadonlyMap<string, HubRouted>; looks: readonly HubLook[] };
export type Acting = HubActor & { token: string };
export type AskViews = ReturnType<typeof createAskViews>;

/** Who acts, and what they see of Asks: one way for tokens and for browsers. */
export function createAskViews({ records, now, cookie }: { records: HubRecords; now: () => number; cookie: string }) {
  const isOnline = ({ link, seenAt }: { link: string | null; seenAt: number }) =>
    link !== null && now() - seenAt < SILENCE_MS;

  async function actor(request: Request): Promise<Acting> {
    const token = digestOf(shownBy(request, cookie));
    const found = await records.actor(token, now());
    if (!found)
      throw new ParleyError("unauthorized", "This token is unknown here, has ended, or its member was revoked");
    return { ...found, token };
  }

  async function beside(asks: readonly HubAsk[]): Promise<Beside> {
    const ids = asks.map(({ view }) => String(view["id"]));
    if (ids.length === 0) return { claims: [], routed: new Map(), looks: [] };
    const [claims, routed, looks] = await Promise.all([
      records.claims(now()),
      records.routed(ids),
      records.looks(now()),
    ]);
    return { claims, routed: new Map(routed.map((each) => [`${each.machine} ${each.ask}`, each])), looks };
  }

  function viewOf({ machine, view, intent }: HubAsk, { claims, routed, looks }: Beside): HubAskView {
    const { id, name, seenAt } = machine;
    const ask = view as AskView;
    const isThis = (each: { machine: string; ask: string }) => each.machine === id && each.ask === ask.id;
    const claim = ask.state === "open" && claims.find(isThis);
    const route = routed.get(`${id} ${ask.id}`);
    const looking = looks.filter(isThis).map((each) => ({ id: each.member, member: each.name }));
    return {
      ...ask,
      machine: { id, name, online: isOnline(machine), seenAt },
      ...(intent && { intent: intentView(intent) }),
      ...(claim && {
        claim: {
          member: claim.name,
          id: claim.member,
          at: claim.at,
          until: claim.until,
          ...(claim.by !== null && { by: claim.by }),
        },
      }),
      ...(route && { route: routeView(route) }),
      ...(looking.length > 0 && { looking }),
    };
  }

  async function find(prefix: string, who: HubActor): Promise<HubAsk> {
    const projects = seesProjects(who);
    const [ask, ...others] = /^[a-z0-9]{1,40}$/.test(prefix) ? await records.asksLike(prefix, projects) : [];
    if (!ask) throw new ParleyError("not_found", `No question "${safeLine(prefix, { max: 40 })}" in this hub`);
    if (others.length > 0) throw new ParleyError("ambiguous", `"${prefix}" matches several questions`);
    return ask;
  }

  return {
    actor,
    find,
    isOnline,
    async views(asks: readonly HubAsk[]): Promise<HubAskView[]> {
      const more = await beside(asks);
      return asks.map((ask) => viewOf(ask, more));
    },
    async view(ask: HubAsk): Promise<HubAskView> {
      return viewOf(ask, await beside([ask]));
    },
  };
}

const routeView = ({ steps, step, reminded, people, since, dueAt }: HubRouted): RouteView => ({
  steps: steps.map(({ type, name }) => ({ type, name })),
  step,
  reminded,
  people: people.map(({ id, name }) => ({ id, member: name })),
  since,
  ...(dueAt !== null && dueAt > 0 && { next: dueAt }),
});

export const bearer = (request: Request): string =>
  /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";

/** A script's token; or a browser's cookie together with what only our page has, each worth nothing without the other. */
export function shownBy(request: Request, cookie: string): string {
  const key = request.headers.get(PAGE_KEY.header);
  if (key === null) return bearer(request);
  return `${cookieOf(request, cookie)}.${key}`;
}

export function cookieOf(request: Request, name: string): string {
  const cookies = (request.headers.get("cookie") ?? "").split("; ");
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}

export const intentView = ({ state, name, at, settlement, detail }: HubIntent): IntentView => ({
  state: state as IntentView["state"],
  member: name,
  at,
  settlement: settlement as HubSettlement,
  ...(detail !== null && { detail }),
});

export async function bodyOf(request: Request): Promise<unknown> {
  return request.json().catch(() => undefined);
}
