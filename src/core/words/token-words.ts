import type { HubToken } from "../hub-token.ts";
import { safeLine } from "../text/text.ts";
import { agoWords, clock } from "./time.ts";

const named = (name: string) => safeLine(name, { max: 80 });

/** Whose it is: a member's, or of machines that come and go. */
export const tokenOwner = (token: HubToken): string =>
  named("member" in token ? token.member : `machines ${token.machine}`);

/** `answerer of site`, or where machines may ask. */
export function tokenScope(token: HubToken): string {
  if (!("member" in token)) return `may ask in ${token.projects.map(named).join(", ")}`;
  return token.project === null ? named(token.role) : `${named(token.role)} of ${named(token.project)}`;
}

/** `made 2 d ago, ends 2026-12-01 14:30:05`. */
export const tokenTime = ({ madeAt, expiresAt }: HubToken, now: number): string =>
  `made ${agoWords(madeAt, now)}, ${expiresAt === null ? "without an end" : `ends ${clock(expiresAt)}`}`;
