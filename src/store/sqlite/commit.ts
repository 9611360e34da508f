import type { Database } from "bun:sqlite";

export type Step<T> = { value: T } | { error: unknown };

/**
 * Writes each in one transaction, with one fsync for all.
 * Contract: what comes back as a value is on disk; an error in one undoes and fails that one alone. Throws, having
 * written nothing, when the transaction itself fails.
 */
export function commitTogether<C, T>(db: Database, changes: readonly C[], write: (change: C) => T): Step<T>[] {
  try {
    return transaction(db, () => changes.map((change) => ({ value: write(change) })));
  } catch {
    // An error is rare: only then is each change worth a way back of its own, which costs as much as the change.
    return transaction(db, () => changes.map((change) => attempt(db, () => write(change))));
  }
}

function transaction<T>(db: Database, work: () => T): T {
  db.query("BEGIN IMMEDIATE").run();
  try {
    const value = work();
    db.query("COMMIT").run();
    return value;
  } catch (error) {
    if (db.inTransaction) db.query("ROLLBACK").run();
    throw error;
  }
}

/** One that ended the whole transaction goes up. */
function attempt<T>(db: Database, work: () => T): Step<T> {
  db.query("SAVEPOINT change").run();
  try {
    const value = work();
    db.query("RELEASE change").run();
    return { value };
  } catch (error) {
    if (!db.inTransaction) throw error;
    db.query("ROLLBACK TO change").run();
    db.query("RELEASE change").run();
    return { error };
  }
}
