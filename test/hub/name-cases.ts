import { expect } from "bun:test";
import { firstTrust, laterTrust } from "../../src/core/hub-trust.ts";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import { createRouteAdmin } from "../../src/hub/admin/route-admin.ts";
import { digestOf } from "../../src/hub/digest.ts";
import { inviteLink } from "../../src/hub/invite.ts";
import type { HubAskView } from "../../src/protocol/hub/hub.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";
import { openInside } from "./hub-inside.ts";

const YES = { action: "answer", answers: [{ picks: [0] }] };
const NOON = Date.UTC(2026, 10, 18, 12);
const ASIDE = "Ann (revoked 2026-11-18)";

/** Somebody new has the name of somebody who was revoked, and nothing else of theirs. */
export async function nameIsFreeAgain(db: HubDatabase): Promise<void> {
  const clock = { at: NOON };
  await using inside = await openInside(db, 600_000, undefined, { now: () => clock.at });
  const { records, post, hub, origin, register, headersOf, login } = inside;
  await records.audit.begin(clock.at);
  const root = await inside.token("Root", "admin", null);
  const old = await register(await inside.invite("Ann", "approver"));
  const oldBrowser = await headersOf(old.entered);
  const oldToken = await inside.token("Ann", "approver", null);
  const idOf = async (name: string) => (await records.members()).find((each) => each.name === name)?.id;
  const oldId = await idOf("Ann");
  const told = async () => ({
    keys: (await records.memberKeys()).map((key) => ({ ...key, rpId: "localhost" })),
    policies: await records.policies(),
  });
  const trust = firstTrust(await told());
  const admin = createRouteAdmin(records, () => clock.at);
  await admin.setGroup("ops", ["Ann", "Root"]);
  await admin.setRoute({ stakes: false, to: ["Ann", "ops"], ms: 60_000 });
  const read = async (id: string) =>
    (await (await fetch(`${hub.url}/api/asks/${id}`, { headers: root })).json()) as HubAskView;
  const answered = await inside.ask("question");
  expect((await post(`/api/asks/${answered}/answer`, YES, oldToken)).status).toBe(200);
  expect(await records.takeReceipt("a-link-of-this-test", { n: 1, state: "received", detail: null }, clock.at)).toBe(
    true,
  );
  // For another device of hers: she still has it.
  const stale = await inside.invite("Ann", "admin");
  await records.addPolicy(
    { id: "two", two: true, signed: false, project: null, kind: "approval", stake: null },
    clock.at,
  );
  const shared = await inside.ask("approval");
  expect((await post(`/api/asks/${shared}/answer`, YES, oldToken)).status).toBe(200);
  await records.revoke(oldId ?? "", clock.at);
  expect((await register(stale)).entered.status).toBe(401);

  const invited = await inviteLink(records, origin, { name: "Ann", role: "approver" }, clock.at, 60_000);
  expect(invited).toMatchObject({ member: "Ann", earlier: ASIDE });
  const fresh = await register(invited.link);
  const browser = await headersOf(fresh.entered);
  const newId = await idOf("Ann");
  expect([await idOf(ASIDE), newId === oldId]).toEqual([oldId, false]);
  // Nothing of the old one works, nor makes somebody of the new name.
  expect([(await register(stale)).entered.status, (await login(old.device)).status]).toEqual([401, 401]);
  for (const headers of [oldBrowser, oldToken])
    expect((await fetch(`${hub.url}/api/asks`, { headers })).status).toBe(401);
  // What the old one did and was, is theirs.
  expect((await read(answered)).intent).toMatchObject({ member: ASIDE, state: "received" });
  expect((await admin.routes()).map(({ to }) => to.map(({ name }) => name))).toEqual([[ASIDE, "ops"]]);
  expect(await admin.groups()).toEqual([{ name: "ops", members: ["Root"] }]);
  expect((await read(await inside.ask("question"))).route?.people.map(({ member }) => member)).toEqual(["Root"]);
  expect(await records.asks({ open: true, projects: null, limit: 9, member: { named: "Ann", now: clock.at } })).toEqual(
    [],
  );
  // The new one is one of two, whatever the old one chose; and no machine that accepted the old one's key has theirs.
  expect((await (await post(`/api/asks/${shared}/answer`, YES, browser)).json()) as object).toMatchObject({
    halves: [{ id: newId, member: "Ann" }],
  });
  const later = laterTrust(trust, await told());
  expect([later.keys, later.waiting.map(({ member, name }) => `${member} ${name}`)]).toEqual([[], [`${newId} Ann`]]);

  // A hub of an earlier version makes nobody else of that name.
  const insert = "INSERT INTO hub_members (id, name, made_at) VALUES ('x', 'Ann', 1) ON CONFLICT (name) DO NOTHING";
  expect(await db.run(`${insert} RETURNING id`)).toEqual([]);

  // Once more on that day, by several commands at once, while she is being revoked.
  const token = (n: number) => ({
    hash: digestOf(`again ${n}`),
    id: `again${n}`,
    name: "Ann",
    role: "viewer",
    project: null,
    expiresAt: null,
  });
  await Promise.all([
    records.revoke(newId ?? "", clock.at),
    ...[1, 2, 3].map((n) => records.addToken(token(n), clock.at)),
  ]);
  await records.addToken(token(4), clock.at);
  const anns = (await records.members()).filter(({ name }) => name.startsWith("Ann"));
  expect(anns.map(({ name, revokedAt }) => `${name}: ${revokedAt === null}`).toSorted()).toEqual(
    [`${ASIDE}: false`, "Ann (revoked 2026-11-18, 2): false", "Ann: true"].toSorted(),
  );
  const found = async () => (await verifyRecords(records.audit, undefined, clock.at)).problems;
  expect(await found()).toEqual([]);
  const events: string[] = [];
  for await (const { kind, facts } of records.audit.rows()) if (facts.includes(`"was":"Ann"`)) events.push(kind);
  expect(events).toEqual(["member.renamed", "member.renamed"]);
  await db.run("UPDATE hub_members SET name = 'Eve' WHERE id = $1", [oldId ?? ""]);
  expect(await found()).toEqual([{ seq: expect.any(Number), kind: "record", record: `member ${oldId}` }]);
}
