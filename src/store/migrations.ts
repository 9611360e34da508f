/** Forward only. The position in this list plus one is the schema's version (`PRAGMA user_version`). */
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
  `ALTER TABLE events ADD COLUMN task TEXT;
   CREATE TABLE tasks (
     id TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL, created_at INTEGER NOT NULL, data TEXT NOT NULL);
   CREATE INDEX tasks_active ON tasks (created_at) WHERE state IN ('queued', 'in_progress', 'waiting');`,
];
