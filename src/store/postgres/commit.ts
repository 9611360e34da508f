import type { Step } from "../append-queue.ts";
import { foldChanges } from "../fold.ts";
import type { Change } from "../store.ts";
import type { Database } from "./database.ts";
import { isRefusedRow, type Run, together } from "./line.ts";
import { readStanding } from "./standing.ts";
import { writeRows } from "./write.ts";

type Applied = { steps: Step[]; written: Promise<unknown>[] };
type Deps = { db: Database; writer: string; channel: string };

/**
 * Commits changes in one transaction. Numbers come from the counter's row, which is locked until the commit: they have no
 * gaps and their order is that of the commits, whichever process they come from.
 * Contract: as `createAppendQueue` says. Each batch leaves its number with its writer, so that after a lost reply it is
 * known whether it was committed.
 */
export function createCommit({ db, writer, channel }: Deps): (changes: readonly Change[]) => Promise<readonly Step[]> {
  let batch = 0;

  /** What it has to write is on its way when it resolves: `written`. */
  async function apply(run: Run, changes: readonly Change[], trusting: boolean): Promise<Applied | "committed"> {
    const { standing, batch: last } = await readStanding(run, changes, writer, trusting);
    if (last === batch) return "committed";
    const { steps, rows } = foldChanges(changes, standing);
    const seq = rows.events.at(-1)?.event.seq;
    const written = writeRows(run, rows);
    if (seq !== undefined)
      // A number only, and once for all of it: whoever hears it reads from where it was.
      written.push(
        run(
          "WITH counted AS (UPDATE counter SET seq = $1 WHERE one) SELECT pg_notify($2, CAST(CAST($1 AS bigint) AS text))",
          [seq, channel],
        ),
      );
    return { steps, written };
  }

  const sign = (run: Run) =>
    run(
      "INSERT INTO writers (id, batch) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, at = now()",
      [writer, batch],
    );

  /** Each with a way back of its own. */
  async function applyEach(run: Run, changes: readonly Change[]): Promise<Applied | "committed"> {
    const steps: Step[] = [];
    for (const change of changes) {
      await run("SAVEPOINT change");
      try {
        const done = await apply(run, [change], false);
        if (done === "committed") return done;
        await together(done.written);
        steps.push(...done.steps);
        await run("RELEASE SAVEPOINT change");
      } catch (error) {
        if (!isRefusedRow(error)) throw error;
        await run("ROLLBACK TO SAVEPOINT change");
        steps.push({ error });
      }
    }
    return { steps, written: [] };
  }

  async function transaction(work: typeof applyEach, changes: readonly Change[]): Promise<readonly Step[]> {
    batch++;
    let steps: readonly Step[] = [];
    await db.transaction(async (run) => {
      const done = await work(run, changes);
      // Those of the attempt before: of all that wrote something only the last one can have been committed.
      if (done === "committed") return;
      ({ steps } = done);
      void sign(run);
    });
    return steps;
  }

  return async (changes) => {
    try {
      return await transaction((run, all) => apply(run, all, true), changes);
    } catch (error) {
      // A row was refused, which is rare: only then is each change worth a look before it and a way back of its own.
      if (!isRefusedRow(error)) throw error;
      return transaction(applyEach, changes);
    }
  };
}
