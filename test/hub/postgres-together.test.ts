import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createDatabase, type Database } from "../../src/store/postgres/database.ts";
import { openPostgres, targetOf } from "../../src/store/postgres/open.ts";
import { type Cluster, noServer, startCluster } from "./cluster.ts";

describe.skipIf(noServer !== undefined)(`what is said without waiting${noServer ? ` (${noServer})` : ""}`, () => {
  let cluster: Cluster;
  let db: Database;
  beforeAll(async () => {
    cluster = await startCluster();
    // Makes the schema.
    await (await openPostgres({ url: cluster.url })).close();
    db = createDatabase(targetOf({ url: cluster.url }), 10_000);
    await db.run("CREATE TABLE kept (id text PRIMARY KEY)");
  });
  afterAll(async () => {
    await db.close();
    await cluster.remove();
  });
  const put = "INSERT INTO kept VALUES ($1)";
  const kept = async () => (await db.run<{ id: string }>("SELECT id FROM kept ORDER BY id")).map(({ id }) => id);

  test("[HF1] is done in its order and all of it, or undone with the reason of what failed first", async () => {
    for (const id of ["a", "b"]) await db.transaction(async (say) => void say(put, [id]));
    const twice = db.transaction(async (say) => {
      for (const id of ["c", "a", "d"]) void say(put, [id]);
    });
    expect(await twice.catch((error: unknown) => error)).toMatchObject({ code: "23505" });
    expect(await kept()).toEqual(["a", "b"]);
    await db.transaction(async (say) => {
      void say(put, ["c"]);
      void say("UPDATE kept SET id = id || '2' WHERE id = $1", ["c"]);
    });
    expect(await kept()).toEqual(["a", "b", "c2"]);
  });

  test("[HF5] with several writers a transaction waits for nobody whose rows it does not want, and all end before it is closed", async () => {
    const two = createDatabase(targetOf({ url: cluster.url }), 10_000, 2);
    const first = Promise.withResolvers<void>();
    const order: string[] = [];
    const long = two.transaction(async (say) => {
      await say(put, ["long"]);
      await first.promise;
      order.push("long");
    });
    await two.transaction(async (say) => void say(put, ["short"]));
    order.push("short");
    const third = two.transaction(async (say) => void say(put, ["third"]));
    const fourth = two.transaction(async (say) => void say(put, ["fourth"]));
    const closed = two.close().then(() => order.push("closed"));
    first.resolve();
    await Promise.all([long, third, fourth, closed]);
    expect(order).toEqual(["short", "long", "closed"]);
    for (const id of ["long", "short", "third", "fourth"]) {
      expect(await kept()).toContain(id);
      await db.run("DELETE FROM kept WHERE id = $1", [id]);
    }
  });

  test("[HF2] is never said outside of its transaction when the connection is lost in between", async () => {
    const before = await kept();
    let isFirst = true;
    await db.transaction(async (say) => {
      if (isFirst) {
        isFirst = false;
        void say("SELECT pg_terminate_backend(pg_backend_pid())");
        // New to this connection: it waits there until the one before it is through.
        void say("INSERT INTO kept VALUES ($1 || '-lost')", ["x"]);
        void say("INSERT INTO kept VALUES ($1 || '-lost-too')", ["x"]);
        return;
      }
      void say(put, ["x"]);
    });
    expect(await kept()).toEqual([...before, "x"]);
  });

  test("[HF3] a statement that was first said to an empty table does not read all of it for ever", async () => {
    const plan = await db.transaction(async (say) => {
      await say("PREPARE one(text[]) AS SELECT id FROM kept WHERE id = ANY($1)");
      return say<Record<string, string>>("EXPLAIN EXECUTE one('{a}')");
    });
    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("Index");
  });
});
