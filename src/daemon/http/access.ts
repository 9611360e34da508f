import { ParleyError } from "../../core/error.ts";
import type { Browser } from "../../protocol/page.ts";
import type { Capability } from "../../protocol/endpoint.ts";

export type Tokens = { agent: string; human: string };
export type Via = "socket" | "port" | "inside";
/** Who may come in: with one of the tokens, or as a browser that signed in. */
export type Door = {
  tokens: Tokens;
  /** `web.token`, good for what the human token is good for. */
  own: string;
  /** `web.address`: the one other name this daemon answers to. */
  address: () => string;
  /** Undefined: no browser that signed in. Aborts when it is signed out. */
  signedIn: (request: Request) => AbortSignal | undefined;
  browserOf: (request: Request) => Browser | undefined;
};

/** Contract: throws unless this request may come in at all (Host, Origin) and its token is good for what it wants. */
export function checkAccess(request: Request, needs: Capability, via: Via, door: Door, port: number | undefined): void {
  if (via === "port") checkSource(request, port, door.address());
  if (needs === "none") return;
  const capability = capabilityOf(request, via, door);
  if (capability === undefined)
    throw new ParleyError("unauthorized", "A token is needed: Authorization: Bearer <token>");
  if (needs === "human" && capability !== "human")
    throw new ParleyError("forbidden", "The agent token does not allow this");
}

/** A page of another site can send requests to loopback, also through a name that points there (DNS rebinding). */
function checkSource(request: Request, port: number | undefined, address: string): void {
  const origins = ["127.0.0.1", "localhost", "[::1]"].map((name) => `http://${name}:${port}`);
  if (address !== "") origins.push(address);
  const host = request.headers.get("host") ?? "";
  if (!origins.some((origin) => new URL(origin).host === host))
    throw new ParleyError("forbidden", `Host ${JSON.stringify(host)} is not this daemon`);
  const origin = request.headers.get("origin");
  if (origin !== null && !origins.includes(origin))
    throw new ParleyError("forbidden", `Origin ${JSON.stringify(origin)} is not this daemon's page`);
}

function capabilityOf(request: Request, via: Via, { tokens, own, signedIn }: Door): "agent" | "human" | undefined {
  const token = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) return via === "port" && isOwnPage(request) && signedIn(request) ? "human" : undefined;
  if (same(token, tokens.human) || (own !== "" && same(token, own))) return "human";
  return same(token, tokens.agent) ? "agent" : undefined;
}

/** A cookie also comes along from pages on other ports of this machine; browsers say where a request began. */
function isOwnPage(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}

/** Looks at every character, whichever is the first to differ: how long it takes tells nothing of a token. */
export function same(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
