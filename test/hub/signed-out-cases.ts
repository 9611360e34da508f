import { expect } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import { HUB_DOORS } from "../../src/protocol/hub/hub-address.ts";
import { PAGE_KEY } from "../../src/protocol/page-key.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";
import { openInside } from "./hub-inside.ts";

type Headers = Record<string, string>;
const NOTHING_SAID = { code: "unauthorized", message: expect.stringContaining("This token is unknown here") };
const said = (message: string) => ({ code: "signed_out", message });
const BY_ADMIN = said("This browser was signed out by an admin of the hub.");

/** Whoever was signed out hears why; a stranger, or who has only a part of what they showed, nothing new. */
export async function saysWhy(db?: HubDatabase): Promise<void> {
  const clock = { at: Date.now() };
  await using inside = await openInside(db, undefined, undefined, { now: () => clock.at });
  const { records, post, hub, register, headersOf, login } = inside;
  await records.audit.begin(clock.at);
  const first = await register(await inside.first(), "Ann");
  const ann = await headersOf(first.entered);
  const second = await headersOf(await login(first.device));
  const people = await Promise.all(
    ["Bob", "Cy", "Di"].map(async (name) => headersOf((await register(await inside.invite(name, "viewer"))).entered)),
  );
  const [bob = {}, cy = {}, di = {}] = people;
  const idOf = async (who: Headers) =>
    ((await (await fetch(`${hub.url}${HUB_DOORS.here}`, { headers: who })).json()) as { session: string }).session;
  const heard = async (headers: Headers) => {
    const replies = [
      await fetch(`${hub.url}${HUB_DOORS.here}`, { headers }),
      await fetch(`${hub.url}/api/asks`, { headers }),
      await post("/api/news", {}, headers),
      await post(`/api/asks/${await inside.ask("question")}/answer`, { action: "decline" }, headers),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const errors = await Promise.all(replies.map(async (reply) => ((await reply.json()) as { error: object }).error));
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
    return errors[0];
  };

  expect((await post(HUB_DOORS.end, { id: await idOf(bob) }, ann)).status).toBe(200);
  expect(await heard(bob)).toMatchObject(BY_ADMIN);
  await records.endSession({ id: await idOf(cy), by: "host" }, clock.at);
  expect(await heard(cy)).toMatchObject(BY_ADMIN);
  expect((await post(HUB_DOORS.end, { id: await idOf(second) }, ann)).status).toBe(200);
  expect(await heard(second)).toMatchObject(said("This browser was signed out in another browser of yours."));
  const member = (await records.members()).find(({ name }) => name === "Di")?.id ?? "";
  await records.revoke(member, clock.at);
  expect(await heard(di)).toMatchObject(said("Di was removed from this hub by an admin."));

  // Half of it is nothing: neither the cookie nor the key alone, nor both of two people, nor a token.
  const { cookie = "", [PAGE_KEY.header]: key = "" } = di;
  const secret = cookie.split("=")[1] ?? "";
  for (const headers of [
    { cookie },
    { [PAGE_KEY.header]: key },
    { cookie, [PAGE_KEY.header]: ann[PAGE_KEY.header] ?? "" },
    { cookie: ann["cookie"] ?? "", [PAGE_KEY.header]: key },
    { authorization: `Bearer ${secret}.${key}` },
    { cookie, [PAGE_KEY.header]: "" },
    {},
  ] as Headers[])
    expect(await heard(headers)).toMatchObject(NOTHING_SAID);

  // Who leaves knows it. Who was away for a month, and whose end is as old as that, is only asked to sign in.
  expect((await post(HUB_DOORS.leave, {}, ann)).status).toBe(200);
  expect(await heard(ann)).toMatchObject(NOTHING_SAID);
  clock.at += 31 * 86_400_000;
  await headersOf(await login(first.device));
  for (const headers of [bob, cy, di]) expect(await heard(headers)).toMatchObject(NOTHING_SAID);
  expect((await verifyRecords(records.audit, undefined, clock.at)).problems).toEqual([]);
}
