import { expect } from "bun:test";
import type { HubToken } from "../../src/core/hub-token.ts";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import { digestOf } from "../../src/hub/digest.ts";
import { HUB_DOORS } from "../../src/protocol/hub/hub-address.ts";
import type { HubHere } from "../../src/protocol/hub/hub-page.ts";
import { tokenName } from "../../src/store/hub/audit.ts";
import { createHubRecords, type HubRecords } from "../../src/store/hub/records.ts";
import type { HubDatabase, HubRun } from "../../src/store/hub/schema.ts";
import { openInside } from "./hub-inside.ts";

type Headers = Record<string, string>;
const YES = { action: "answer", answers: [{ picks: [0] }] };
const ROUNDS = 8;
const idOf = ({ authorization = "" }: Headers): string => tokenName(digestOf(authorization.replace("Bearer ", "")));

/** An admin sees which tokens work and ends one of them: nothing else of its member changes, and no race is won with it. */
export async function tokenEndsAlone(db: HubDatabase): Promise<void> {
  await using inside = await openInside(db);
  const { records, post, hub } = inside;
  await records.audit.begin(Date.now());
  const root = await inside.token("Root", "admin", null);
  const browser = await inside.headersOf((await inside.register(await inside.invite("Ann", "viewer"))).entered);
  const [lost, other] = [await inside.token("Ann", "approver", "site"), await inside.token("Ann", "answerer", null)];
  await records.addMachineToken(
    { hash: digestOf("jobs"), id: "jobs", name: "ci", projects: ["site"], expiresAt: null },
    Date.now(),
  );
  const here = async (headers: Headers) =>
    (await (await fetch(`${hub.url}${HUB_DOORS.here}`, { headers })).json()) as HubHere;
  const ids = (tokens: readonly HubToken[]) => tokens.map(({ id }) => id).toSorted();
  const end = async (id: string, who: Headers) => (await post(HUB_DOORS.endToken, { id }, who)).status;
  const reads = async (headers: Headers) => (await fetch(`${hub.url}/api/asks`, { headers })).status;
  const answers = async (headers: Headers) =>
    (await post(`/api/asks/${await inside.ask("question")}/answer`, YES, headers)).status;

  const { tokens = [] } = await here(root);
  expect(ids(tokens)).toEqual([...[root, lost, other].map(idOf), "jobs"].toSorted());
  expect(tokens.find(({ id }) => id === idOf(lost))).toMatchObject({
    member: "Ann",
    role: "approver",
    project: "site",
    madeAt: expect.any(Number),
    expiresAt: null,
  });
  // Neither a token nor its digest is told to anybody, and to who is no admin nothing at all.
  const shown = JSON.stringify(tokens);
  for (const { authorization = "" } of [root, lost, other])
    for (const secret of [authorization.slice(7), digestOf(authorization.slice(7))])
      expect(shown.includes(secret)).toBe(false);
  for (const who of [lost, other, browser]) expect((await here(who)).tokens).toEqual([]);
  for (const who of [lost, other, browser]) expect(await end(idOf(lost), who)).toBe(403);

  // What was sent with it is still on its way: its member stands behind it.
  const sent = await inside.ask("question");
  expect((await post(`/api/asks/${sent}/answer`, YES, lost)).status).toBe(200);
  const about = { name: "Bob", role: "viewer", project: null, first: false };
  await records.addInvite(digestOf("of-ann"), about, Date.now(), Date.now() + 60_000);
  expect([await end(idOf(lost), root), await end(idOf(lost), root), await end("nothing", root)]).toEqual([
    200, 404, 404,
  ]);
  expect([await reads(lost), await answers(lost)]).toEqual([401, 401]);
  expect([await answers(other), await reads(browser)]).toEqual([200, 200]);
  expect((await records.asksLike(sent, null))[0]?.intent).toMatchObject({ state: "sent", name: "Ann" });
  expect(await records.members(Date.now())).toMatchObject([
    { name: "Root" },
    { name: "Ann", revokedAt: null, roles: ["answerer", "viewer"] },
  ]);
  expect(ids((await here(root)).tokens ?? [])).toEqual([...[root, other].map(idOf), "jobs"].toSorted());
  expect(await end("jobs", root)).toBe(200);
  expect(await records.joinJob(digestOf("jobs"), { id: "late", name: "late", token: "late" }, Date.now())).toBe(
    undefined,
  );

  // Ended while somebody answers with it: either it counted before, or it never does.
  for (let round = 0; round < ROUNDS; round++) {
    const racing = await inside.token("Ann", "approver", null);
    const id = await inside.ask("question");
    const [reply] = await Promise.all([post(`/api/asks/${id}/answer`, YES, racing), end(idOf(racing), root)]);
    expect([reply.ok, (await records.asksLike(id, null))[0]?.intent !== undefined]).toEqual([reply.ok, reply.ok]);
    expect(await answers(racing)).toBe(401);
  }
  // Two admins end each other's at once: one of them, or both, and nobody waits for the other for ever.
  for (let round = 0; round < ROUNDS; round++) {
    const [one, two] = [await inside.token("One", "admin", null), await inside.token("Two", "admin", null)];
    const ended = await Promise.all([end(idOf(one), two), end(idOf(two), one)]);
    expect(ended).toContain(200);
    for (const status of ended) expect([200, 401, 403]).toContain(status);
  }

  const events: string[] = [];
  for await (const { kind, by, facts } of records.audit.rows())
    if (kind === "token.ended" && facts.includes(idOf(lost))) events.push(by);
  expect(events).toEqual([(await here(root)).member.id]);
  const found = async () => (await verifyRecords(records.audit, undefined, Date.now())).problems;
  expect(await found()).toEqual([]);
  const hash = digestOf((lost["authorization"] ?? "").slice(7));
  for (const change of [
    "UPDATE hub_tokens SET expires_at = NULL WHERE hash = $1",
    "UPDATE hub_tokens SET expires_at = 9000000000000 WHERE hash = $1",
    "DELETE FROM hub_tokens WHERE hash = $1",
  ]) {
    await db.run(change, [hash]);
    expect(await found()).toEqual([{ seq: expect.any(Number), kind: "record", record: `token ${idOf(lost)}` }]);
  }
}

