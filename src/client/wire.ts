import { dirname } from "node:path";
import type { Paths } from "../machine/home.ts";
import { readRegistration } from "../machine/registration.ts";

/** Nothing here may import a schema library: hooks pay for every millisecond of it. */
export type Request = {
  method: "GET" | "POST" | "PUT";
  path: string;
  as: "agent" | "human";
  /** Already JSON. */
  body?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/** Contract: rejects when nobody answers at the socket; any HTTP answer is an answer. */
export async function send(paths: Paths, request: Request): Promise<Response> {
  await refuseStrangers(paths);
  const token = readRegistration(paths)?.tokens[request.as] ?? "";
  return fetch(`http://parley${request.path}`, {
    unix: paths.socket,
    method: request.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(request.body !== undefined && { "content-type": "application/json" }),
      ...(request.idempotencyKey !== undefined && { "idempotency-key": request.idempotencyKey }),
    },
    ...(request.body !== undefined && { body: request.body }),
    ...(request.signal && { signal: request.signal }),
    // Bun ends an idle request after five minutes; a question may wait for days.
    timeout: false,
  } as RequestInit);
}

/** A home with a long path has its socket in /tmp, where anybody may have put one before us. */
async function refuseStrangers({ home, socket }: Paths): Promise<void> {
  const place = dirname(socket);
  if (place === home) return;
  const { isPrivateDir } = await import("../machine/private-dir.ts");
  if (!isPrivateDir(place)) throw new Error(`${place} is not there, or not only ours`);
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
