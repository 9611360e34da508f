import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHubAsks } from "../../src/store/hub/asks.ts";
import type { HubDatabase, HubRun } from "../../src/store/hub/schema.ts";
import { openHubPostgres } from "../../src/store/postgres/hub.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { type Cluster, noServer, startCluster } from "./cluster.ts";

setDefaultTimeout(TEST_MS);
const ASKS = 4000;
const MACHINES = ["m1", "m2"];
/** An Ask, its machine, its answer and member, and what is looked for beside it: each by its own index. */
const ROWS_AN_ASK = 20;

type Plan = {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: Plan[];
};

describe.skipIf(noServer !== undefined)(`what a hub reads${noServer ? ` (skipped: ${noServer})` : ""}`, () => {
  let cluster: Cluster;
  let db: HubDatabase;
  beforeAll(async () => {
    cluster = await startCluster();
    db = await openHubPostgres({ url: cluster.url, pollMs: 3_600_000 });
    for (const table of ["asks", "intents", "news"])
      await cluster.psql(`ALTER TABLE parley.hub_${table} SET (autovacuum_enabled = false)`);
  });
  afterAll(async () => {
    await db?.close();
    await cluster?.remove();
  });

  test("[HB19] however many were answered before, as much is read of the database for a question, on statements planned while there were none", async () => {
    const reads = readsOf(db);
    // As a hub's are: each connection makes its plan when it first says a statement, and keeps it.
    await reads((asks) => asks.newsAfter("m1", 0, 201));
    await fill(db);
    await eventually(async () => {
      await db.transaction((say) => say("SELECT 1 AS one"));
      const counted = await cluster.psql("SELECT reltuples FROM pg_class WHERE relname = 'hub_intents'");
      expect(Number(counted)).toBe(ASKS * MACHINES.length);
    });
    const last = `m1${ASKS}`;
    const one = { news: 0, found: 0, named: 0, listed: 0, next: 0, newest: 0 };
    one.news = await reads((asks) => asks.newsAfter("m1", ASKS - 1, 201));
    one.found = await reads((asks) => asks.asksLike(last, null));
    one.named = await reads((asks) => asks.asksOf("m1", [last], null));
    one.listed = (await reads((asks) => asks.asks({ open: true, projects: null, limit: 20 }))) / 20;
    one.next =
      (await reads((asks) => asks.asks({ open: true, projects: null, limit: 20, after: { at: ASKS / 2, id: "m1" } }))) /
      20;
    one.newest = (await reads((asks) => asks.asks({ open: false, projects: null, limit: 20 }))) / 20;
    for (const [what, rows] of Object.entries(one))
      expect({ what, few: rows <= ROWS_AN_ASK, rows }).toMatchObject({ what, few: true });
  });
});

/** Every fiftieth is open. */
async function fill({ transaction }: HubDatabase): Promise<void> {
  await transaction(async (say) => {
    await say("INSERT INTO hub_members (id, name, made_at) VALUES ('ann', 'Ann', 1)");
    for (const machine of MACHINES) {
      const each = `FROM generate_series(1, ${ASKS}) g`;
      await say(
        `INSERT INTO hub_machines (id, name, token, projects, joined_at, seen_at, intents) VALUES ($1, $1, $1, '[]', 1, 1, 0)`,
        [machine],
      );
      await say(
        `INSERT INTO hub_asks (machine, id, version, state, created_at, data)
         SELECT CAST($1 AS text), $1 || g, 1, CASE WHEN g % 50 = 0 THEN 'open' ELSE 'verified' END, g, '{}' ${each}`,
        [machine],
      );
      await say(`INSERT INTO hub_news (machine, ask, n) SELECT CAST($1 AS text), $1 || g, g ${each}`, [machine]);
      await say(
        `INSERT INTO hub_intents (machine, n, key, ask, member, at, settlement, state)
         SELECT CAST($1 AS text), g, 'k' || g, $1 || g, 'ann', 1, '{}', 'received' ${each}`,
        [machine],
      );
    }
  });
}

/** How many rows the server touches for what is read, with the settings of a hub's own connections. */
function readsOf({ transaction }: HubDatabase) {
  const known = new Map<string, string>();
  return async (read: (asks: ReturnType<typeof createHubAsks>) => Promise<unknown>): Promise<number> => {
    let touched = 0;
    const run = (async (text: string, values: readonly (string | number)[] = []) => {
      await transaction(async (say) => {
        const name = known.get(text) ?? `read_${known.size}`;
        if (!known.has(text)) await say(`PREPARE ${name} AS ${text}`);
        known.set(text, name);
        const given = values.map((value) => (typeof value === "number" ? value : `'${value}'`)).join(", ");
        const [row] = await say<{ "QUERY PLAN": [{ Plan: Plan }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name}${given && `(${given})`}`,
        );
        touched = rowsOf(row?.["QUERY PLAN"][0].Plan);
      });
      return [];
    }) as HubRun;
    await read(createHubAsks({ run } as HubDatabase));
    return touched;
  };
}

function rowsOf(plan: Plan | undefined): number {
  if (!plan) return 0;
  const { "Rows Removed by Filter": filtered = 0, "Rows Removed by Join Filter": joined = 0, Plans = [] } = plan;
  const here = Plans.length === 0 ? plan["Actual Rows"] + filtered : joined;
  return here * plan["Actual Loops"] + Plans.reduce((sum, each) => sum + rowsOf(each), 0);
}
