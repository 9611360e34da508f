import { ParleyError } from "../../core/error.ts";
import type { Database } from "./database.ts";
import type { Run } from "./line.ts";
import { POSTGRES_MIGRATIONS } from "./migrations.ts";

/** The same for every Parley: of several that start together one changes the schema. */
const LOCK = 7_275_395;
/** A step may rewrite a table. */
const STEP_LIMIT = "30min";
/** Nobody is in doubt about a commit for so long. */
const WRITERS_KEPT = "7 days";

/** Contract: the schema is the newest one, or it throws and changed nothing. Any number of processes may call it at once. */
export async function migrate(db: Database, schema: string): Promise<void> {
  await checkSettings(db, schema);
  const known = POSTGRES_MIGRATIONS.length;
  await db.transaction(async (run) => {
    await run("SELECT pg_advisory_xact_lock($1, hashtext($2))", [LOCK, schema]);
    // Whoever may use it may not be allowed to make one, and the server asks for that first.
    const [there] = await run("SELECT 1 AS one FROM pg_namespace WHERE nspname = $1", [schema]);
    if (!there) await run(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await run("CREATE TABLE IF NOT EXISTS parley_schema (one boolean PRIMARY KEY CHECK (one), steps int NOT NULL)");
    const [row] = await run<{ steps: number }>("SELECT steps FROM parley_schema");
    const done = row?.steps ?? 0;
    if (done > known)
      throw new ParleyError(
        "newer_database",
        `The database was written by a newer Parley (schema ${done}, this one knows ${known}). Update Parley; nothing was changed.`,
      );
    if (done < known) await takeSteps(run, done);
    await run(`DELETE FROM writers WHERE at < now() - interval '${WRITERS_KEPT}'`);
  });
}

async function takeSteps(run: Run, done: number): Promise<void> {
  await run(`SET LOCAL statement_timeout = '${STEP_LIMIT}'`);
  for (const step of POSTGRES_MIGRATIONS.slice(done)) await run(step);
  await run("INSERT INTO parley_schema VALUES (true, $1) ON CONFLICT (one) DO UPDATE SET steps = $1", [
    POSTGRES_MIGRATIONS.length,
  ]);
}

/** What is between here and the server may drop what a connection asks for, and text may not be Unicode. */
async function checkSettings(db: Database, schema: string): Promise<void> {
  const [found] = await db.run<{ path: string; limit: string; encoding: string }>(
    `SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS limit,
       current_setting('server_encoding') AS encoding WHERE $1::int = 1`,
    [1],
  );
  if (found?.encoding !== "UTF8")
    throw new ParleyError(
      "settings",
      `The database holds ${found?.encoding}, not UTF8: make one with ENCODING 'UTF8'.`,
    );
  if (found.path !== schema || found.limit === "0")
    throw new ParleyError(
      "settings",
      "Something between here and PostgreSQL drops the settings of a connection (search_path, statement_timeout), as pgbouncer does with ignore_startup_parameters. Connect to the server itself.",
    );
}
