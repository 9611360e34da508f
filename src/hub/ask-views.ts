import { ParleyError } from "../core/error.ts";
import { safeLine } from "../core/text/text.ts";
import { type HubAskView, type HubSettlement, type IntentView, SILENCE_MS } from "../protocol/hub.ts";
import { PAGE_KEY } from "../protocol/page-key.ts";
import type { AskView } from "../protocol/view.ts";
import type { HubClaim } from "../store/hub-claims.ts";
import { MOST_LIKE } from "../store/hub-asks.ts";
import type { HubActor, HubAsk, HubIntent, HubRecords } from "../store/hub-records.ts";
import { digestOf } from "./digest.ts";
import { seesProjects } from "./may.ts";

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

  function viewOf({ machine, view, intent }: HubAsk, claims: readonly HubClaim[]): HubAskView {
    const { id, name, seenAt } = machine;
    const ask = view as AskView;
    const claim = ask.state === "open" && claims.find((each) => each.machine === id && each.ask === ask.id);
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
    };
  }

  async function find(prefix: string, who: HubActor): Promise<HubAsk> {
    return one(prefix, isPrefix(prefix) ? await records.asksLike(prefix, seesProjects(who)) : []);
  }

  function one(prefix: string, [ask, ...others]: readonly HubAsk[]): HubAsk {
    if (!ask) throw new ParleyError("not_found", `No question "${safeLine(prefix, { max: 40 })}" in this hub`);
    if (others.length > 0) throw new ParleyError("ambiguous", `"${prefix}" matches several questions`);
    return ask;
  }

  return {
    actor,
    find,
    isOnline,
    /** Who is on what, to be read beside the Asks. */
    claims: (): Promise<HubClaim[]> => records.claims(now()),
    views: (asks: readonly HubAsk[], claims: readonly HubClaim[]) => asks.map((ask) => viewOf(ask, claims)),
    async view(ask: HubAsk): Promise<HubAskView> {
      return viewOf(ask, await records.claims(now()));
    },
    /** One Ask for whoever asks: all that it takes is read at once. */
    async look(request: Request, prefix: string): Promise<{ who: Acting; ask: HubAsk; view: () => HubAskView }> {
      const [who, found, claims] = await Promise.all([
        actor(request),
        isPrefix(prefix) ? records.asksLike(prefix, null) : [],
        records.claims(now()),
      ]);
      const projects = seesProjects(who);
      const isAll = projects === null || found.length < MOST_LIKE;
      const mine = found.filter(({ view }) => isSeenBy(projects, view as AskView));
      const ask = one(prefix, isAll ? mine : await records.asksLike(prefix, projects));
      return { who, ask, view: () => viewOf(ask, claims) };
    },
  };
}

const isPrefix = (text: string): boolean => /^[a-z0-9]{1,40}$/.test(text);

export const isSeenBy = (projects: readonly string[] | null, { origin }: Pick<AskView, "origin">): boolean =>
  projects === null || projects.includes(origin.project ?? "");

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
