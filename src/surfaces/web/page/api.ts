import type { Problem } from "../../../core/error.ts";
import { addressOf } from "../../../protocol/address.ts";
import type { CallOf, EndpointName, ResultOf } from "../../../protocol/contract.ts";
import { PAGE_KEY } from "../../../protocol/page-key.ts";
import { keepPageKey, pageKey, type PageKey } from "./page-key.ts";

const PATIENCE_MS = 15_000;
const AWAY = "Can't reach Parley. Start it: parley up";
type Send = {
  body?: unknown;
  once?: string | undefined;
  keepalive?: boolean;
  patience?: number;
  signal?: AbortSignal;
  /** What a person is told when nobody answers. */
  away?: string;
};
type Call<N extends EndpointName> = Pick<CallOf<N>, "id" | "query" | "body"> & Pick<Send, "once" | "keepalive">;

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

/** Contract: what comes back is not checked; the page has no copy of the schemas, and its daemon is of its own version. */
export async function call<N extends EndpointName>(
  name: N,
  { id, query, ...more }: Call<N> = {},
): Promise<ResultOf<N>> {
  const { method, path } = addressOf(name, { id, query });
  return (await send(method, path, more)) as ResultOf<N>;
}

export async function enter(secret: { code: string } | { token: string }): Promise<void> {
  keepPageKey((await send("POST", "/page/enter", { body: secret })) as PageKey);
}
/** The id of this browser among those that are signed in. */
export const here = async () => ((await send("GET", "/page/here", {})) as { id?: string }).id;
export const leave = () => send("POST", "/page/leave", {}).finally(() => keepPageKey(undefined));

export async function send(
  method: string,
  path: string,
  { body, once, keepalive = false, patience = PATIENCE_MS, signal, away = AWAY }: Send,
): Promise<unknown> {
  const patient = AbortSignal.timeout(patience);
  const response = await fetch(path, {
    method,
    keepalive,
    credentials: "same-origin",
    signal: signal ? AbortSignal.any([signal, patient]) : patient,
    headers: {
      [PAGE_KEY.header]: pageKey()?.key ?? "",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(once !== undefined && { "idempotency-key": once }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new ApiError(0, "daemon_unreachable", away, [{ field: "connection", message: String(error) }]);
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
