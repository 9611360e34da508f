import { asRecord } from "../../core/record.ts";
import { SendError } from "../messenger.ts";

type Request = {
  method: "POST" | "PUT";
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
};

/** One request to a server the person named. Of its address only the host is ever said: the rest may be a secret. */
export async function post({ method, url, headers = {}, body }: Request, signal: AbortSignal): Promise<Response> {
  const { host } = new URL(url);
  const response = await fetch(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    signal,
    // A redirect could take the token or the question to somebody else.
    redirect: "manual",
  }).catch((error: unknown) => {
    throw new SendError(`${host} cannot be reached (${reasonOf(error)})`, { again: true });
  });
  if (response.ok) return response;
  await response.body?.cancel();
  const { status } = response;
  const moved = status >= 300 && status < 400 ? "; redirects are not followed, set the final address" : "";
  const again = status >= 500 || AGAIN.has(status);
  const afterMs = again ? waitIn(response) : undefined;
  throw new SendError(`${host} answered ${status}${moved}`, { again, afterMs, status });
}

/**
 * One call of a service's API, which answers with JSON. Contract: neither its address, which may hold a token, nor what was
 * sent is in any error. `reply` is empty where it said no in other words.
 */
export async function callService(
  title: string,
  url: string,
  given: { headers: Record<string, string>; body: string | URLSearchParams },
  signal: AbortSignal,
): Promise<{ response: Response; reply: Record<string, unknown> }> {
  const unreachable = (error: unknown) =>
    new SendError(`${title} cannot be reached (${reasonOf(error)})`, { again: true });
  // A redirect could take the token or the question to somebody else.
  const response = await fetch(url, { method: "POST", ...given, signal, redirect: "manual" }).catch(
    (error: unknown) => {
      throw unreachable(error);
    },
  );
  const reply: unknown = await response.json().catch((error: unknown) => {
    // A body that ends in the middle says nothing about whether it was done.
    if (response.ok) throw unreachable(error);
    return {};
  });
  return { response, reply: asRecord(reply) ?? {} };
}

/** How long the service wants to be left alone, said in seconds; `otherwise`: where it does not say. */
export function waitSaid(seconds: unknown, otherwise: number): number {
  const said = Number(seconds);
  return (Number.isFinite(said) && said > 0 ? said : otherwise) * 1000;
}

/** Seconds, or a date: what a server says that has too much to do. */
function waitIn(response: Response): number | undefined {
  const said = response.headers.get("retry-after") ?? "";
  if (/^\d+$/.test(said)) return Number(said) * 1000;
  const until = Date.parse(said);
  return Number.isNaN(until) ? undefined : Math.max(until - Date.now(), 0);
}

/** Timeout, too early, too many requests. */
const AGAIN = new Set([408, 425, 429]);

/** Never the error's own words: they may hold the address. */
function reasonOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : name === "TimeoutError" ? "no answer in time" : name;
}
