import { expect, setDefaultTimeout, test } from "bun:test";
import { createDatabase } from "../../src/store/postgres/database.ts";
import { targetOf } from "../../src/store/postgres/open.ts";
import { TEST_MS } from "../patience.ts";

setDefaultTimeout(TEST_MS);

test("[HU13] while PostgreSQL is away whoever waits behind others is refused when they are, and not after each of them in turn", async () => {
  // Nobody listens there.
  const db = createDatabase(targetOf({ url: "postgresql://nobody@127.0.0.1:1/none" }), 1000, 2);
  const ends: string[] = [];
  const waits = Array.from({ length: 40 }, () =>
    db.transaction((run) => run("SELECT 1")).catch((error: { code?: string }) => void ends.push(String(error.code))),
  );
  await waits[0];
  // As patient as those, and it begins to wait when the first of them was refused.
  expect(await db.run("SELECT 1").catch((error: { code?: string }) => error.code)).toBe("database_away");
  expect(ends).toEqual(Array.from({ length: 40 }, () => "database_away"));
  await Promise.all(waits);
  await db.close();
});
