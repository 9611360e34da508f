import { dirname } from "node:path";
import type { Paths } from "../machine/home.ts";
import { readRegistration } from "../machine/registration.ts";
import { insecureReason } from "../machine/stranger.ts";

/** Nothing here may import a schema library: hooks pay for every millisecond of it. */
export type Request = {
  method: "GET" | "POST" | "PUT";
  path: string;
  as: "agent" | "human";
  /** Already JSON. */
  body?: string;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

/** Contract: rejects when nobody answers at the socket; any HTTP answer is an answer. */
export async function send(paths: Paths, request: Request): Promise<Response> {
  refuseStrangers(paths);
  const token = readRegistration(paths)?.tokens[request.as] ?? "";
  const headers = {
    ...request.headers,
    authorization: `Bearer ${token}`,
    ...(request.body !== undefined && { "content-type": "application/json" }),
    ...(request.idempotencyKey !== undefined && { "idempotency-key": request.idempotencyKey }),
  };
  if (process.versions["bun"] === undefined)
    return (await import("./node-wire.ts")).sendFromNode(paths.socket, request, headers);
  return fetch(`http://parley${request.path}`, {
    unix: paths.socket,
    method: request.method,
    headers,
    ...(request.body !== undefined && { body: request.body }),
    ...(request.signal && { signal: request.signal }),
    // Bun ends an idle request after five minutes; a question may wait for days.
    timeout: false,
  } as RequestInit);
}

/** Who may write above the home, or in /tmp where a long path has its socket, may have put another daemon there. */
function refuseStrangers({ home, socket }: Paths): void {
  for (const place of new Set([home, dirname(socket)])) {
    const problem = insecureReason(place);
    if (problem) throw new Error(`${place} ${problem}`);
  }
}

export async function isUp(paths: Paths): Promise<boolean> {
  try {
    const response = await send(paths, {
      method: "GET",
      path: "/health",
      as: "agent",
      signal: AbortSignal.timeout(1000),
    });
    return response.ok;
  } catch {
    return false;
  }
}
