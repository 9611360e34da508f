import { ParleyError } from "../../core/error.ts";
import type { Capability } from "../../protocol/endpoint.ts";
import { PAGE_KEY } from "../../protocol/page-key.ts";
import { type Door, same } from "./access.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import { browserName, type PageFiles, sentFile } from "../../protocol/page-file.ts";
import { PREVIEW_HEADERS } from "../../protocol/page-headers.ts";
import { IDLE_DAYS, type PageSessions, type Proof } from "./page-session.ts";

type Deps = { files: PageFiles | undefined; sessions: PageSessions; inbox: Inbox; door: Door; link: OpenLink };
/** Answers with one option for whoever has the code of a notification: it is their proof, whatever page they come from. */
type OpenLink = (request: Request) => Promise<Response | undefined>;
type Access = (needs: Capability) => void;
export type Page = (request: Request, url: URL, access: Access) => Promise<Response | undefined>;

const ENTER_BYTES = 1000;
const PREVIEW = /^\/preview\/([^/]+)\/(\d+)\/(\d+)$/;

/** What a browser gets besides the API. Undefined: not for us. */
export function createPage({ files, sessions, inbox, door, link }: Deps): Page {
  return async (request, url, access) => {
    const { pathname } = url;
    if (pathname.startsWith("/act/")) return link(request);
    if (request.method === "POST" && pathname === "/page/enter") return (access("none"), enter(request));
    if (request.method === "POST" && pathname === "/page/leave") return (access("human"), leave(request));
    if (request.method !== "GET") return undefined;
    if (pathname === "/page/here") return (access("human"), Response.json({ id: signedIn(request, sessions)?.id }));
    const shown = PREVIEW.exec(pathname);
    if (shown) return (access("human"), preview(shown[1] ?? "", Number(shown[2]), Number(shown[3])));
    if (!files || pathname.startsWith("/api/") || pathname === "/health") return undefined;
    const file = (await files()).get(pathname);
    if (!file) return undefined;
    access("none");
    return sentFile(request, file);
  };

  /** A code from `parley open`, or a person's own token, becomes a cookie that no script can read, and a key for the page. */
  async function enter(request: Request): Promise<Response> {
    const { code, token } = await secretsIn(request);
    const known = [door.tokens.human, door.own].filter((own) => own !== "");
    const isToken = code === undefined && known.some((own) => same(own, token ?? ""));
    const taken = code === undefined ? undefined : sessions.takes(code);
    if (!isToken && !taken)
      throw new ParleyError(
        "unauthorized",
        code === undefined
          ? "Wrong token"
          : `This code was already used or is more than ${isTyped(code) ? "ten minutes old. Get a new one: parley phone" : "a minute old. Get a new one: parley open"}`,
      );
    const { secret, ...page } = await sessions.start(browserName(request.headers.get("user-agent") ?? ""), taken);
    const cookie = setCookie(request, sessions, secret, IDLE_DAYS * 86_400);
    return Response.json(page, { headers: { "set-cookie": cookie, "cache-control": "no-store" } });
  }

  async function leave(request: Request): Promise<Response> {
    const browser = signedIn(request, sessions);
    if (browser) await sessions.end(browser.id);
    return Response.json({}, { headers: { "set-cookie": setCookie(request, sessions, "", 0) } });
  }

  async function preview(id: string, question: number, option: number): Promise<Response> {
    const ask = await inbox.get(id);
    const html = ask.questions[question]?.options[option]?.preview;
    if (html === undefined) throw new ParleyError("not_found", "This option has no preview");
    return new Response(html, { headers: PREVIEW_HEADERS });
  }
}

/** The browser that signed in with the cookie of this request, which the page has sent itself. */
export function signedIn(request: Request, sessions: PageSessions) {
  const cookies = request.headers.get("cookie") ?? "";
  const secret = new RegExp(`(?:^|; )${sessions.cookie}=([\\w-]+)`).exec(cookies)?.[1];
  const proof = proofIn(request);
  return secret === undefined || proof === undefined ? undefined : sessions.find(secret, proof);
}

/** A page can set no header for a socket or a frame: it stands in the protocols of the one and the address of the other. */
function proofIn(request: Request): Proof | undefined {
  const { pathname = "", searchParams } = URL.parse(request.url) ?? {};
  const previews = PREVIEW.test(pathname) ? searchParams?.get("page") : undefined;
  if (previews) return { previews };
  const key =
    request.headers.get(PAGE_KEY.header) ??
    new RegExp(`(?:^|, *)${PAGE_KEY.protocol}\\.([\\w-]+)`).exec(
      request.headers.get("sec-websocket-protocol") ?? "",
    )?.[1];
  return key ? { key } : undefined;
}

async function secretsIn(request: Request): Promise<{ code?: string; token?: string }> {
  if (Number(request.headers.get("content-length") ?? Infinity) > ENTER_BYTES)
    throw new ParleyError("too_large", `A code or token has at most ${ENTER_BYTES} bytes`);
  const sent = (await request.json().catch(() => ({}))) as Record<string, unknown>;
  const text = (name: string) => (typeof sent[name] === "string" ? { [name]: sent[name] } : {});
  return { ...text("code"), ...text("token") };
}

function setCookie(request: Request, { cookie }: PageSessions, secret: string, seconds: number): string {
  const secure = request.headers.get("origin")?.startsWith("https:") ? "; Secure" : "";
  return `${cookie}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

/** One for a phone. */
const isTyped = (code: string) => code.trim().length < 20;
