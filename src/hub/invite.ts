import { randomBytes } from "node:crypto";
import { ParleyError } from "../core/error.ts";
import { calledAs } from "../core/hub-called.ts";
import { projectName } from "../core/hub-names.ts";
import { isLoopback } from "../machine/hub-url.ts";
import { ROLES } from "../protocol/hub/hub.ts";
import type { Changer } from "../store/hub/acting.ts";
import type { HubRecords } from "../store/hub/records.ts";
import { digestOf } from "./digest.ts";

export const INVITE_MS = 24 * 3_600_000;
export type InviteWish = { name: string; role: string; project?: string | undefined };

/** A link with which somebody makes a passkey and is a member from then on, once. Contract: shown now, kept as a digest. */
export async function inviteLink(
  records: HubRecords,
  url: string,
  wish: InviteWish,
  now: number,
  ms: number,
  by: Changer = "host",
) {
  const [code, expiresAt] = [randomBytes(24).toString("base64url"), now + ms];
  const name = calledAs(wish.name);
  const { role } = wish;
  const project = wish.project === undefined ? undefined : projectName(wish.project);
  if (name === "") throw new ParleyError("invalid", "Who is invited? Give a name");
  if (!ROLES.some((each) => each === role)) throw new ParleyError("invalid", `A role is one of ${ROLES.join(", ")}`);
  const invite = { name, role, project: project ?? null, first: false };
  const freed = await records.addInvite(digestOf(code), invite, now, expiresAt, by);
  const scope = project === undefined ? {} : { project };
  return { link: `${url}/#invite=${code}`, member: name, role, ...scope, expiresAt, ...freed };
}

/** While nobody can sign in as admin: the link for the first one. */
export async function firstLink(records: HubRecords, url: string, now: number): Promise<string | undefined> {
  if (!(await records.isNobodyThere())) return undefined;
  const code = randomBytes(24).toString("base64url");
  await records.addInvite(
    digestOf(code),
    { name: null, role: "admin", project: null, first: true },
    now,
    now + INVITE_MS,
  );
  return `${url}/#invite=${code}`;
}

/** Where people open the hub's page. Contract: throws for what no passkey can be made for, with the reason. */
export function pageUrl(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search !== "" || url.hash !== "")
    throw new ParleyError("usage", "--url: an address like https://hub.example.org, with nothing behind it");
  if (/^\[|^\d+\.\d+\.\d+\.\d+$/.test(url.hostname))
    throw new ParleyError(
      "usage",
      `--url: a passkey belongs to a host name, never to an address like ${url.hostname}: give the name others reach it by`,
    );
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new ParleyError("usage", "--url: browsers make passkeys over https alone, except for localhost");
  return url.origin;
}
