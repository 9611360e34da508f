import { afterAll, beforeAll, beforeEach, describe, setDefaultTimeout, test } from "bun:test";
import { openPostgres } from "../../src/store/postgres/open.ts";
import { storeContract } from "../contract/store.ts";
import { TEST_MS } from "../patience.ts";
import { type Cluster, noServer, startCluster } from "./cluster.ts";

setDefaultTimeout(TEST_MS);

if (noServer !== undefined)
  test.skip(`[HB2] the store in PostgreSQL keeps the contract (skipped: ${noServer})`, () => undefined);
else
  describe("[HB2]", () => {
    let cluster: Cluster;
    let schema = "";
    let tests = 0;
    beforeAll(async () => {
      cluster = await startCluster();
    });
    afterAll(() => cluster?.remove());
    beforeEach(() => {
      schema = `test_${tests++}`;
    });
    storeContract("postgres", { open: () => openPostgres({ url: cluster.url, schema }) });
  });
