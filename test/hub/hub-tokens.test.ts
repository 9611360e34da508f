import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { noServer, startCluster } from "./cluster.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage, shown } from "./hub-stage.ts";
import { tokenEndsAlone } from "./token-cases.ts";

setDefaultTimeout(TEST_MS);
const skipped = (reason: string | undefined) => (reason === undefined ? "" : ` (skipped: ${reason})`);

test("[HX17] a token is ended alone: at once, also in a race, with its member untouched, in the log, and put back it is found", async () => {
  await tokenEndsAlone(openHubSqlite(":memory:"));
});

test("[HX18] typed: which tokens work, and one of them ended by its id", async () => {
  await using stage = await openStage();
  await tokensByCommand(stage);
});

test.skipIf(noServer !== undefined)(
  `[HX18] typed, on PostgreSQL: which tokens work, and one of them ended by its id${skipped(noServer)}`,
  async () => {
    const cluster = await startCluster();
    try {
      await using stage = await openStage({ place: ["--database", cluster.url] });
      await tokensByCommand(stage);
    } finally {
      await cluster.remove();
    }
  },
);

async function tokensByCommand(stage: Awaited<ReturnType<typeof openStage>>): Promise<void> {
  const { machine } = stage;
  const hub = await stage.startHub();
  await stage.join(hub);
  const made = await stage.admin("token", "--member", "Ann", "--role", "answerer", "--project", "project");
  expect(made).toEqual({
    token: expect.any(String),
    id: expect.any(String),
    member: "Ann",
    role: "answerer",
    project: "project",
  });
  const ann = await stage.person(hub, "Ann", "viewer", "--ttl", "30d");
  const jobs = await stage.admin("token", "--machine", "ci", "--project", "site");
  const { tokens } = await stage.admin("members", "--tokens");
  expect(tokens).toEqual([
    {
      id: made.id,
      member: "Ann",
      memberId: expect.any(String),
      role: "answerer",
      project: "project",
      madeAt: expect.any(Number),
      expiresAt: null,
    },
    expect.objectContaining({ member: "Ann", role: "viewer", project: null, expiresAt: expect.any(Number) }),
    expect.objectContaining({ id: jobs.id, machine: "ci", projects: ["site"], expiresAt: null }),
  ]);
  const asked = await stage.ask("Deploy?");
  await shown(ann.client, asked.id, { state: "open" });
  const list = async (token: string) =>
    (await fetch(`${hub.url}/api/asks`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect([await list(made.token), await list(ann.token)]).toEqual([200, 200]);

  expect(await stage.admin("revoke", made.id)).toEqual({ id: made.id, name: "Ann's", what: "token", state: "revoked" });
  expect([await list(made.token), await list(ann.token)]).toEqual([401, 200]);
  const file = join(machine.root, "ended-token");
  writeFileSync(file, made.token, { mode: 0o600 });
  const env = { PARLEY_HUB: hub.url, PARLEY_HUB_TOKEN_FILE: file };
  expect((await machine.parley(["answer", asked.id, "1", "--hub", "--json"], { env })).code).toBe(77);
  expect(await stage.admin("members")).toMatchObject({
    members: [{ name: "Ann", state: "active", roles: ["viewer"] }],
  });
  expect((await stage.admin("members", "--tokens")).tokens).toHaveLength(2);
  await stage.admin("revoke", jobs.id);
  expect((await stage.admin("members", "--tokens")).tokens).toHaveLength(1);
  expect(await stage.admin("revoke", made.id).catch(String)).toContain("No such machine, member, token or browser");
  expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true });
  asked.child.kill();
  await asked.ended;
}

test.skipIf(noBrowser !== undefined)(
  `[HP14] an admin sees on the Team page which tokens work and ends one there; who is no admin sees none${skipped(noBrowser)}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    const hub = await stage.startHub();
    const ann = await pages.open(hub.firstMemberLink ?? "");
    await ann.getByLabel("Your name").fill("Ann");
    await ann.getByRole("button", { name: "Make a passkey" }).click();
    await ann.locator('.app[data-phase="ready"]').waitFor();
    await ann.goto(`${hub.page}/#/team`);
    const tokens = ann.getByRole("region", { name: "Tokens" });
    await tokens.getByText("None yet.").waitFor();
    const lost = await stage.person(hub, "Bob", "answerer", "--project", "site");
    const kept = await stage.person(hub, "Bob", "viewer");
    await stage.admin("token", "--machine", "ci", "--project", "site");
    const row = tokens.getByRole("listitem").filter({ hasText: "answerer of site" });
    await row.getByText(/^Bob$/).waitFor();
    await tokens.getByText("machines ci").waitFor();
    await row.getByRole("button", { name: "End" }).click();
    await row.waitFor({ state: "detached" });
    expect(await tokens.getByRole("listitem").count()).toBe(2);
    await eventually(async () =>
      expect(await lost.client.asks({ state: "open" }).catch(({ code }) => code)).toBe("unauthorized"),
    );
    expect(await kept.client.asks({ state: "open" })).toEqual([]);
    const bob = await pages.open((await stage.admin("invite", "Bob", "--role", "answerer")).link);
    await bob.getByRole("button", { name: "Make a passkey" }).click();
    await bob.locator('.app[data-phase="ready"]').waitFor();
    await bob.goto(`${hub.page}/#/team`);
    await bob.getByRole("region", { name: "Signed in" }).waitFor();
    expect(await bob.getByRole("region", { name: "Tokens" }).count()).toBe(0);
    expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true });
  },
);
