import { expect, setDefaultTimeout, test } from "bun:test";
import { TEST_MS } from "../patience.ts";
import { openInside } from "./hub-inside.ts";
import { noServer, startCluster } from "./cluster.ts";
import { openHubPostgres } from "../../src/store/postgres/hub.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";

setDefaultTimeout(TEST_MS);

async function named(database?: HubDatabase): Promise<void> {
  await using inside = await openInside(database);
  const ann = await inside.token("Ann", "viewer", "site");
  const open = await inside.ask("question");
  const over = await inside.ask("approval");
  await inside.settle(over);
  const other = await inside.ask("question", "shop");
  const ask = async (ids: unknown, who = ann) => {
    const reply = await inside.post("/api/asks", { ids }, who);
    const { asks = [] } = (await reply.json()) as { asks?: { id: string; state: string }[] };
    return [reply.status, asks.map(({ id, state }) => `${id} ${state}`).toSorted()];
  };
  const many = Array.from({ length: 497 }, (_, i) => `x${i}`);
  expect(await ask([open, over, other, ...many])).toEqual([200, [`${open} open`, `${over} closed`]]);
  expect(await ask([])).toEqual([200, []]);
  expect(await ask([open, over, other, "y", ...many])).toEqual([422, []]);
  expect(await ask(["%"])).toEqual([422, []]);
  expect(await ask([open], { authorization: "Bearer nobody" })).toEqual([401, []]);
}

test("[HI19] of questions that are named by their ids a hub says those that there are, and that their member sees: embedded", () =>
  named());

test.skipIf(noServer !== undefined)(
  `[HI19] of questions that are named by their ids a hub says those that there are, and that their member sees: PostgreSQL${noServer ? ` (skipped: ${noServer})` : ""}`,
  async () => {
    const cluster = await startCluster();
    try {
      await named(await openHubPostgres({ url: cluster.url }));
    } finally {
      await cluster.remove();
    }
  },
);
