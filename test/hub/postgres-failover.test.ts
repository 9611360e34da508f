import { expect, setDefaultTimeout, test } from "bun:test";
import type { LogEvent } from "../../src/core/ask/event.ts";
import { openPostgres } from "../../src/store/postgres/open.ts";
import { create } from "../contract/store-sample.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { noServer, startCluster } from "./cluster.ts";

setDefaultTimeout(TEST_MS);

test.skipIf(noServer !== undefined)(
  `[HB12] the primary lost and its synchronous standby, which the URL names first, promoted: nothing acknowledged is lost or doubled, and writing and hearing go on${noServer ? ` (skipped: ${noServer})` : ""}`,
  async () => {
    const primary = await startCluster({ durable: true });
    const standby = await startCluster({ durable: true, standbyOf: primary });
    // Only now: a standby inherits the setting, and once promoted every commit would wait for a standby of its own.
    await primary.psql("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await primary.psql("SELECT pg_reload_conf()");
    const synced = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    await eventually(async () => expect(await primary.psql(synced)).toBe("1"));
    // The standby first: whoever connects passes it by until it is promoted.
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
    const url = `postgresql://parley@${hosts}/postgres?target_session_attrs=read-write`;
    const open = () => openPostgres({ url, patienceMs: TEST_MS, pollMs: 200 });
    const [writer, reader] = [await open(), await open()];
    const heard: LogEvent[] = [];
    reader.onCommit((events) => heard.push(...events));
    const acknowledged: { id: string; at: number }[] = [];
    let isOver = false;
    const lanes = [0, 1, 2, 3].map(async (lane) => {
      for (let i = 0; !isOver; i++) {
        expect((await create(writer, { id: `${lane}-${i}` })).type).toBe("done");
        acknowledged.push({ id: `${lane}-${i}`, at: performance.now() });
      }
    });
    const more = async (count: number) => {
      const before = acknowledged.length;
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + count));
    };
    await more(50);
    await primary.kill();
    await standby.psql("SELECT pg_promote()");
    await more(50);
    isOver = true;
    await Promise.all(lanes);

    const log: LogEvent[] = [];
    for (let page = await writer.events({}); page.length > 0; page = await writer.events({ after: log.length }))
      log.push(...page);
    expect(log.map(({ seq }) => seq)).toEqual(acknowledged.map((_, i) => i + 1));
    expect(log.map(({ ask = "" }) => ask).toSorted()).toEqual(acknowledged.map(({ id }) => id).toSorted());
    await eventually(() => expect(heard.map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq)));
    if (process.env["PARLEY_TEST_TELL"]) {
      const gaps = acknowledged.map(({ at }, i) => at - (acknowledged[i - 1]?.at ?? at));
      process.stderr.write(`${acknowledged.length} acknowledged, longest gap ${Math.round(Math.max(...gaps))} ms\n`);
    }
    await Promise.all([writer.close(), reader.close()]);
    await Promise.all([primary.remove(), standby.remove()]);
  },
);
