/**
 * Forward only: new ones go to the end, and none that has landed is changed or moved (`migrations.test.ts` has their
 * digests). Their number is the schema's version (`PRAGMA user_version`): a file with more of them is of a newer Parley.
 */
export const SQLITE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE events (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, v INTEGER NOT NULL, type TEXT NOT NULL,
     ask TEXT, session TEXT, data TEXT NOT NULL);
   CREATE INDEX events_of_ask ON events (ask, seq) WHERE ask IS NOT NULL;
   CREATE TABLE asks (
     id TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL, kind TEXT NOT NULL, session TEXT,
     project TEXT, created_at INTEGER NOT NULL, settled_at INTEGER, data TEXT NOT NULL);
   CREATE INDEX asks_active ON asks (created_at, id) WHERE state IN ('open', 'settled', 'delivered');
   CREATE INDEX asks_by_time ON asks (created_at, id);
   CREATE INDEX asks_of_session ON asks (session, created_at) WHERE session IS NOT NULL;
   CREATE TABLE sessions (
     id TEXT PRIMARY KEY, agent TEXT NOT NULL, seen_at INTEGER NOT NULL, ended_at INTEGER, data TEXT NOT NULL);
   CREATE INDEX sessions_by_time ON sessions (seen_at);
   CREATE TABLE once (key TEXT PRIMARY KEY, digest TEXT NOT NULL, ask TEXT NOT NULL, at INTEGER NOT NULL);`,
  `CREATE TABLE drafts (ask TEXT PRIMARY KEY, by TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL);`,
  // What a look at the inbox costs must not grow with what is over: each of these is small, or read from one end.
  `DROP INDEX asks_active;
   CREATE INDEX asks_active ON asks (created_at, id, state) WHERE state IN ('open', 'settled', 'delivered');
   CREATE INDEX asks_active_of_session ON asks (session, created_at, id)
     WHERE state IN ('open', 'settled', 'delivered') AND session IS NOT NULL;
   CREATE INDEX asks_mismatched ON asks (created_at, id) WHERE state = 'mismatched';
   CREATE INDEX asks_done ON asks (settled_at) WHERE state IN ('verified', 'mismatched', 'closed');
   DROP INDEX asks_of_session;
   CREATE INDEX asks_of_session ON asks (session, created_at, id) WHERE session IS NOT NULL;
   CREATE INDEX sessions_live ON sessions (seen_at) WHERE ended_at IS NULL;
   CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;
   CREATE INDEX events_of_session ON events (session) WHERE ask IS NULL;
   CREATE INDEX once_of_ask ON once (ask);`,
  `ALTER TABLE events ADD COLUMN task TEXT;
   CREATE TABLE tasks (
     id TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL, created_at INTEGER NOT NULL, data TEXT NOT NULL);
   CREATE INDEX tasks_active ON tasks (created_at) WHERE state IN ('queued', 'in_progress', 'waiting');`,
  `CREATE INDEX events_of_task ON events (task, seq) WHERE task IS NOT NULL;
   CREATE INDEX tasks_by_time ON tasks (created_at, id);`,
  // What people answered, by what was asked; "unkeyed" holds what was answered before there was such a table.
  `CREATE TABLE precedents (
     project TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, ask TEXT NOT NULL,
     PRIMARY KEY (project, key, at, ask)) WITHOUT ROWID;
   CREATE INDEX precedents_of_ask ON precedents (ask);
   CREATE TABLE unkeyed (ask TEXT PRIMARY KEY) WITHOUT ROWID;
   INSERT INTO unkeyed SELECT id FROM asks WHERE settled_at IS NOT NULL;
   CREATE TABLE piloted (
     ask TEXT PRIMARY KEY, at INTEGER NOT NULL, session TEXT, decider TEXT NOT NULL, result TEXT NOT NULL, spent INTEGER NOT NULL);
   CREATE INDEX piloted_by_time ON piloted (at) WHERE spent = 1;
   CREATE INDEX piloted_of_session ON piloted (session) WHERE spent = 1;`,
  // Which task comes next is asked each time anything happens to one: it must not read all that wait.
  `CREATE INDEX tasks_queued ON tasks (json_extract(data, '$.order.priority') DESC, created_at, id) WHERE state = 'queued';
   CREATE INDEX tasks_busy ON tasks (state) WHERE state = 'in_progress';`,
  // The ledger of trust; and what people answered is found by its template too, so all of it gets its names anew.
  `CREATE TABLE marks (
     project TEXT NOT NULL, decider TEXT NOT NULL, question TEXT NOT NULL, at INTEGER NOT NULL, ask TEXT NOT NULL,
     part INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (project, decider, question, at, ask, part)) WITHOUT ROWID;
   CREATE INDEX marks_of_ask ON marks (ask);
   INSERT OR IGNORE INTO unkeyed SELECT id FROM asks WHERE settled_at IS NOT NULL;`,
  `CREATE TABLE grants (id TEXT PRIMARY KEY, state TEXT NOT NULL, given_at INTEGER NOT NULL, data TEXT NOT NULL);
   CREATE INDEX grants_live ON grants (given_at, id) WHERE state = 'live';
   CREATE INDEX grants_by_time ON grants (given_at, id);`,
];

/** The table or index that this step is the first to make: where it is there, the step was done. */
export function signOf(step: number): string | undefined {
  const before = new Set(SQLITE_MIGRATIONS.slice(0, step).flatMap(madeBy));
  return madeBy(SQLITE_MIGRATIONS[step] ?? "").find((name) => !before.has(name));
}

const madeBy = (sql: string) => [...sql.matchAll(/CREATE (?:TABLE|INDEX) (\w+)/g)].flatMap(([, name]) => name ?? []);
