import { SendError } from "./messenger.ts";

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

/** Seconds, or a date: what a server says that has too much to do. */
function waitIn(response: Response): number | undefined {
  const said = response.headers.get("retry-after") ?? "";
  if (/^\d+$/.test(said)) return Number(said) * 1000;
  const until = Date.parse(said);
  return Number.isNaN(until) ? undefined : Math.max(until - Date.now(), 0);
}

/** Timeout, too early, too many requests. */
const AGAIN = new Set([408, 425, 429]);

function reasonOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : name === "TimeoutError" ? "no answer in time" : name;
}
