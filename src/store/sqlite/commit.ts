import type { Database } from "bun:sqlite";
import type { Step } from "../append-queue.ts";
import { foldChanges, type Rows, type Standing } from "../fold.ts";
import type { Change } from "../store.ts";

type Deps = { db: Database; standing: Standing; write: (rows: Rows) => void };

/**
 * Commits changes in one transaction, with one fsync for all.
 * Contract: what comes back as a value is on disk; an error in one undoes and fails that one alone. Throws, having
 * written nothing, when the transaction itself fails.
 */
export function createCommit({ db, standing, write }: Deps): (changes: readonly Change[]) => readonly Step[] {
  const trusting: Standing = { ...standing, refusesTakenIds: true };
  const begin = db.query("BEGIN IMMEDIATE");
  const commit = db.query("COMMIT");

  function apply(changes: readonly Change[], known: Standing): readonly Step[] {
    const { steps, rows } = foldChanges(changes, known);
    write(rows);
    return steps;
  }

  function transaction(work: () => readonly Step[]): readonly Step[] {
    begin.run();
    try {
      const steps = work();
      commit.run();
      return steps;
    } catch (error) {
      if (db.inTransaction) db.query("ROLLBACK").run();
      throw error;
    }
  }

  /** One that ended the whole transaction goes up. */
  function attempt(change: Change): readonly Step[] {
    db.query("SAVEPOINT change").run();
    try {
      const steps = apply([change], standing);
      db.query("RELEASE change").run();
      return steps;
    } catch (error) {
      if (!db.inTransaction) throw error;
      db.query("ROLLBACK TO change").run();
      db.query("RELEASE change").run();
      return [{ error }];
    }
  }

  return (changes) => {
    try {
      return transaction(() => apply(changes, trusting));
    } catch {
      // SQLite refused a row, which is rare: only then is each change worth a look before it and a way back of its own.
      return transaction(() => changes.flatMap(attempt));
    }
  };
}
