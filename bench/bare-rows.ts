import type { Database } from "bun:sqlite";
import { makeId } from "../src/core/id.ts";
import { openDatabase } from "../src/store/sqlite/database.ts";

/** The event and the Ask as the store would write them, ready made. */
const [EVENT, ASK] = ["e".repeat(420), "a".repeat(520)];

/**
 * Group commit and nothing else: the batch policy, the settings and the tables of src/store, with rows that are ready.
 * `indexed: false` is one table without indexes: what a disk and SQLite can do at most.
 */
export function openBareRows(path: string, { indexed }: { indexed: boolean }) {
  const db = openDatabase(path);
  const put = indexed ? asksAndEvents(db) : plainRows(db);
  let queue: (() => void)[] = [];

  function flush(): void {
    const batch = queue;
    queue = [];
    db.query("BEGIN IMMEDIATE").run();
    for (let i = 0; i < batch.length; i++) put();
    db.query("COMMIT").run();
    for (const done of batch) done();
  }

  return {
    append: (): Promise<void> =>
      new Promise((done) => {
        if (queue.push(done) === 1) setImmediate(flush);
      }),
    close: () => db.close(),
  };
}

function asksAndEvents(db: Database): () => void {
  const putEvent = db.query("INSERT INTO events (at, v, type, ask, session, data) VALUES (?, 1, ?, ?, NULL, ?)");
  const putAsk = db.query(
    "INSERT INTO asks (id, version, state, kind, created_at, data) VALUES (?, 1, 'open', 'question', ?, ?)",
  );
  return () => {
    const [id, at] = [makeId(crypto.getRandomValues(new Uint8Array(16))), Date.now()];
    putEvent.run(at, "ask.captured", id, EVENT);
    putAsk.run(id, at, ASK);
  };
}

function plainRows(db: Database): () => void {
  db.run("CREATE TABLE IF NOT EXISTS rows (seq INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT NOT NULL)");
  const put = db.query("INSERT INTO rows (data) VALUES (?)");
  return () => {
    put.run(EVENT);
    put.run(ASK);
  };
}
