import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import { createHubRecords } from "../../src/store/hub/records.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";
import { openHubPostgres } from "../../src/store/postgres/hub.ts";
import { eventually, TEST_MS } from "../patience.ts";
import {
  everyFileChangeIsFound,
  everyRowChangeIsFound,
  keptHeadShowsIt,
  lived,
  wholeWhileOthersWrite,
} from "./audit-cases.ts";
import { nameIsFreeAgain } from "./name-cases.ts";
import { releasedIsReminded, revokedIsPassedOn, routesAreFollowed } from "./route-cases.ts";
import { saysWhy } from "./signed-out-cases.ts";
import { signedChoicesAreCompared } from "./signed-cases.ts";
import { workIsGiven } from "./task-cases.ts";
import { endingWaits, tokenEndsAlone } from "./token-cases.ts";
import { eitherTakesBack, everyWayOfTwo } from "./two-cases.ts";
import { twoGiveWork } from "./two-task-cases.ts";
import { openInside } from "./hub-inside.ts";
import { type Cluster, noServer, startCluster } from "./cluster.ts";

setDefaultTimeout(TEST_MS);
/** Bun ends a request that says nothing for ten seconds, and looks every four. */
const LONGER_THAN_BUN_WAITS = 16_000;

describe.skipIf(noServer !== undefined)(
  `a hub's records in PostgreSQL${noServer ? ` (skipped: ${noServer})` : ""}`,
  () => {
    let cluster: Cluster;
    let schema = "";
    let tests = 0;
    const open: HubDatabase[] = [];
    beforeAll(async () => {
      cluster = await startCluster();
    });
    afterAll(() => cluster?.remove());
    beforeEach(() => {
      schema = `records_${tests++}`;
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((db) => db.close()));
    });
    async function opened(pollMs = 3_600_000): Promise<HubDatabase> {
      const db = await openHubPostgres({ url: cluster.url, schema, pollMs });
      open.push(db);
      return db;
    }

    test("[HA5] any change of the log, of what is kept beside it and of an exported file is found, by the log or by the kept head", async () => {
      await everyRowChangeIsFound(await opened(), 20);
      schema = `${schema}_head`;
      await keptHeadShowsIt(await opened());
      schema = `${schema}_file`;
      await everyFileChangeIsFound(await opened(), 20);
    });

    test("[HX2] a log is whole while another hub writes between any two steps of who verifies it", async () => {
      await wholeWhileOthersWrite(await opened(), await opened());
    });

    test("[HA6] several hubs write one log at once: one beginning, no gap, and it verifies", async () => {
      const all = (await Promise.all([opened(), opened(), opened()])).map(createHubRecords);
      await Promise.all(all.map(({ audit }) => audit.begin(1)));
      await Promise.all(
        all.flatMap((records, n) =>
          Array.from({ length: 20 }, (_, i) => records.addCode(`code ${n} ${i}`, 1000, Date.now())),
        ),
      );
      const [first] = all;
      if (!first) throw new Error("none");
      expect(await verifyRecords(first.audit, undefined, 1)).toMatchObject({ ok: true, events: 61, head: { seq: 61 } });
    });

    test("[HX6] while the database is away a hub says so: /ready soon, others once it was waited for, and it comes back", async () => {
      const db = await openHubPostgres({ url: cluster.url, schema, patienceMs: LONGER_THAN_BUN_WAITS });
      const inside = await openInside(db);
      try {
        const ann = await inside.token("Ann", "answerer", null);
        const get = (path: string) => fetch(`${inside.hub.url}${path}`, { headers: ann });
        expect((await get("/ready")).status).toBe(200);
        await cluster.kill();
        const [ready, health, asks] = await Promise.all([get("/ready"), get("/health"), get("/api/asks")]);
        expect([ready.status, health.status, asks.status]).toEqual([503, 200, 503]);
        expect(await asks.json()).toMatchObject({ error: { code: "database_away" } });
        await cluster.start();
        await eventually(async () => expect((await get("/ready")).status).toBe(200));
        expect((await get("/api/asks")).status).toBe(200);
      } finally {
        await inside[Symbol.asyncDispose]();
      }
    });

    test("[PE5] questions are routed over three hubs on PostgreSQL as over one file", async () => {
      await routesAreFollowed(await openHubPostgres({ url: cluster.url, schema }), () =>
        openHubPostgres({ url: cluster.url, schema }),
      );
    });

    test("[PE10] a claim that is over holds back no reminder, on PostgreSQL", async () => {
      await releasedIsReminded(await openHubPostgres({ url: cluster.url, schema }));
    });

    test("[PE11] what is asked of somebody who is revoked, and what they sent, on PostgreSQL", async () => {
      await revokedIsPassedOn(await openHubPostgres({ url: cluster.url, schema }));
    });

    test("[HX17] a token is ended alone, with its races, on PostgreSQL", async () => {
      // Closed with its hub.
      await tokenEndsAlone(await openHubPostgres({ url: cluster.url, schema, pollMs: 3_600_000 }));
    });

    test("[HX19] who ends a token waits for an answer that was looked at with it, and who answers for the end of it", async () => {
      const waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
      await endingWaits(await opened(), () =>
        eventually(async () => expect(await cluster.psql(waiting)).not.toBe("0")),
      );
    });

    test("[HX20] the name of a revoked member is free for somebody new, on PostgreSQL", async () => {
      // Closed with its hub.
      await nameIsFreeAgain(await openHubPostgres({ url: cluster.url, schema, pollMs: 3_600_000 }));
    });

    test("[HP15] a browser that was signed out is told why, and nobody else, on PostgreSQL", async () => {
      // Closed with its hub.
      await saysWhy(await openHubPostgres({ url: cluster.url, schema, pollMs: 3_600_000 }));
    });

    test("[HT3] work given is kept once, told, taken back and received on PostgreSQL as in one file", async () => {
      await workIsGiven(await opened());
    });

    test("[HT5] where a policy names tasks two people have to want them, with its races, on PostgreSQL", async () => {
      await twoGiveWork(await openHubPostgres({ url: cluster.url, schema, pollMs: 3_600_000 }));
    });

    test("[TP13] each of two who agreed takes the answer back while it is on its way, on PostgreSQL", async () => {
      await eitherTakesBack(await openHubPostgres({ url: cluster.url, schema, pollMs: 3_600_000 }));
    });

    test("[TP14] what stands behind an answer that was sent, of one who signed or of two, is compared with the log, on PostgreSQL", async () => {
      // Closed with its hub.
      await signedChoicesAreCompared(await openHubPostgres({ url: cluster.url, schema, pollMs: 3_600_000 }));
    });

    test("[TP2] two different members choose the same before anything is sent, with its races", async () => {
      // Closed with its hub.
      await everyWayOfTwo(await openHubPostgres({ url: cluster.url, schema, pollMs: 3_600_000 }));
    });

    test("[HA7] what one hub takes wakes the others, and again after the connection they listen on was lost", async () => {
      const [here, there] = [await opened(50), await opened()];
      const heard: string[] = [];
      createHubRecords(here).onTold((machine) => machine !== undefined && heard.push(machine));
      const listening = `FROM pg_stat_activity WHERE query LIKE 'LISTEN%parley_hub_${schema}%'`;
      const listens = () =>
        eventually(async () => expect(await cluster.psql(`SELECT count(*) ${listening}`)).toBe("1"));
      await listens();
      const records = await lived(there);
      await eventually(() => expect(new Set(heard)).toEqual(new Set(["machine1", "machine2", "bob"])));
      await cluster.psql(`SELECT pg_terminate_backend(pid) ${listening}`);
      // Told while nobody listens is not heard: whoever listens again wakes without a word, and hears what comes then.
      await eventually(async () => {
        await there.transaction(async (run) => there.tell?.(run, "again"));
        expect(heard).toContain("again");
      });
      await records.close();
      open.splice(1, 1);
    });
  },
);
