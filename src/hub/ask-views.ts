import { ParleyError } from "../core/error.ts";
import { sentence } from "../core/words/outcome/sentence.ts";
import { ID_LENGTH } from "../core/id.ts";
import { isShallow } from "../core/is-shallow.ts";
import { safeLine } from "../core/text/text.ts";
import { shownText } from "../core/hub-approval.ts";
import { projectName } from "../core/hub-names.ts";
import { needsOf, type Policy } from "../core/hub-policy.ts";
import { type Grant, mayAnswer } from "../core/hub-role.ts";
import {
  HUB_ADDS,
  type HubAskView,
  type HubSettlement,
  type IntentView,
  type RouteView,
  SILENCE_MS,
} from "../protocol/hub/hub.ts";
import { PAGE_KEY } from "../protocol/page-key.ts";
import type { AskView } from "../protocol/view.ts";
import type { HubClaim } from "../store/hub/claims.ts";
import { MOST_LIKE } from "../store/hub/asks.ts";
import type { HubHalf } from "../store/hub/halves.ts";
import type { HubLook } from "../store/hub/looks.ts";
import type { SignedOut } from "../store/hub/member/signed-out.ts";
import type { HubRouted } from "../store/hub/routing.ts";
import type { HubActor, HubAsk, HubIntent, HubRecords } from "../store/hub/records.ts";
import { digestOf } from "./digest.ts";
import { seesProjects } from "./may.ts";

/** What is kept beside Asks: who is on them, whom they go to, who looks, and what two have to agree on. */
type Besides = {
  claims: readonly HubClaim[];
  policies: readonly Policy[];
  halves: readonly HubHalf[];
  routed: ReadonlyMap<string, HubRouted>;
  /** What members may do, where something goes to somebody. */
  grants: ReadonlyMap<string, readonly Grant[]>;
  looks: readonly HubLook[];
};
const SIGNED_OUT: Readonly<Record<SignedOut["why"], (name: string) => string>> = {
  removed: (name) => `${name} was removed from this hub by an admin.`,
  ended: () => "This browser was signed out by an admin of the hub.",
  own: () => "This browser was signed out in another browser of yours.",
};
export type Acting = HubActor & { token: string };
export type AskViews = ReturnType<typeof createAskViews>;

/** Who acts, and what they see of Asks: one way for tokens and for browsers. */
export function createAskViews({ records, now, cookie }: { records: HubRecords; now: () => number; cookie: string }) {
  const isOnline = ({ link, seenAt }: { link: string | null; seenAt: number }) =>
    link !== null && now() - seenAt < SILENCE_MS;

  async function actor(request: Request): Promise<Acting> {
    const token = digestOf(shownBy(request, cookie));
    const found = await records.actor(token, now());
    if (!found) throw await refusalOf(request, token);
    return { ...found, token };
  }

  /** Why, to whoever has both halves of what a browser was signed in with; to others no more than that. */
  async function refusalOf(request: Request, token: string): Promise<ParleyError> {
    const out = request.headers.has(PAGE_KEY.header) ? await records.whySignedOut(token) : undefined;
    if (out) return new ParleyError("signed_out", SIGNED_OUT[out.why](safeLine(out.name, { max: 120 })));
    return new ParleyError("unauthorized", "This token is unknown here, has ended, or its member was revoked");
  }

  /** What views are made of beside the Asks, read after them: what comes later is told once more. */
  async function besides(asks: readonly HubAsk[]): Promise<Besides> {
    const ids = asks.filter(({ isPlain }) => !isPlain).map(({ view }) => String(view["id"]));
    if (ids.length === 0)
      return { claims: [], policies: [], halves: [], routed: new Map(), grants: new Map(), looks: [] };
    const [claims, policies, halves, routed, looks] = await Promise.all([
      records.claims(now()),
      records.policies(),
      records.halves(ids),
      records.routed(ids),
      records.looks(now()),
    ]);
    const byAsk = new Map(routed.map((each) => [`${each.machine} ${each.ask}`, each]));
    const people = routed.length > 0 ? await records.peopleNow(now()) : [];
    const grants = new Map(people.map((person) => [person.id, person.grants]));
    return { claims, policies, halves, routed: byAsk, grants, looks };
  }

  function viewOf({ machine, view, intent }: HubAsk, beside: Besides): HubAskView {
    const { claims, policies, halves, routed, grants, looks } = beside;
    const { id, name, seenAt } = machine;
    const ask = toldOf(view);
    const isThis = (each: { machine: string; ask: string }) => each.machine === id && each.ask === ask.id;
    const of = halves.filter(isThis);
    const needs = ask.state === "open" ? needsOf(policies, ask) : { two: false, signed: false };
    const waiting = needs.two ? of.filter((half) => half.n === 0 && half.shown === digestOf(shownText(ask))) : [];
    const claim = ask.state === "open" && claims.find(isThis);
    const route = routed.get(`${id} ${ask.id}`);
    // While it is open: whom it was asked of and who may not answer it any more is not waited for.
    const isThere = (member: string) => ask.state !== "open" || grants.has(member);
    const isAsked = (member: string) => ask.state !== "open" || mayAnswer(grants.get(member) ?? [], ask);
    const looking = looks.filter(isThis).map((each) => ({ id: each.member, member: each.name }));
    return {
      ...ask,
      // How long it has waited is no news of its machine's.
      ...(!ask.outcome && { sentence: sentence(ask, ask.agentTitle, now()) }),
      machine: { id, name, online: isOnline(machine), seenAt },
      ...(intent && { intent: intentView(intent, of) }),
      ...((needs.two || needs.signed) && { needs }),
      ...(waiting.length > 0 && { halves: waiting.map(halfView) }),
      ...(claim && {
        claim: {
          member: claim.name,
          id: claim.member,
          at: claim.at,
          until: claim.until,
          ...(claim.by !== null && { by: claim.by }),
        },
      }),
      ...(route && { route: routeView(route, isThere, isAsked) }),
      ...(looking.length > 0 && { looking }),
    };
  }

  async function find(prefix: string, who: HubActor): Promise<HubAsk> {
    return one(prefix, isPrefix(prefix) ? await records.asksLike(prefix, seesProjects(who)) : []);
  }

  function one(prefix: string, found: readonly HubAsk[]): HubAsk {
    // Who says the whole id means that one: another machine may have named its own so that they begin with it.
    const whole = prefix.length === ID_LENGTH ? found.find(({ view }) => view["id"] === prefix) : undefined;
    const [ask, ...others] = whole ? [whole] : found;
    if (!ask) throw new ParleyError("not_found", `No question "${safeLine(prefix, { max: 40 })}" in this hub`);
    if (others.length > 0) throw new ParleyError("ambiguous", `"${prefix}" matches several questions`);
    return ask;
  }

  return {
    actor,
    find,
    isOnline,
    async views(asks: readonly HubAsk[]): Promise<HubAskView[]> {
      const beside = await besides(asks);
      return asks.map((ask) => viewOf(ask, beside));
    },
    async view(ask: HubAsk): Promise<HubAskView> {
      return viewOf(ask, await besides([ask]));
    },
    viewOf,
    /** One Ask for whoever asks: both are read at once. */
    async look(request: Request, prefix: string): Promise<{ who: Acting; ask: HubAsk; beside: Besides }> {
      const [who, found] = await Promise.all([actor(request), isPrefix(prefix) ? records.asksLike(prefix, null) : []]);
      const projects = seesProjects(who);
      const isAll = projects === null || found.length < MOST_LIKE;
      const mine = found.filter(({ view }) => isSeenBy(projects, view as AskView));
      const ask = one(prefix, isAll ? mine : await records.asksLike(prefix, projects));
      return { who, ask, beside: await besides([ask]) };
    },
  };
}

