import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { POSTGRES_MIGRATIONS } from "./migrations.ts";

/** Every step that has landed, by its digest. Only ever appended to: somebody's database was made by it as it stands. */
const LANDED = ["1d5734e1"];
const digestOf = (sql: string) => createHash("sha256").update(sql).digest("hex").slice(0, 8);

test("[HA15] a migration of PostgreSQL that has landed stays as it is and where it is", () => {
  expect(POSTGRES_MIGRATIONS.map(digestOf)).toEqual(LANDED);
});