/**
 * Whoever is between looking and writing is waited for: an answer whose token was good is there before the token ends, and one
 * that comes while it ends is refused. `isWaiting`: somebody waits for a lock of the database.
 */
export async function endingWaits(db: HubDatabase, isWaiting: () => Promise<void>): Promise<void> {
  const MACHINE = "mmmmmmmmmmmm";
  const records = createHubRecords(db);
  await records.audit.begin(1);
  await records.addCode("code", 1000, 1);
  await records.join("code", { id: MACHINE, name: "laptop", token: "m", projects: ["/a"] }, 1);
  await records.connect("m", "link", 1);
  const asks = ["a", "b"].map((id) => ({ id, version: 1, state: "open", project: null, createdAt: 1, view: { id } }));
  await records.takeAsks("link", asks, 1, 1);
  const token = { id: "ann", name: "Ann", role: "admin", project: null, expiresAt: null };
  for (const hash of ["one", "two"]) await records.addToken({ ...token, hash }, 1);
  const answer = (by: HubRecords, hash: string, ask: string) =>
    by.putIntent({ machine: MACHINE, ask, key: ask, settlement: {}, token: hash }, () => true, 2);
  const end = (by: HubRecords, hash: string) => by.endToken({ id: tokenName(hash), by: "host" }, 2);

  const answering = pausedAfter(db, /FROM hub_tokens t JOIN hub_members p/);
  const first = answer(answering.records, "one", "a");
  await answering.reached;
  const ended = end(records, "one");
  await isWaiting();
  answering.goOn();
  expect([(await first).type, await ended]).toEqual(["put", true]);

  const ending = pausedAfter(db, /UPDATE hub_tokens SET expires_at/);
  const gone = end(ending.records, "two");
  await ending.reached;
  const second = answer(records, "two", "b");
  await isWaiting();
  ending.goOn();
  expect([await gone, (await second).type]).toEqual([true, "refused"]);
  const kinds: string[] = [];
  for await (const { kind } of records.audit.rows()) kinds.push(kind);
  expect(kinds.slice(-3)).toEqual(["ask.answered", "token.ended", "token.ended"]);
}

/** The same records, whose transactions stand still behind such a statement. */
function pausedAfter(db: HubDatabase, statement: RegExp) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const paused =
    (say: HubRun): HubRun =>
    async (text, values) => {
      const rows = await say<never>(text, values);
      if (!statement.test(text)) return rows;
      reached.resolve();
      await gate.promise;
      return rows;
    };
  const records = createHubRecords({ ...db, transaction: (work) => db.transaction((say) => work(paused(say))) });
  return { records, reached: reached.promise, goOn: gate.resolve };
}
