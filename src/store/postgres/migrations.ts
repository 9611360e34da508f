/** Forward only, as those of the embedded store. Their number is what `parley_schema` has. */
export const POSTGRES_MIGRATIONS: readonly string[] = [
  // Content is text, not jsonb: what was written is read back byte for byte, and JSON may hold a NUL, which jsonb refuses.
  `CREATE TABLE counter (one boolean PRIMARY KEY CHECK (one), seq bigint NOT NULL) WITH (fillfactor = 50);
   INSERT INTO counter VALUES (true, 0);
   CREATE TABLE writers (id text PRIMARY KEY, batch bigint NOT NULL, at timestamptz NOT NULL DEFAULT now()) WITH (fillfactor = 50);
   CREATE TABLE events (
     seq bigint PRIMARY KEY, at float8 NOT NULL, v int NOT NULL, type text NOT NULL,
     ask text COLLATE "C", session text COLLATE "C", task text COLLATE "C", data text NOT NULL);
   CREATE INDEX events_of_ask ON events (ask, seq) WHERE ask IS NOT NULL;
   CREATE INDEX events_of_session ON events (session) WHERE ask IS NULL;
   CREATE INDEX events_of_task ON events (task, seq) WHERE task IS NOT NULL;
   CREATE TABLE asks (
     id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, state text NOT NULL, kind text NOT NULL, agent text NOT NULL,
     session text COLLATE "C", project text, created_at float8 NOT NULL, settled_at float8, data text NOT NULL);
   CREATE INDEX asks_active ON asks (created_at, id, state) WHERE state IN ('open', 'settled', 'delivered');
   CREATE INDEX asks_by_time ON asks (created_at, id);
   CREATE INDEX asks_of_session ON asks (session, created_at, id) WHERE session IS NOT NULL;
   CREATE INDEX asks_mismatched ON asks (created_at, id) WHERE state = 'mismatched';
   CREATE INDEX asks_done ON asks (settled_at, id) WHERE state IN ('verified', 'mismatched', 'closed');
   CREATE TABLE sessions (
     id text COLLATE "C" PRIMARY KEY, agent text NOT NULL, seen_at float8 NOT NULL, ended_at float8, data text NOT NULL);
   CREATE INDEX sessions_by_time ON sessions (seen_at);
   CREATE INDEX sessions_live ON sessions (seen_at) WHERE ended_at IS NULL;
   CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;
   CREATE TABLE once (key text COLLATE "C" PRIMARY KEY, digest text NOT NULL, ask text COLLATE "C" NOT NULL, at float8 NOT NULL);
   CREATE INDEX once_of_ask ON once (ask);
   CREATE TABLE drafts (ask text COLLATE "C" PRIMARY KEY, by text NOT NULL, at float8 NOT NULL, data text NOT NULL);
   CREATE TABLE tasks (
     id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, state text NOT NULL, priority float8 NOT NULL,
     created_at float8 NOT NULL, data text NOT NULL);
   CREATE INDEX tasks_by_time ON tasks (created_at, id);
   CREATE INDEX tasks_queued ON tasks (priority DESC, created_at, id) WHERE state = 'queued';
   CREATE INDEX tasks_busy ON tasks (state) WHERE state = 'in_progress';
   CREATE TABLE grants (id text COLLATE "C" PRIMARY KEY, state text NOT NULL, given_at float8 NOT NULL, data text NOT NULL);
   CREATE INDEX grants_live ON grants (given_at, id) WHERE state = 'live';
   CREATE INDEX grants_by_time ON grants (given_at, id);
   CREATE TABLE precedents (
     project text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, at float8 NOT NULL, ask text COLLATE "C" NOT NULL,
     PRIMARY KEY (project, key, at, ask));
   CREATE INDEX precedents_of_ask ON precedents (ask);
   CREATE TABLE piloted (
     ask text COLLATE "C" PRIMARY KEY, at float8 NOT NULL, session text COLLATE "C", decider text COLLATE "C" NOT NULL,
     result text COLLATE "C" NOT NULL, spent int NOT NULL);
   CREATE INDEX piloted_by_time ON piloted (at) WHERE spent = 1;
   CREATE INDEX piloted_of_session ON piloted (session) WHERE spent = 1;
   CREATE TABLE marks (
     project text COLLATE "C" NOT NULL, decider text COLLATE "C" NOT NULL, question text COLLATE "C" NOT NULL,
     at float8 NOT NULL, ask text COLLATE "C" NOT NULL, part int NOT NULL, data text NOT NULL,
     PRIMARY KEY (project, decider, question, at, ask, part));
   CREATE INDEX marks_of_ask ON marks (ask);`,
];
