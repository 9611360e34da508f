import { expect, setDefaultTimeout, test } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import { HUB_DOORS } from "../../src/protocol/hub/hub-address.ts";
import { note } from "../../src/store/hub/audit.ts";
import { createHubRecords } from "../../src/store/hub/records.ts";
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

test("[HA17] signing in and out, ended by whom, and a passkey that was refused are in the log; anybody who tries writes little", async () => {
  const clock = { at: 1_700_000_000_000 };
  await using inside = await openInside(undefined, undefined, undefined, { now: () => clock.at });
  const { records, post, register, headersOf, login } = inside;
  await records.audit.begin(1);
  const ann = await register(await inside.first(), "Ann");
  const bob = await register(await inside.invite("Bob", "viewer"));
  const ids = new Map((await records.members()).map(({ id, name }) => [id, name]));
  const told = async () => {
    const lines: string[] = [];
    for await (const { kind, by, facts } of records.audit.rows()) {
      const { member, browser } = JSON.parse(facts) as { member?: string; browser?: string };
      const of = [ids.get(member ?? ""), browser].filter((each) => each !== undefined);
      if (kind.startsWith("session.")) lines.push([kind, ids.get(by) ?? by, ...of].join(" "));
    }
    return lines.slice(seen, (seen = lines.length));
  };
  let seen = 0;
  expect(await told()).toEqual(["session.began Ann A browser", "session.began Bob A browser"]);
  const entered = await headersOf(await login(ann.device));
  await post(HUB_DOORS.leave, {}, entered);
  expect(await told()).toEqual(["session.began Ann A browser", "session.ended Ann Ann A browser"]);

  const admin = { ...(await headersOf(ann.entered)), origin: inside.origin };
  const his = (await records.sessions(clock.at)).find(({ memberName }) => memberName === "Bob");
  expect((await post(HUB_DOORS.end, { id: his?.id ?? "" }, admin)).status).toBe(200);
  expect(await told()).toEqual(["session.ended Ann Bob A browser"]);
  expect((await verifyRecords(records.audit, undefined, 9)).problems).toEqual([]);

  // A signature over something else, again and again; then of a member who was revoked, and of nobody.
  const wrong = (id: string) => post(HUB_DOORS.login, { response: { ...bob.device.get({ challenge: "AAAA" }), id } });
  const key = bob.device.get({ challenge: "AAAA" }).id;
  for (const id of [key, key, key, "nobody"]) expect((await wrong(id)).status).toBe(401);
  expect(await told()).toEqual(["session.refused hub Bob"]);
  await records.revoke(his?.member ?? "", clock.at);
  clock.at += 60_000;
  expect((await login(bob.device)).status).toBe(401);
  expect(await told()).toEqual(["session.refused hub Bob"]);

  // Nobody used Ann's browser for a month.
  clock.at += 31 * 86_400_000;
  expect((await login(ann.device)).status).toBe(200);
  expect(await told()).toEqual(["session.ended hub Ann A browser", "session.began Ann A browser"]);
  expect((await verifyRecords(records.audit, undefined, 9)).problems).toEqual([]);
});

test("[HA18] browsers and routes of an earlier version are in order after an upgrade, once; what is put there later is found and named", async () => {
  const db = openHubSqlite(":memory:");
  const records = createHubRecords(db);
  const browser = (id: string) =>
    db.run("INSERT INTO hub_sessions VALUES ($1, $1, $1, 'ann', 'Firefox', 1, 1, 9000000000000)", [id]);
  // As it noted them: nothing of sign-ins, and of routes no digest.
  const steps = JSON.stringify([{ type: "group", id: "ops", name: "ops" }]);
  await db.run("INSERT INTO hub_routes VALUES ('[null,null,false]', NULL, NULL, 0, $1, 60000)", [steps]);
  await db.run("INSERT INTO hub_groups VALUES ('ops', '[\"ann\",\"bob\"]')");
  const about = { project: null, kind: null, stakes: false };
  await db.transaction((say) =>
    note(
      say,
      1,
      { kind: "log.began", by: "host" },
      { kind: "group.set", by: "host", facts: { name: "ops", members: "ann bob" } },
      { kind: "route.set", by: "host", facts: { ...about, to: "group ops", afterMs: 60_000 } },
    ),
  );
  await browser("early");
  for (const at of [2, 3]) await records.audit.begin(at);
  const found = async () => (await verifyRecords(records.audit, undefined, 9)).problems;
  expect([await found(), (await records.audit.head())?.seq]).toEqual([[], 5]);
  await browser("late");
  // Nor does it help to make a hub believe that it has not looked yet.
  await db.run("DELETE FROM hub_facts");
  await records.audit.begin(4);
  expect(await found()).toEqual([{ seq: 0, kind: "unlogged", record: "session late" }]);
  await records.endSession({ id: "late", by: "host" }, 5);
  expect(await found()).toEqual([]);
  await db.run("UPDATE hub_routes SET steps = '[]'");
  expect(await found()).toEqual([{ seq: 3, kind: "record", record: "route [null,null,false]" }]);
  await db.close();
});
