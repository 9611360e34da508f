import { HUB_SCHEMA, type HubDatabase } from "../hub-schema.ts";
import { createDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { type PostgresOptions, targetOf } from "./open.ts";

/** Of several hubs that start together one makes what is missing. */
const LOCK = 7_275_396;

/** What hubs keep, in PostgreSQL: any number of them may have it open. */
export async function openHubPostgres(options: PostgresOptions): Promise<HubDatabase> {
  const target = targetOf(options);
  const db = createDatabase(target, options.patienceMs ?? 30_000);
  try {
    await migrate(db, target.schema);
    await db.transaction(async (run) => {
      await run("SELECT pg_advisory_xact_lock($1, hashtext($2))", [LOCK, target.schema]);
      for (const step of HUB_SCHEMA) await run(step);
    });
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}
