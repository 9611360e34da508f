import { expect, setDefaultTimeout, test } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { TEST_MS } from "../patience.ts";
import { noServer, startCluster } from "./cluster.ts";
import { openInside } from "./hub-inside.ts";
import { openStage } from "./hub-stage.ts";
import { nameIsFreeAgain } from "./name-cases.ts";

setDefaultTimeout(TEST_MS);

test("[HX20] the name of a revoked member is free for somebody new, who gets nothing else of theirs; history says who it was", async () => {
  await nameIsFreeAgain(openHubSqlite(":memory:"));
});

test("[HX20] where the only admin was revoked, the first link makes another one of the same name", async () => {
  await using inside = await openInside();
  const { records } = inside;
  await records.audit.begin(1);
  expect((await inside.register(await inside.first(), "Ann")).entered.status).toBe(200);
  const [ann] = await records.members();
  await records.revoke(ann?.id ?? "", Date.now());
  expect((await inside.register(await inside.first(), "Ann")).entered.status).toBe(200);
  expect((await records.members()).map(({ name, revokedAt }) => [name.slice(0, 12), revokedAt === null])).toEqual([
    ["Ann (revoked", false],
    ["Ann", true],
  ]);
  expect((await verifyRecords(records.audit, undefined, 9)).problems).toEqual([]);
});

test("[HX21] typed: a token and an invitation for the name of somebody who was revoked are somebody new", async () => {
  await using stage = await openStage();
  await namesByCommand(stage, ["--data", `${stage.machine.root}/hub`]);
});

test.skipIf(noServer !== undefined)(
  `[HX21] typed, on PostgreSQL: a token and an invitation for the name of somebody who was revoked are somebody new${noServer === undefined ? "" : ` (skipped: ${noServer})`}`,
  async () => {
    const cluster = await startCluster();
    try {
      const place = ["--database", cluster.url];
      await using stage = await openStage({ place });
      await namesByCommand(stage, place);
    } finally {
      await cluster.remove();
    }
  },
);

async function namesByCommand(stage: Awaited<ReturnType<typeof openStage>>, place: string[]): Promise<void> {
  const hub = await stage.startHub();
  const first = await stage.person(hub, "Ann", "answerer");
  await stage.admin("revoke", "Ann");
  const shown = await stage.machine.parley(["hub", "token", "--member", "Ann", "--role", "viewer", ...place]);
  expect([shown.code, shown.err]).toEqual([
    0,
    expect.stringMatching(/^Ann was revoked here before and is called "Ann \(revoked [\d-]{10}\)" now: this one is /),
  ]);
  const { members } = await stage.admin("members");
  expect(members).toMatchObject([
    { name: expect.stringMatching(/^Ann \(revoked [\d-]{10}\)$/), state: "revoked" },
    { name: "Ann", state: "active", roles: ["viewer"] },
  ]);
  const status = async (token: string) =>
    (await fetch(`${hub.url}/api/asks`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect([await status(first.token), await status(shown.out.trim())]).toEqual([401, 200]);
  // By its name the one that is there.
  expect(await stage.admin("revoke", "Ann")).toMatchObject({ id: members[1].id, what: "member" });
  const invited = await stage.admin("invite", "Ann", "--role", "viewer");
  expect(invited).toMatchObject({ member: "Ann", earlier: expect.stringMatching(/^Ann \(revoked [\d-]{10}, 2\)$/) });
  expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true });
}
