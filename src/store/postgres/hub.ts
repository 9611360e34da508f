import { ParleyError } from "../../core/error.ts";
import { HUB_SCHEMA, type HubDatabase, type HubRun } from "../hub/schema.ts";
import { createDatabase, type Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { type PostgresOptions, targetOf } from "./open.ts";
import { refusalOf, refused, unreachable } from "./refusal.ts";
import { createWaker } from "./wake.ts";

/** Of several hubs that start together one makes what is missing. */
const LOCK = 7_275_396;
/** What one machine tells is not to wait until what another told is on disk. */
const WRITERS = 3;
const FIRST_COUNT = 50;
const TABLES = HUB_SCHEMA.flatMap((step) => /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(step)?.[1] ?? []);

/** What hubs keep, in PostgreSQL: any number of them may have it open. Contract: what it throws says what to do. */
export async function openHubPostgres(options: PostgresOptions): Promise<HubDatabase> {
  const target = targetOf(options);
  const nowhere = await unreachable(target);
  if (nowhere) throw refused(nowhere);
  const db = createDatabase(target, options.patienceMs ?? 30_000, WRITERS);
  try {
    await migrate(db, target.schema);
    await db.transaction(async (run) => {
      await run("SELECT pg_advisory_xact_lock($1, hashtext($2))", [LOCK, target.schema]);
      for (const step of HUB_SCHEMA) await run(step);
    });
  } catch (error) {
    const refusal = await refusalOf(error, target, db.run).catch(() => undefined);
    await db.close();
    if (error instanceof ParleyError && error.code === "database_away")
      throw new ParleyError(error.code, `${error.message} Start it, or correct the host and the port in the URL`, {
        cause: error,
      });
    throw refusal ? refused(refusal, error) : error;
  }
  return { ...db, transaction: countingWrites(db), ...createTelling() };

  /** One hub tells all: ids alone, and reading is done from the tables. Only who listens has a connection for it. */
  function createTelling() {
    const channel = `parley_hub_${target.schema}`;
    const listeners = new Set<(told?: string) => void>();
    let waker: ReturnType<typeof createWaker> | undefined;
    return {
      async tell(say: HubRun, told: string): Promise<void> {
        await say("SELECT pg_notify($1, $2)", [channel, told]);
      },
      onTold(listener: (told?: string) => void): () => void {
        listeners.add(listener);
        const wake = (told?: string) => {
          for (const each of listeners) each(told);
        };
        waker ??= createWaker({ target, channel, pollMs: options.pollMs ?? 3000, wake });
        return () => void listeners.delete(listener);
      },
      async close(): Promise<void> {
        listeners.clear();
        await waker?.stop();
        await db.close();
      },
    };
  }
}

/**
 * A statement keeps the plan that was made for it while its tables were small, until the server has counted their rows anew, which
 * it does once a minute or, where somebody switched that off, never. In a minute a new hub can grow a hundredfold: so it is
 * asked to count after as many writes, and each time after four times as many.
 */
function countingWrites({ run, transaction }: Pick<Database, "run" | "transaction">): Database["transaction"] {
  let [writes, next] = [0, FIRST_COUNT];
  return async (work) => {
    const result = await transaction(work);
    if (++writes === next) {
      next *= 4;
      // Whoever may not, as where the tables are somebody else's, has the server's own.
      void run(`ANALYZE ${TABLES.join(", ")}`).catch(() => undefined);
    }
    return result;
  };
}
