import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { LogEvent } from "../../src/core/ask/event.ts";
import { openPostgres, type PostgresOptions } from "../../src/store/postgres/open.ts";
import type { Store } from "../../src/store/store.ts";
import { create, seen, settled } from "../contract/store-sample.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { type Cluster, noServer, startCluster } from "./cluster.ts";
import { startProxy } from "./proxy.ts";

setDefaultTimeout(TEST_MS);

describe.skipIf(noServer !== undefined)(`the store in PostgreSQL${noServer ? ` (skipped: ${noServer})` : ""}`, () => {
  let cluster: Cluster;
  let schema = "";
  let tests = 0;
  const open: Store[] = [];
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.remove());
  beforeEach(() => {
    schema = `store_${tests++}`;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()));
  });

  async function opened(options: Partial<PostgresOptions> = {}): Promise<Store> {
    const store = await openPostgres({ url: cluster.url, schema, ...options });
    open.push(store);
    return store;
  }
  const through = (port: number) => cluster.url.replace(`:${cluster.port}/`, `:${port}/`);
  const numbers = (events: readonly LogEvent[]) => events.map(({ seq }) => seq);
  const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

  test("[HB3] several processes write one log: no gap, one order, each hears everything once, and one change wins", async () => {
    const stores = await Promise.all([opened(), opened(), opened()]);
    const heard = stores.map((store) => {
      const events: LogEvent[] = [];
      store.onCommit((some) => events.push(...some));
      return events;
    });
    await Promise.all(
      stores.flatMap((store, n) => Array.from({ length: 40 }, (_, i) => create(store, { id: `s${n}-${i}` }))),
    );
    const answers = await Promise.all(
      stores.map((store, n) =>
        store.append({ at: 2, ask: { id: "s0-0", expected: 1, events: [settled(2, `surface ${n}`)] } }),
      ),
    );
    expect(answers.map(({ type }) => type).toSorted()).toEqual(["conflict", "conflict", "done"]);
    const log = await stores[0]?.events({});
    expect(numbers(log ?? [])).toEqual(upTo(121));
    await eventually(() => {
      for (const events of heard) expect(events).toEqual(log ?? []);
    });
  });

  test("[HB4] of many that open an empty database at once each finds the newest schema, and a newer one is refused", async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => opened()));
    await Promise.all(stores.map((store, i) => create(store, { id: `a${i}` })));
    expect(await stores[0]?.lastSeq()).toBe(6);
    await cluster.psql(`UPDATE ${schema}.parley_schema SET steps = 99`);
    const refused = await opened().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "newer_database" });
    expect((refused as Error).message).toContain("schema 99");
  });

  test("[HB5] a commit whose reply is lost happened once, and is told as done", async () => {
    const proxy = await startProxy({ port: cluster.port });
    const store = await opened({ url: through(proxy.port) });
    const heard: LogEvent[] = [];
    store.onCommit((events) => heard.push(...events));
    const lost: string[] = [];
    for (const moment of ["COMMIT", "BEGIN", "counter", "COMMIT"]) {
      let armed = true;
      proxy.seen.onClient = (chunk) => {
        if (!armed || !Buffer.from(chunk).includes(moment)) return;
        armed = false;
        // The server gets it and does it; what it says is lost with the connection.
        proxy.seen.onServer = (_, cut) => {
          proxy.seen.onServer = () => undefined;
          cut();
          lost.push(moment);
          return false;
        };
      };
      const result = await create(store, { id: `lost-${lost.length}`, more: [settled(1)] });
      expect(result).toMatchObject({ type: "done", ask: { version: 2 } });
    }
    expect(lost).toEqual(["COMMIT", "BEGIN", "counter", "COMMIT"]);
    expect(numbers(await store.events({}))).toEqual(upTo(8));
    expect(numbers(heard)).toEqual(upTo(8));
    await store.close();
    proxy.stop();
  });

  test("[HB6] notifications only wake: without them, and after their connection was lost, everything is heard", async () => {
    const [here, there] = [await opened({ pollMs: 50 }), await opened()];
    const heard: LogEvent[] = [];
    here.onCommit((events) => heard.push(...events));
    await create(there, { id: "a" });
    await eventually(() => expect(numbers(heard)).toEqual([1]));
    const listening = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN%${schema}%'`;
    await eventually(async () => expect(await cluster.psql(listening)).toBe("2"));
    await create(there, { id: "b" });
    await eventually(() => expect(numbers(heard)).toEqual([1, 2]));
    // And they are asked for anew.
    const again = `SELECT count(*) > 0 FROM pg_stat_activity WHERE query LIKE 'LISTEN%${schema}%'`;
    await eventually(async () => expect(await cluster.psql(again)).toBe("t"));
    // Written by something that notifies nobody.
    await cluster.psql(
      `BEGIN; UPDATE ${schema}.counter SET seq = 3; INSERT INTO ${schema}.events VALUES (3, 1, 1, 'later', NULL, NULL, NULL, '{"type":"later"}'); COMMIT`,
    );
    await eventually(() => expect(numbers(heard)).toEqual([1, 2, 3]));
  });

  test("[HB7] nothing is waited for without an end: a lock, a server that says nothing", async () => {
    const proxy = await startProxy({ port: cluster.port });
    // Each limit in a store of its own: a busy server may be slower than the other one allows.
    const store = await opened({ lockMs: 50, patienceMs: 200 });
    await create(store, { id: "a" });
    const held = cluster.psql(`BEGIN; SELECT FROM ${schema}.counter FOR UPDATE; SELECT pg_sleep(600)`).catch(String);
    const holder = `FROM pg_stat_activity WHERE query LIKE '%${schema}.counter FOR UPDATE%' AND pid <> pg_backend_pid()`;
    // Its text is there before it has the lock.
    const asleep = `SELECT count(*) ${holder} AND wait_event = 'PgSleep'`;
    await eventually(async () => expect(await cluster.psql(asleep)).toBe("1"));
    const kept = await create(store, { id: "b" }).catch((error: unknown) => error);
    expect(kept).toMatchObject({ code: "database_away", message: expect.stringContaining("lock timeout") });
    await cluster.psql(`SELECT pg_terminate_backend(pid) ${holder}`);
    expect(await held).toContain("terminating connection");
    expect((await create(store, { id: "b" })).type).toBe("done");

    let isSilent = false;
    proxy.seen.onServer = () => !isSilent;
    const impatient = await eventually(() => opened({ url: through(proxy.port), silenceMs: 2000, patienceMs: 200 }));
    isSilent = true;
    const silent = await impatient.list({}).catch((error: unknown) => error);
    expect(silent).toMatchObject({ code: "database_away" });
    isSilent = false;
    await eventually(async () => expect((await impatient.list({})).map(({ id }) => id)).toEqual(["a", "b"]));
    await impatient.close();
    proxy.stop();
  });

  test("[HB8] of several hosts one that answers is enough", async () => {
    const nobody = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    const { port } = nobody;
    nobody.stop(true);
    const hosts = `127.0.0.1:${port},127.0.0.1:${cluster.port}`;
    const url = `postgresql://parley@${hosts}/postgres?target_session_attrs=read-write`;
    const store = await opened({ url });
    expect((await create(store, { id: "a" })).type).toBe("done");
  });

  test("[HB9] any text is kept as it is; what PostgreSQL does not take fails alone", async () => {
    const store = await opened();
    const odd = "NUL \u0000, half \ud800, quote \" ' \\ {a,NULL} ä 🦜";
    const results = await Promise.allSettled([
      create(store, { id: "before" }),
      create(store, { id: "odd", origin: { lastText: odd } }),
      create(store, { id: "refused", origin: { session: "a\u0000b" } }),
      store.append({ at: 1, session: seen("s") }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect((await store.ask("odd"))?.origin.lastText).toBe(odd);
    expect((await store.list({})).map(({ id }) => id)).toEqual(["before", "odd"]);
    expect(numbers(await store.events({}))).toEqual([1, 2, 3]);
  });

  test("[HB10] a database that is away is named with its host, not with its password", async () => {
    const url = "postgresql://ada:secret-word@127.0.0.1:1/nothing";
    const failed = await openPostgres({ url, schema, patienceMs: 50 }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "database_away" });
    expect(JSON.stringify([String(failed), failed])).not.toContain("secret-word");
  });
});
