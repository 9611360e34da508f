import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { insecureReason, type Paths, readRegistration } from "../machine/home.ts";

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
  // In a container that sees no socket: where its daemon listens, which knows it by its token.
  const far = process.env["PARLEY_DAEMON"];
  const token = far ? tokenIn(paths.home) : (readRegistration(paths)?.tokens[request.as] ?? "");
  const headers = {
    ...request.headers,
    authorization: `Bearer ${token}`,
    ...(request.body !== undefined && { "content-type": "application/json" }),
    ...(request.idempotencyKey !== undefined && { "idempotency-key": request.idempotencyKey }),
  };
  if (process.versions["bun"] === undefined && !far)
    return (await import("./node-wire.ts")).sendFromNode(paths.socket, request, headers);
  return fetch(`${far ? far.replace(/\/+$/, "") : "http://parley"}${request.path}`, {
    ...(!far && { unix: paths.socket }),
    method: request.method,
    headers,
    ...(request.body !== undefined && { body: request.body }),
    ...(request.signal && { signal: request.signal }),
    // Bun ends an idle request after five minutes; a question may wait for days.
    timeout: false,
  } as RequestInit);
}

function tokenIn(home: string): string {
  try {
    return readFileSync(join(home, "token"), "utf8").trim();
  } catch {
    return "";
  }
}

/** Who may write above the home, or in /tmp where a long path has its socket, may have put another daemon there. */
function refuseStrangers({ home, socket }: Paths): void {
  // Whoever made the container put it there; to its root it belongs to a user of the machine outside.
  if (process.env["PARLEY_SANDBOX"] === "container" && process.getuid?.() === 0) return;
  for (const place of new Set([home, dirname(socket)])) {
    const problem = insecureReason(place);
    if (problem) throw new Error(`${place} ${problem}`);
  }
}

/** `patienceMs`: of a busy machine, or of a daemon that hangs; where there is none it is known at once. */
export async function isUp(paths: Paths, patienceMs = 1000): Promise<boolean> {
  try {
    const response = await send(paths, {
      method: "GET",
      path: "/health",
      as: "agent",
      signal: AbortSignal.timeout(patienceMs),
    });
    return response.ok;
  } catch {
    return false;
  }
}
