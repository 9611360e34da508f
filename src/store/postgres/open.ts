import { createAppendQueue } from "../append-queue.ts";
import { createListeners } from "../listeners.ts";
import { pruneInSteps } from "../prune-in-steps.ts";
import type { Store } from "../store.ts";
import { createPilotReader } from "./autopilot.ts";
import { createCommit } from "./commit.ts";
import { createDatabase } from "./database.ts";
import { createFollower } from "./follow.ts";
import type { Target } from "./line.ts";
import { migrate } from "./migrate.ts";
import { createPrunable } from "./prune.ts";
import { createReader } from "./read.ts";

export type PostgresOptions = Pick<Target, "url" | "password"> &
  Partial<Omit<Target, "url" | "password">> & { patienceMs?: number; pollMs?: number };

/**
 * The store in PostgreSQL. Any number of processes may have it open: listeners of each hear what all of them commit.
 * Contract besides the store's: what is asked of a database that is away waits `patienceMs` for it, then it throws
 * `database_away`; an append that throws so may have happened nevertheless, and then listeners hear of it.
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { patienceMs = 30_000, pollMs = 3000 } = options;
  const target = targetOf(options);
  const { schema } = target;
  const channel = `parley_${schema}`;
  const db = createDatabase(target, patienceMs);
  const begun = await begin().catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const { onCommit, tell } = createListeners();
  const reader = createReader(db.run);
  const prunable = createPrunable(db);
  const commit = createCommit({ db, channel, writer: crypto.randomUUID() });
  const read = (after: number) => reader.events({ after });
  const follower = createFollower({ target, channel, read, tell, from: begun, pollMs });
  const queue = createAppendQueue((changes) =>
    follower.during(
      () => commit(changes),
      (steps) => steps.flatMap((step) => ("value" in step ? step.value.events : [])),
    ),
  );
  let closing: Promise<void> | undefined;

  async function begin(): Promise<number> {
    await migrate(db, schema);
    return (await db.run<{ seq: number }>("SELECT seq FROM counter"))[0]?.seq ?? 0;
  }

  async function close(): Promise<void> {
    await queue.close();
    await follower.stop();
    await db.close();
  }

  return {
    ...reader,
    ...createPilotReader(db.run),
    append: queue.append,
    onCommit,
    prune: (before) => pruneInSteps(prunable, before),
    async problems() {
      const rows = await db.run<{ problem: string }>(PROBLEMS, [schema]);
      return rows.map(({ problem }) => problem);
    },
    close: () => (closing ??= close()),
  };
}

/** With the limits that hold where none are said. */
export function targetOf({ schema = "parley", ...options }: PostgresOptions): Target {
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) throw new Error(`not a name for a schema: ${schema}`);
  return { statementMs: 30_000, lockMs: 10_000, silenceMs: 60_000, ...options, schema };
}

const PROBLEMS = `
  SELECT 'the log has numbers behind its counter' AS problem FROM counter
    WHERE seq < (SELECT coalesce(max(seq), 0) FROM events)
  UNION ALL
  SELECT 'the index ' || c.relname || ' is not usable' FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = to_regnamespace($1) AND NOT i.indisvalid`;
