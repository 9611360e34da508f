import { Database } from "bun:sqlite";
import { orUnwritable } from "../../core/unwritable.ts";
import { HUB_SCHEMA, type HubDatabase, type HubRun } from "../hub/schema.ts";

/** Long: another process may be writing, on a disk that is slow just now. */
const BUSY_MS = 60_000;

/** What a hub keeps, in one file. Other processes of the same machine may have it open too. */
export function openHubSqlite(path: string): HubDatabase {
  const db = new Database(path, { create: true, strict: true });
  for (const pragma of [`busy_timeout = ${BUSY_MS}`, "journal_mode = WAL", "synchronous = FULL"])
    db.run(`PRAGMA ${pragma}`);
  db.transaction(() => HUB_SCHEMA.forEach((step) => db.run(step))).immediate();
  let turn: Promise<unknown> = Promise.resolve();

  const say: HubRun = async <T extends object>(text: string, values: readonly (string | number | null)[] = []) =>
    db.query(text.replaceAll(/\$(\d+)/g, "?$1")).all(...values) as T[];

  /** One after the other: there is one connection, and nobody looks into a transaction of another. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work).catch((error: unknown) => {
      throw orUnwritable(error, path);
    });
    turn = mine.catch(() => undefined);
    return mine;
  }

  return {
    run: <T extends object>(text: string, values?: readonly (string | number | null)[]) =>
      inTurn(() => say<T>(text, values)),
    transaction: (work) =>
      inTurn(async () => {
        db.run("BEGIN IMMEDIATE");
        const said: Promise<unknown>[] = [];
        const saying: HubRun = (text, values) => {
          const mine = say<never>(text, values);
          mine.catch(() => undefined);
          said.push(mine);
          return mine;
        };
        try {
          const result = await work(saying);
          await Promise.all(said);
          db.run("COMMIT");
          return result;
        } catch (error) {
          if (db.inTransaction) db.run("ROLLBACK");
          throw error;
        }
      }),
    snapshot: (work) =>
      inTurn(async () => {
        db.run("BEGIN");
        try {
          return await work(say);
        } finally {
          db.run("ROLLBACK");
        }
      }),
    async close() {
      await turn;
      db.close();
    },
  };
}
