import { randomBytes } from "node:crypto";
import { ParleyError } from "../core/error.ts";
import { calledAs } from "../core/hub-called.ts";
import { makeId } from "../core/id.ts";
import { HUB_DOORS } from "../protocol/hub/hub-address.ts";
import type { HubHere, Invited, Person } from "../protocol/hub/hub-page.ts";
import { browserName } from "../protocol/page-file.ts";
import type { HubRecords } from "../store/hub/records.ts";
import { SESSION_MS } from "../store/hub/people.ts";
import { type AskViews, bodyOf, shownBy } from "./ask-views.ts";
import { digestOf } from "./digest.ts";
import { INVITE_MS, type InviteWish, inviteLink } from "./invite.ts";
import { isAdmin } from "./may.ts";
import { createPasskeys } from "./passkeys.ts";

type Deps = { records: HubRecords; views: AskViews; now: () => number; origin: string | undefined; cookie: string };
type Body = Record<string, unknown>;
const REFUSED_MS = 60_000;
const NO_NAME =
  "A passkey belongs to a host name, and this hub was given none: start it with --url https://name, or on loopback";

/** How people come in by a browser, and go. Undefined: not for us. */
export function createDoor({ records, views, now, origin, cookie }: Deps) {
  const passkeys = origin === undefined ? undefined : createPasskeys({ records, origin, now });
  const isSecure = origin?.startsWith("https:") === true;

  function keys() {
    if (!passkeys) throw new ParleyError("not_answerable", NO_NAME);
    return passkeys;
  }

  /** A cookie that no script can read, and a key that only the page has. Digests of both together are kept. */
  function newSession(request: Request) {
    const [secret, key] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
    const previews = digestOf(key);
    const session = {
      hash: digestOf(`${secret}.${key}`),
      previews: digestOf(`${secret}.${previews}`),
      id: makeId(randomBytes(16)),
      name: browserName(request.headers.get("user-agent") ?? ""),
    };
    const reply = (member: object) =>
      Response.json({ key, previews, member }, { headers: { "set-cookie": setCookie(secret, SESSION_MS / 1000) } });
    return { session, reply };
  }

  const setCookie = (value: string, seconds: number) =>
    `${cookie}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;

  async function invited(body: Body): Promise<{ hash: string; invite: Invited }> {
    const hash = digestOf(text(body, "code"));
    const invite = await records.invite(hash, now());
    if (!invite || (invite.first && !(await records.isNobodyThere())))
      throw new ParleyError("unauthorized", "This link was used, has ended, or is none of this hub: ask for another");
    return { hash, invite };
  }

  function nameFor({ name }: Invited, body: Body): string {
    const typed = name ?? calledAs(text(body, "name"));
    if (typed === "") throw new ParleyError("invalid", "What are you called?");
    return typed;
  }

  async function register(request: Request, body: Body): Promise<Response> {
    const { hash, invite } = await invited(body);
    const name = nameFor(invite, body);
    const passkey = await keys().registered(hash, body["response"]);
    const { session, reply } = newSession(request);
    const member = await records.redeem(hash, { member: makeId(randomBytes(16)), name, passkey, session }, now());
    if (!member) throw new ParleyError("unauthorized", "This link was used, or its member was revoked");
    return reply(member);
  }

  async function login(request: Request, body: Body): Promise<Response> {
    try {
      const { until, ...answered } = await keys().loggedIn(body["response"]);
      const { session, reply } = newSession(request);
      const member = await records.signIn({ ...answered, session }, now(), until);
      if (!member) throw new ParleyError("unauthorized", "This passkey is not one of this hub any more");
      return reply(member);
    } catch (error) {
      if (error instanceof ParleyError && error.code === "unauthorized") await refused(body["response"]);
      throw error;
    }
  }

  const refusedAt = new Map<string, number>();

  /** Into the log: of passkeys that are known here, and of each once a minute, for anybody may try. */
  async function refused(response: unknown): Promise<void> {
    const { id } = (response ?? {}) as { id?: unknown };
    if (typeof id !== "string" || id.length >= 2000) return;
    if (now() - (refusedAt.get(id) ?? -Infinity) < REFUSED_MS) return;
    refusedAt.set(id, now());
    if (!(await records.noteRefused(id, now()))) refusedAt.delete(id);
  }

  async function here(request: Request): Promise<HubHere> {
    const who = await views.actor(request);
    const session = await records.seen(who.token, now());
    const roles = await records.roles();
    const granted = (id: string) =>
      roles.filter(({ member }) => member === id).map(({ role, project }) => ({ role, project }));
    const people: Person[] = (await records.members())
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ id, name }) => ({ id, name, grants: granted(id) }));
    const member = { id: who.member, name: who.name, grants: [...who.grants] };
    const sessions = await records.sessions(now(), isAdmin(who) ? null : who.member);
    const keys = await records.memberKeys();
    const passkeys = keys.filter((key) => key.member === who.member).map(({ id }) => id);
    const tokens = isAdmin(who) ? await records.tokens(now()) : [];
    return { session: session?.id ?? null, member, people, sessions, tokens, isAdmin: isAdmin(who), passkeys };
  }

  async function end(request: Request, body: Body): Promise<object> {
    const who = await views.actor(request);
    const only = isAdmin(who) ? {} : { only: who.member };
    const ended = await records.endSession({ id: text(body, "id"), by: who.member, ...only }, now());
    if (!ended) throw new ParleyError("not_found", "No such browser is signed in");
    return {};
  }

  /** Of a member, or of machines. */
  async function endToken(request: Request, body: Body): Promise<object> {
    const [id, by] = [text(body, "id"), { token: (await views.actor(request)).token }];
    const ended = (await records.endToken({ id, by }, now())) || (await records.revokeMachineToken(id, now(), by));
    if (!ended) throw new ParleyError("not_found", "No such token works here any more");
    return {};
  }

  async function leave(request: Request): Promise<Response> {
    const mine = await records.seen(digestOf(shownBy(request, cookie)), now());
    if (mine) await records.endSession({ id: mine.id, only: mine.member, by: mine.member, isLeaving: true }, now());
    return Response.json({}, { headers: { "set-cookie": setCookie("", 0) } });
  }

  async function invite(request: Request, body: Body): Promise<object> {
    const who = await views.actor(request);
    if (!isAdmin(who)) throw new ParleyError("forbidden", "Only an admin of all projects invites");
    if (origin === undefined) throw new ParleyError("not_answerable", NO_NAME);
    const project = text(body, "project");
    const wish: InviteWish = { name: text(body, "name"), role: text(body, "role"), ...(project && { project }) };
    return inviteLink(records, origin, wish, now(), INVITE_MS, { token: who.token });
  }

  return async function handle(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && pathname === HUB_DOORS.here) return Response.json(await here(request));
    if (request.method !== "POST" || !Object.values(HUB_DOORS).some((door) => door === pathname)) return undefined;
    // A form of another page sends no JSON, and names where it comes from.
    const from = request.headers.get("origin");
    if (from !== null && from !== origin && origin !== undefined)
      throw new ParleyError("forbidden", `This hub's page is at ${origin}`);
    const body = ((await bodyOf(request)) ?? {}) as Body;
    if (pathname === HUB_DOORS.invited) return Response.json((await invited(body)).invite);
    if (pathname === HUB_DOORS.registerOptions) {
      const { hash, invite: wish } = await invited(body);
      return Response.json(await keys().registerOptions(hash, nameFor(wish, body)));
    }
    if (pathname === HUB_DOORS.register) return register(request, body);
    if (pathname === HUB_DOORS.loginOptions) return Response.json(await keys().loginOptions());
    if (pathname === HUB_DOORS.login) return login(request, body);
    if (pathname === HUB_DOORS.leave) return leave(request);
    if (pathname === HUB_DOORS.end) return Response.json(await end(request, body));
    if (pathname === HUB_DOORS.endToken) return Response.json(await endToken(request, body));
    if (pathname === HUB_DOORS.invite) return Response.json(await invite(request, body));
    return undefined;
  };
}

const text = (body: Body, name: string): string => {
  const value = body[name];
  return typeof value === "string" ? value : "";
};
