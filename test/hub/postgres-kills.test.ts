import { expect, setDefaultTimeout, test } from "bun:test";
import type { LogEvent } from "../../src/core/ask/event.ts";
import { openPostgres } from "../../src/store/postgres/open.ts";
import { create, settled } from "../contract/store-sample.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { noServer, startCluster } from "./cluster.ts";

setDefaultTimeout(TEST_MS);
const KILLS = Number(process.env["PARLEY_TEST_KILLS"] ?? 3);

test.skipIf(noServer !== undefined)(
  `[HB11] PostgreSQL killed with -9 under load and started again: nothing acknowledged is lost or doubled${noServer ? ` (skipped: ${noServer})` : ""}`,
  async () => {
    const cluster = await startCluster({ durable: true });
    const open = () => openPostgres({ url: cluster.url, patienceMs: TEST_MS, pollMs: 200 });
    const stores = await Promise.all([open(), open()]);
    const heard = stores.map((store) => {
      const events: LogEvent[] = [];
      store.onCommit((some) => events.push(...some));
      return events;
    });
    const acknowledged: string[] = [];
    let isOver = false;
    const load = stores.flatMap((store, n) =>
      [0, 1, 2, 3].map(async (lane) => {
        for (let i = 0; !isOver; i++) {
          const id = `${n}-${lane}-${i}`;
          expect((await create(store, { id, more: [settled(1)] })).type).toBe("done");
          acknowledged.push(id);
        }
      }),
    );
    for (let kill = 0; kill < KILLS; kill++) {
      const before = acknowledged.length;
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 20 + kill * 7));
      await cluster.kill();
      await cluster.start();
    }
    const last = acknowledged.length;
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(last + 20));
    isOver = true;
    await Promise.all(load);

    const [store] = stores;
    const total = 2 * acknowledged.length;
    const log: LogEvent[] = [];
    for (let page = await store.events({}); page.length > 0; page = await store.events({ after: log.length }))
      log.push(...page);
    expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, i) => i + 1));
    const captured = log.filter(({ type }) => type === "ask.captured").map(({ ask = "" }) => ask);
    expect(captured.toSorted()).toEqual(acknowledged.toSorted());
    expect(await store.problems()).toEqual([]);
    await eventually(() => {
      for (const events of heard) expect(events.map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
    });
    await Promise.all(stores.map((each) => each.close()));
    await cluster.remove();
  },
);
