import { ParleyError } from "../core/error.ts";

/** Does nobody but this machine hear what is said there? */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host) || host.endsWith(".localhost");

/** The address of a hub, without anything behind it. Contract: throws for what is none, and for plain HTTP to another machine. */
export function hubUrl(typed: string, mayBePlain: boolean): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new ParleyError("usage", "A hub's address is like https://hub.example.org");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !mayBePlain)
    throw new ParleyError(
      "usage",
      "Plain HTTP to another machine lets others read and answer what is asked: use https, or say --plain-http",
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Nobody answered there. Why, where it is known: a certificate that is not trusted is not a hub that is away. */
export function hubAway(url: string, cause: unknown): ParleyError {
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return new ParleyError("hub_away", `No hub answers at ${url}${code}`, { cause });
}
