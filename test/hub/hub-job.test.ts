import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram, UNTIL_STARTED } from "../e2e/program.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { createHubRecords } from "../../src/store/hub/records.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);

test("[HA11] a job with a hub and a token in its environment asks, somebody answers in the hub, it goes on, and its machine ends", async () => {
  await using stage = await openStage();
  const hub = await stage.startHub();
  const job = createProgram();
  try {
    const { token } = await stage.admin("token", "--machine", "ci", "--project", "site");
    const file = join(job.root, "token");
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    const env = { ...UNTIL_STARTED, PARLEY_HUB: hub.url, PARLEY_HUB_MACHINE_TOKEN_FILE: file };
    const ann = await stage.person(hub, "Ann", "answerer");
    const [site, other] = ["site", "other"].map((name) => join(job.user, name)) as [string, string];
    mkdirSync(site);
    mkdirSync(other);
    // No daemon runs: the command starts it, as it does in a fresh container.
    const hidden = await job.parley(["ask", "Hidden?", "-o", "Yes", "-o", "No", "--no-wait"], { env, cwd: other });
    expect(hidden).toMatchObject({ code: 0, err: "" });
    const child = job.spawn(["ask", "Roll out?", "-o", "now", "-o", "later"], { env, cwd: site });
    const asks = await eventually(async () => {
      const found = await ann.client.asks({ state: "open" });
      expect(found.map(({ title }) => title)).toEqual(["Roll out?"]);
      return found;
    });
    expect(asks[0]?.machine).toMatchObject({ name: expect.stringMatching(/^ci:/), online: true });
    // Killed and started again it is the same machine.
    await job.kill9();
    await job.start({ PARLEY_HUB: hub.url, PARLEY_HUB_MACHINE_TOKEN: token });
    const id = asks[0]?.id ?? "";
    await shown(ann.client, id, { machine: { id: asks[0]?.machine.id, online: true } });
    await ann.client.answer(id, { action: "answer", answers: [{ picks: [0] }] });
    expect([await child.exited, await child.stdout.text()]).toEqual([0, "now\n"]);
    expect(existsSync(job.paths.hub)).toBe(true);
    await job.terminate();
    await eventually(async () =>
      expect(await stage.admin("machines")).toMatchObject({ machines: [{ state: "ended", projects: ["site"] }] }),
    );
    expect([existsSync(job.paths.hub), await ann.client.asks({ state: "all" })]).toEqual([false, []]);
    // The token lets nobody in any more.
    await stage.admin("revoke", "ci");
    const machine = { id: "zzzzzzzzzzzz", name: "late" };
    const body = JSON.stringify({ code: token, token: "pm_of-a-job-that-comes-too-late", machine, projects: [] });
    expect((await fetch(`${hub.url}/api/join`, { method: "POST", body })).status).toBe(403);
    expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true });
  } finally {
    await job.dispose();
  }
});

test("[HA12] a job's machine that falls silent is ended, others are not; its token is for its projects and has an end", async () => {
  const db = openHubSqlite(":memory:");
  const records = createHubRecords(db);
  await records.audit.begin(1);
  await records.addMachineToken({ hash: "h", id: "t", name: "ci", projects: ["site"], expiresAt: 100 }, 1);
  const machine = { id: "job", name: "one", token: "mt" };
  expect(await records.joinJob("h", machine, 2)).toEqual(["site"]);
  // Its reply was lost; another machine with its id is another one.
  expect(await records.joinJob("h", machine, 3)).toEqual(["site"]);
  expect(await records.joinJob("h", { ...machine, token: "eve" }, 3)).toBeUndefined();
  expect(await records.joinJob("h", { ...machine, id: "late" }, 100)).toBeUndefined();
  await records.addCode("c", 100, 1);
  await records.join("c", { id: "laptop", name: "laptop", token: "lt", projects: ["/a"] }, 2);
  await records.connect("mt", "link", 5);
  const ask = { version: 1, state: "open", createdAt: 1, view: {} };
  const told = [
    { ...ask, id: "a", project: "site" },
    { ...ask, id: "b", project: "secret" },
    { ...ask, id: "c", project: null },
  ];
  await records.takeAsks("link", told, 1, 5);
  expect((await records.asksLike("", null)).length).toBe(1);
  expect(await records.endJobs({ silentSince: 5 }, 50)).toBe(0);
  expect(await records.endJobs({ silentSince: 6 }, 50)).toBe(1);
  expect((await records.jobs()).get("job")).toEqual({ isEnded: true });
  expect((await records.machines()).map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
    ["job", 50],
    ["laptop", null],
  ]);
  expect(await records.beats(["link"], 51)).toEqual(new Set());
  await db.close();
});
