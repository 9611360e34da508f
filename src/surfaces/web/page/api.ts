import type { Problem } from "../../../core/error.ts";
import type { EndpointName, ResultOf } from "../../../protocol/contract.ts";
import { PAGE_KEY } from "../../../protocol/page-key.ts";
import { keepPageKey, pageKey, type PageKey } from "./page-key.ts";

const PATIENCE_MS = 15_000;
type Call = { body?: unknown; once?: string; keepalive?: boolean };

/** What the daemon refused, in its own words. `status` 0: it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly Problem[];

  constructor(status: number, code: string, message: string, problems: readonly Problem[] = []) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.problems = problems;
  }
}

/** Contract: `name` only says what comes back; the page has no copy of the schemas. */
export async function call<N extends EndpointName>(_name: N, request: string, more: Call = {}): Promise<ResultOf<N>> {
  return (await send(request, more)) as ResultOf<N>;
}

export async function enter(secret: { code: string } | { token: string }): Promise<void> {
  keepPageKey((await send("POST /page/enter", { body: secret })) as PageKey);
}
/** The id of this browser among those that are signed in. */
export const here = async () => ((await send("GET /page/here", {})) as { id?: string }).id;
export const leave = () => send("POST /page/leave", {}).finally(() => keepPageKey(undefined));

async function send(request: string, { body, once, keepalive = false }: Call): Promise<unknown> {
  const [method = "GET", path = "/"] = request.split(" ");
  const response = await fetch(path, {
    method,
    keepalive,
    credentials: "same-origin",
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      [PAGE_KEY.header]: pageKey()?.key ?? "",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(once !== undefined && { "idempotency-key": once }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new ApiError(0, "daemon_unreachable", "Parley does not answer. Is it running? parley up", [
      { field: "connection", message: String(error) },
    ]);
  });
  const reply: unknown = await response.json().catch(() => ({}));
  if (response.ok) return reply;
  const { error } = reply as { error?: { code: string; message: string; problems?: Problem[] } };
  throw new ApiError(
    response.status,
    error?.code ?? "internal",
    error?.message ?? `HTTP ${response.status}`,
    error?.problems,
  );
}

/** Not `randomUUID`: on a plain-http address beyond loopback there is none. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
