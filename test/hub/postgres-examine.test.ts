import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Level } from "../../src/core/finding.ts";
import { examinePostgres } from "../../src/store/postgres/examine.ts";
import { openPostgres, targetOf } from "../../src/store/postgres/open.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { type Cluster, noServer, startCluster } from "./cluster.ts";
import { noPooler, startPooler } from "./pooler.ts";
import { startProxy } from "./proxy.ts";

setDefaultTimeout(TEST_MS);

describe.skipIf(noServer !== undefined)(`a look at PostgreSQL${noServer ? ` (skipped: ${noServer})` : ""}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.remove());
  const levels = async (url = cluster.url) =>
    Object.fromEntries((await examinePostgres(targetOf({ url }))).map(({ check, level }) => [check, level]));
  const SOUND: Record<string, Level> = {
    server: "ok",
    writing: "ok",
    settings: "ok",
    standby: "note",
    schema: "ok",
    notifications: "ok",
  };

  test("[HB13] a sound server is found sound before and after it is used, and looking changes nothing", async () => {
    expect(await levels()).toEqual(SOUND);
    expect(await cluster.psql("SELECT count(*) FROM pg_namespace WHERE nspname = 'parley'")).toBe("0");
    await (await openPostgres({ url: cluster.url })).close();
    expect(await levels()).toEqual(SOUND);
    await cluster.psql("UPDATE parley.parley_schema SET steps = 99");
    expect(await levels()).toEqual({ ...SOUND, schema: "problem" });
    await cluster.psql("DROP SCHEMA parley CASCADE");
  });

  test("[HB14] notifications that do not arrive are found out by a round trip, and a pooler in between is named", async () => {
    const proxy = await startProxy({ port: cluster.port });
    const url = cluster.url.replace(`:${cluster.port}/`, `:${proxy.port}/`);
    const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12]);
    let passes = true;
    proxy.seen.onServer = (chunk) => {
      const key = Buffer.from(chunk).indexOf(BACKEND_KEY);
      if (key >= 0) chunk[key + BACKEND_KEY.length] = 0x11;
      return passes || withoutNotifications(Buffer.from(chunk));
    };
    const through = async (ms?: number) =>
      (await examinePostgres(targetOf({ url }), ms)).find(({ check }) => check === "notifications");
    expect(await through()).toMatchObject({ level: "note", message: expect.stringContaining("pgbouncer") });
    passes = false;
    expect(await through(500)).toMatchObject({
      level: "problem",
      message: expect.stringContaining("transaction mode"),
      fix: expect.stringContaining("Connect to the server itself"),
    });
    proxy.stop();
  });

  test.skipIf(noPooler !== undefined)(
    `[HB17] a real pgbouncer is named: in transaction mode nothing arrives, whatever it does with what a connection asks for${noPooler === undefined ? "" : ` (skipped: ${noPooler})`}`,
    async () => {
      const dropped = "search_path,statement_timeout,lock_timeout,idle_in_transaction_session_timeout";
      const all = `ignore_startup_parameters = ${dropped},synchronous_commit,enable_seqscan,jit,plan_cache_mode`;
      for (const [mode, more, levelsThere] of [
        ["transaction", "", { server: "problem", notifications: "problem" }],
        ["session", "", { server: "problem", notifications: "note" }],
        ["transaction", all, { ...SOUND, settings: "problem", notifications: "problem" }],
      ] as const) {
        await using pooler = await startPooler(cluster.port, [`pool_mode = ${mode}`, more]);
        const found = await examinePostgres(targetOf({ url: pooler.url }), 3000);
        expect(Object.fromEntries(found.map(({ check, level }) => [check, level]))).toEqual({ ...levelsThere });
        const text = JSON.stringify(found);
        expect([text.includes("pgbouncer"), text.includes("in transaction mode")]).toEqual([
          true,
          mode === "transaction",
        ]);
      }
    },
  );

  test("[HB15] a standby that every commit waits for and that is not there is named, with the way out", async () => {
    await cluster.psql("ALTER SYSTEM SET synchronous_standby_names = 'ghost'");
    await cluster.psql("SELECT pg_reload_conf()");
    const found = await eventually(async () => {
      const standby = (await examinePostgres(targetOf({ url: cluster.url }))).find(({ check }) => check === "standby");
      expect(standby?.level).toBe("problem");
      return standby;
    });
    expect(found?.message).toContain("'ghost'");
    for (const statement of found?.fix?.split("; ") ?? []) await cluster.psql(statement);
    await eventually(async () => expect(await levels()).toEqual(SOUND));
  });

  test("[HB18] a real standby says that it is one, and what it has inherited before it is promoted", async () => {
    await cluster.psql("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await cluster.psql("SELECT pg_reload_conf()");
    const standby = await startCluster({ standbyOf: cluster });
    try {
      const found = await examinePostgres(targetOf({ url: standby.url }));
      expect(Object.fromEntries(found.map(({ check, level }) => [check, level]))).toEqual({
        ...SOUND,
        writing: "problem",
        standby: "problem",
        notifications: "note",
      });
      expect(found.find(({ check }) => check === "writing")?.message).toContain("this is a standby");
      const { message = "", fix = "" } = found.find(({ check }) => check === "standby") ?? {};
      expect(message).toContain("it has inherited synchronous_standby_names 'standby'");
      for (const statement of fix.slice(fix.indexOf("ALTER")).split("; ")) await standby.psql(statement);
      await eventually(async () => expect(await levels(standby.url)).toMatchObject({ standby: "ok" }));
    } finally {
      await cluster.psql("ALTER SYSTEM SET synchronous_standby_names = ''");
      await cluster.psql("SELECT pg_reload_conf()");
      await standby.remove();
    }
  });

  test("[HB16] a server that is not there is a finding, without the password", async () => {
    const found = await examinePostgres(targetOf({ url: "postgresql://ada:secret-word@127.0.0.1:1/nothing" }));
    expect(found).toMatchObject([{ check: "server", level: "problem" }]);
    expect(JSON.stringify(found)).not.toContain("secret-word");
  });
});

/** What a server says is a letter, the length of the rest, and the rest. */
function withoutNotifications(chunk: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at < chunk.length;) {
    const end = at + 1 + chunk.readUInt32BE(at + 1);
    if (chunk[at] !== 0x41) kept.push(chunk.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
