import { expect, setDefaultTimeout, test } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import { HUB_DOORS } from "../../src/protocol/hub/hub-address.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { TEST_MS } from "../patience.ts";
import { openInside } from "./hub-inside.ts";

setDefaultTimeout(TEST_MS);

test("[HA15] a passkey or a role that was put into the database beside the log, or changed there, is found", async () => {
  const db = openHubSqlite(":memory:");
  await using inside = await openInside(db);
  const { records, register, invite } = inside;
  await records.audit.begin(1);
  await register(await inside.first(), "Ann");
  await register(await invite("Bob", "viewer", "site"));
  await register(await invite("Bob", "answerer", "site"));
  await register(await invite("Bob", "approver"));
  const found = async () => (await verifyRecords(records.audit, undefined, 9)).problems.map(({ kind }) => kind);
  expect(await found()).toEqual([]);
  const bob = (await records.members()).find(({ name }) => name === "Bob")?.id ?? "";
  for (const [change, back, kind] of [
    [
      "UPDATE hub_roles SET role = 'admin' WHERE role = 'approver'",
      "UPDATE hub_roles SET role = 'approver' WHERE member = $1 AND scope = ''",
      "record",
    ],
    [
      "INSERT INTO hub_roles VALUES ($1, 'other', 'other', 'admin')",
      "DELETE FROM hub_roles WHERE member = $1 AND scope = 'other'",
      "unlogged",
    ],
    [
      "INSERT INTO hub_passkeys VALUES ('evil', $1, 'AAAA', 0, '[]', 1, NULL)",
      "DELETE FROM hub_passkeys WHERE member = $1 AND id = 'evil'",
      "unlogged",
    ],
    ["UPDATE hub_passkeys SET public_key = public_key || 'A' WHERE member = $1", undefined, "record"],
  ] as const) {
    await db.run(change, change.includes("$1") ? [bob] : []);
    expect(new Set(await found())).toEqual(new Set([kind]));
    if (back) await db.run(back, [bob]);
    if (back) expect(await found()).toEqual([]);
  }
});

test("[HA16] the log says who invited; a revoked admin invites nobody, and what they gave out works no more", async () => {
  await using inside = await openInside();
  const { records, post, register } = inside;
  await records.audit.begin(1);
  const ann = await register(await inside.first(), "Ann");
  const headers = { ...(await inside.headersOf(ann.entered)), origin: inside.origin };
  const invite = async (name: string) => post(HUB_DOORS.invite, { name, role: "admin", project: "" }, headers);
  const linkTo = async (name: string) => ((await (await invite(name)).json()) as { link: string }).link;
  const [bob, mallory] = [await linkTo("Bob"), await linkTo("Mallory")];
  expect((await register(bob)).entered.status).toBe(200);
  const annId = (await records.members())[0]?.id ?? "";
  const by: string[] = [];
  for await (const { kind, by: who } of records.audit.rows())
    if (kind === "invite.made" || kind === "member.added") by.push(`${kind} ${who === annId ? "Ann" : who}`);
  expect(by).toEqual(["member.added host", "invite.made Ann", "invite.made Ann", "member.added Ann"]);

  // At the same time as many invitations: whichever came first, none of them works afterwards.
  const racing = Array.from({ length: 6 }, (_, n) => invite(`Guest ${n}`));
  await records.revoke(annId, Date.now());
  const given = await Promise.all(racing);
  for (const reply of given.filter(({ ok }) => ok)) {
    const { link } = (await reply.json()) as { link: string };
    expect((await register(link)).entered.status).toBe(401);
  }
  expect((await invite("Eve")).status).toBe(401);
  const late = await post(HUB_DOORS.registerOptions, { code: mallory.split("invite=")[1] ?? "" });
  expect(late.status).toBe(401);
  expect((await records.members()).filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name)).toEqual([
    "Bob",
  ]);
  expect((await verifyRecords(records.audit, undefined, 9)).problems).toEqual([]);
});
