import { BrainError } from "./brain.ts";
import { readLimited } from "./read-limited.ts";

type Post = { url: string; headers: Record<string, string>; body: unknown };
const LARGEST = 1024 * 1024;

/** Worth another try: the server is not there, is starting, or has too much to do. */
export class Unreachable extends BrainError {
  constructor(message: string) {
    super("unreachable", message);
  }
}

/** One request to a server the person named. Contract: of its address an error says the host, of its answer the status. */
export async function postJson({ url, headers, body }: Post, signal: AbortSignal): Promise<unknown> {
  const { host } = new URL(url);
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal,
    // A redirect could take the key and the question to somebody else.
    redirect: "manual",
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new Unreachable(`${host} cannot be reached (${(error as NodeJS.ErrnoException).code ?? "no connection"})`);
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw refusal(host, response.status);
  }
  return parsed(host, await readLimited(response.body ?? new Blob().stream(), LARGEST, host));
}

function refusal(host: string, status: number): BrainError {
  const hint =
    HINTS[status] ?? (status >= 300 && status < 400 ? "; redirects are not followed, set the final address" : "");
  const message = `${host} answered ${status}${hint}`;
  return status >= 500 || AGAIN.has(status) ? new Unreachable(message) : new BrainError("setup", message);
}

/** Timeout, too early, too many requests. */
const AGAIN = new Set([408, 425, 429]);
const HINTS: Record<number, string> = {
  401: ": it does not accept the key",
  403: ": it does not accept the key",
  404: ": there is nothing at this address, or no such model",
};

function parsed(host: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrainError("junk", `${host} answered with something other than JSON`);
  }
}
