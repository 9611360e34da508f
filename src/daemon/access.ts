import { timingSafeEqual } from "node:crypto";
import { ParleyError } from "../core/error.ts";
import type { Capability } from "../protocol/contract.ts";

export type Tokens = { agent: string; human: string };
export type Via = "socket" | "port";

/** Contract: throws unless this request may come in at all (Host, Origin) and its token is good for what it wants. */
export function checkAccess(
  request: Request,
  needs: Capability,
  via: Via,
  tokens: Tokens,
  port: number | undefined,
): void {
  if (via === "port") checkSource(request, port);
  if (needs === "none") return;
  const capability = capabilityOf(request.headers.get("authorization"), tokens);
  if (capability === undefined)
    throw new ParleyError("unauthorized", "A token is needed: Authorization: Bearer <token>");
  if (needs === "human" && capability !== "human")
    throw new ParleyError("forbidden", "The agent token is not good for this");
}

/** A page of another site can send requests to loopback, also through a name that points there (DNS rebinding). */
function checkSource(request: Request, port: number | undefined): void {
  const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  const host = request.headers.get("host") ?? "";
  if (!hosts.includes(host)) throw new ParleyError("forbidden", `Host ${JSON.stringify(host)} is not this daemon`);
  const origin = request.headers.get("origin");
  if (origin !== null && !hosts.some((name) => origin === `http://${name}`))
    throw new ParleyError("forbidden", `Origin ${JSON.stringify(origin)} is not this daemon's page`);
}

function capabilityOf(header: string | null, tokens: Tokens): "agent" | "human" | undefined {
  const token = /^Bearer (.+)$/i.exec(header ?? "")?.[1];
  if (token === undefined) return undefined;
  if (same(token, tokens.human)) return "human";
  return same(token, tokens.agent) ? "agent" : undefined;
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