/** What its machine told of it. What the hub alone says of an Ask, nobody says in its place. */
function toldOf(view: Record<string, unknown>): AskView {
  const told = { ...view };
  for (const name of HUB_ADDS) delete told[name];
  return told as AskView;
}

const isPrefix = (text: string): boolean => /^[a-z0-9]{1,40}$/.test(text);

export const isSeenBy = (projects: readonly string[] | null, { origin }: Pick<AskView, "origin">): boolean =>
  projects === null || projects.includes(projectName(origin.project ?? ""));

/** `isAsked`: may they still answer it? */
function routeView(
  { steps, step, reminded, people, since, dueAt }: HubRouted,
  isThere: (member: string) => boolean,
  isAsked: (member: string) => boolean,
): RouteView {
  const asked = people.filter(({ id }) => isAsked(id));
  // Whoever is not there any more is not named, unless nobody else is left to name.
  const named = steps.map((each, at) => ({ ...each, at })).filter(({ type, id }) => type !== "member" || isThere(id));
  const shown = asked.length > 0 && named.length > 0 ? named : steps.map((each, at) => ({ ...each, at }));
  return {
    steps: shown.map(({ type, name }) => ({ type, name })),
    step: Math.max(0, shown.filter(({ at }) => at <= step).length - 1),
    reminded,
    people: asked.map(({ id, name }) => ({ id, member: name })),
    since,
    ...(dueAt !== null && dueAt > 0 && { next: dueAt }),
  };
}

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

const halfView = ({ name, member, at, settlement }: HubHalf) => ({
  member: name,
  id: member,
  at,
  settlement: settlement as HubSettlement,
});

/** `halves`: what members have chosen about its Ask, where two were needed. */
export function intentView(intent: HubIntent, halves: readonly HubHalf[] = []): IntentView {
  const { state, name, at, settlement, detail, n, member, reason } = intent;
  const given = halves.filter((half) => half.n === n);
  const others = given.filter((half) => half.member !== member).map((half) => half.name);
  const signed = given.filter((half) => half.signed !== null).map((half) => half.name);
  return {
    state: state as IntentView["state"],
    member: name,
    at,
    settlement: settlement as HubSettlement,
    ...(detail !== null && { detail }),
    ...(reason && { reason: reason as NonNullable<IntentView["reason"]> }),
    ...(others.length > 0 && { with: others }),
    ...(signed.length > 0 && { signed }),
  };
}

/** Undefined: it is no JSON, or nested deeper than anything of ours. */
export async function bodyOf(request: Request): Promise<unknown> {
  const body: unknown = await request.json().catch(() => undefined);
  return isShallow(body) ? body : undefined;
}
