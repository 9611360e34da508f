type Value = string | number | null;
export type HubRun = <T extends object>(text: string, values?: readonly Value[]) => Promise<T[]>;

/**
 * What a hub needs of an engine: statements that both engines read the same, with `$1` for a value. Contract: a transaction is
 * on disk when it resolves, and may be begun again from nothing where its reply was lost. What is said in it without waiting
 * is done in its order, in one round trip with the commit; where any of it fails, all of it is undone and it throws.
 */
export type HubDatabase = {
  run: HubRun;
  transaction<T>(work: (run: HubRun) => Promise<T>): Promise<T>;
  /** Reads alone, all of them of one moment, whatever is written meanwhile. It may be begun again from nothing. */
  snapshot<T>(work: (run: HubRun) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  /** In a transaction: other hubs with these records hear it when it is done. */
  tell?(run: HubRun, told: string): Promise<void>;
  /** Without a word: something may have been told that was not heard. */
  onTold?(listener: (told?: string) => void): () => void;
};

/** Each makes what is not there yet; forward only. Codes and tokens are here as digests alone. */
export const HUB_SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS hub_codes (
     hash text PRIMARY KEY, expires_at bigint NOT NULL, used_by text)`,
  `CREATE TABLE IF NOT EXISTS hub_machines (
     id text PRIMARY KEY, name text NOT NULL, token text NOT NULL UNIQUE, projects text NOT NULL, joined_at bigint NOT NULL,
     seen_at bigint NOT NULL, revoked_at bigint, link text, log_read bigint, intents bigint NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS hub_members (
     id text PRIMARY KEY, name text NOT NULL UNIQUE, made_at bigint NOT NULL, acted_at bigint, revoked_at bigint)`,
  `CREATE TABLE IF NOT EXISTS hub_tokens (
     hash text PRIMARY KEY, member text NOT NULL, role text NOT NULL, project text, made_at bigint NOT NULL, expires_at bigint)`,
  `CREATE TABLE IF NOT EXISTS hub_asks (
     machine text NOT NULL, id text NOT NULL, version bigint NOT NULL, state text NOT NULL, project text,
     created_at bigint NOT NULL, data text NOT NULL, PRIMARY KEY (machine, id))`,
  "CREATE INDEX IF NOT EXISTS hub_asks_open ON hub_asks (created_at, id) WHERE state = 'open'",
  "CREATE INDEX IF NOT EXISTS hub_asks_by_id ON hub_asks (id)",
  `CREATE TABLE IF NOT EXISTS hub_intents (
     machine text NOT NULL, n bigint NOT NULL, key text NOT NULL, ask text NOT NULL, member text NOT NULL, at bigint NOT NULL,
     settlement text NOT NULL, state text NOT NULL, detail text, done_at bigint, PRIMARY KEY (machine, n))`,
  // The first one wins. One that came to nothing makes room for another.
  "CREATE UNIQUE INDEX IF NOT EXISTS hub_intents_first ON hub_intents (machine, ask) WHERE state <> 'withdrawn'",
  "CREATE INDEX IF NOT EXISTS hub_intents_of_ask ON hub_intents (machine, ask, n)",
  // The log of who did what: `content` may be forgotten, the rest never changes.
  `CREATE TABLE IF NOT EXISTS hub_audit (
     seq bigint PRIMARY KEY, at bigint NOT NULL, kind text NOT NULL, actor text NOT NULL, facts text NOT NULL, digest text,
     prev text NOT NULL, hash text NOT NULL, content text)`,
  "CREATE TABLE IF NOT EXISTS hub_audit_head (one int PRIMARY KEY, seq bigint NOT NULL, hash text NOT NULL)",
  `INSERT INTO hub_audit_head (one, seq, hash) VALUES (1, 0, '${"0".repeat(64)}') ON CONFLICT (one) DO NOTHING`,
  // Machines that come and go: `ended_at` is when one did.
  `CREATE TABLE IF NOT EXISTS hub_machine_tokens (
     id text PRIMARY KEY, hash text NOT NULL UNIQUE, name text NOT NULL, projects text NOT NULL, made_at bigint NOT NULL,
     expires_at bigint, used_at bigint, revoked_at bigint)`,
  "CREATE TABLE IF NOT EXISTS hub_jobs (machine text PRIMARY KEY, token text NOT NULL, ended_at bigint)",
  // Which intents their machine may have, and which of those are to be given back.
  "CREATE TABLE IF NOT EXISTS hub_told (machine text NOT NULL, n bigint NOT NULL, PRIMARY KEY (machine, n))",
  `CREATE TABLE IF NOT EXISTS hub_take_backs (
     machine text NOT NULL, n bigint NOT NULL, member text NOT NULL, at bigint NOT NULL, PRIMARY KEY (machine, n))`,
  "CREATE TABLE IF NOT EXISTS hub_keys (name text PRIMARY KEY, secret text NOT NULL)",
  // Members who sign in with a passkey. A role is for one project, or for all of them: then its scope is empty.
  `CREATE TABLE IF NOT EXISTS hub_roles (
     member text NOT NULL, scope text NOT NULL, project text, role text NOT NULL, PRIMARY KEY (member, scope))`,
  `CREATE TABLE IF NOT EXISTS hub_passkeys (
     id text PRIMARY KEY, member text NOT NULL, public_key text NOT NULL, counter bigint NOT NULL, transports text NOT NULL,
     made_at bigint NOT NULL, used_at bigint)`,
  `CREATE TABLE IF NOT EXISTS hub_sessions (
     hash text PRIMARY KEY, previews text NOT NULL UNIQUE, id text NOT NULL UNIQUE, member text NOT NULL, name text NOT NULL,
     made_at bigint NOT NULL, seen_at bigint NOT NULL, ends_at bigint NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS hub_invites (
     hash text PRIMARY KEY, name text, role text NOT NULL, project text NOT NULL, first integer NOT NULL,
     expires_at bigint NOT NULL, used_by text)`,
  // Challenges that were answered: each is good once.
  "CREATE TABLE IF NOT EXISTS hub_used (hash text PRIMARY KEY, by_whom text NOT NULL, expires_at bigint NOT NULL)",
  "CREATE TABLE IF NOT EXISTS hub_facts (name text PRIMARY KEY, value text NOT NULL)",
  // The newest that happened to each Ask, in the order of its machine: pages read on from there.
  "CREATE TABLE IF NOT EXISTS hub_news (machine text NOT NULL, ask text NOT NULL, n bigint NOT NULL, PRIMARY KEY (machine, ask))",
  "CREATE INDEX IF NOT EXISTS hub_news_in_order ON hub_news (machine, n)",
  `CREATE TABLE IF NOT EXISTS hub_claims (
     machine text NOT NULL, ask text NOT NULL, member text NOT NULL, by_whom text, at bigint NOT NULL, ends_at bigint NOT NULL,
     PRIMARY KEY (machine, ask))`,
  // Which answers need two people, or a signature; and what one of two has chosen: `n` is the intent it became part of.
  `CREATE TABLE IF NOT EXISTS hub_policies (
     id text PRIMARY KEY, two integer NOT NULL, signed integer NOT NULL, project text, kind text, stake text,
     made_at bigint NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS hub_halves (
     machine text NOT NULL, ask text NOT NULL, member text NOT NULL, n bigint NOT NULL, key text NOT NULL, at bigint NOT NULL,
     settlement text NOT NULL, shown text NOT NULL, answer text NOT NULL, signed text,
     PRIMARY KEY (machine, ask, member, n))`,
  "CREATE INDEX IF NOT EXISTS hub_halves_of_ask ON hub_halves (ask)",
  // Whom questions go to: what was set, and for each Ask who was asked so far and when it is the next one's turn.
  "CREATE TABLE IF NOT EXISTS hub_groups (name text PRIMARY KEY, members text NOT NULL)",
  `CREATE TABLE IF NOT EXISTS hub_routes (
     id text PRIMARY KEY, project text, kind text, stakes integer NOT NULL, steps text NOT NULL, after_ms bigint NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS hub_routed (
     machine text NOT NULL, ask text NOT NULL, steps text NOT NULL, after_ms bigint NOT NULL, step bigint NOT NULL,
     reminded integer NOT NULL, people text NOT NULL, since bigint NOT NULL, due_at bigint, hushed integer NOT NULL,
     PRIMARY KEY (machine, ask))`,
  "CREATE INDEX IF NOT EXISTS hub_routed_due ON hub_routed (due_at) WHERE hushed = 0 AND due_at IS NOT NULL",
  "CREATE TABLE IF NOT EXISTS hub_asked (machine text NOT NULL, ask text NOT NULL, member text NOT NULL, PRIMARY KEY (machine, ask, member))",
  // Browsers that take pushes, and what each is shown: `wants` is what it is to be told next, from `due_at` on.
  `CREATE TABLE IF NOT EXISTS hub_pushes (
     session text PRIMARY KEY, member text NOT NULL, endpoint text NOT NULL UNIQUE, p256dh text NOT NULL, auth text NOT NULL,
     at bigint NOT NULL)`,
  "CREATE INDEX IF NOT EXISTS hub_pushes_of ON hub_pushes (member)",
  `CREATE TABLE IF NOT EXISTS hub_notices (
     machine text NOT NULL, ask text NOT NULL, session text NOT NULL, message text NOT NULL UNIQUE, wants text NOT NULL,
     n bigint NOT NULL, due_at bigint, busy_until bigint NOT NULL, tries bigint NOT NULL, shown integer NOT NULL,
     PRIMARY KEY (machine, ask, session))`,
  "CREATE INDEX IF NOT EXISTS hub_notices_due ON hub_notices (due_at) WHERE due_at IS NOT NULL",
  "CREATE INDEX IF NOT EXISTS hub_notices_of ON hub_notices (session)",
  // Who looks at what, in which tab.
  `CREATE TABLE IF NOT EXISTS hub_looks (
     tab text PRIMARY KEY, machine text NOT NULL, ask text NOT NULL, member text NOT NULL, ends_at bigint NOT NULL)`,
  // Where machines take work, as they said last; and what was given: numbered with the intents of its machine.
  "CREATE TABLE IF NOT EXISTS hub_offers (machine text PRIMARY KEY, projects text NOT NULL)",
  `CREATE TABLE IF NOT EXISTS hub_tasks (
     id text PRIMARY KEY, machine text NOT NULL, n bigint NOT NULL, key text NOT NULL, member text NOT NULL, at bigint NOT NULL,
     project text NOT NULL, prompt text NOT NULL, title text, state text NOT NULL, detail text, task text, done_at bigint,
     UNIQUE (machine, n), UNIQUE (member, key))`,
  "CREATE INDEX IF NOT EXISTS hub_tasks_in_order ON hub_tasks (at, id)",
  // Whatever a machine says is looked up by its connection.
  "CREATE INDEX IF NOT EXISTS hub_machines_by_link ON hub_machines (link)",
  // Where two people are needed for work: who agreed with whoever gave it.
  "CREATE TABLE IF NOT EXISTS hub_seconds (task text PRIMARY KEY, member text NOT NULL, at bigint NOT NULL)",
  // Which member invited somebody: what they gave out ends with them.
  "CREATE TABLE IF NOT EXISTS hub_inviters (hash text PRIMARY KEY, member text NOT NULL)",
  // Machines that left by themselves.
  "CREATE TABLE IF NOT EXISTS hub_left (machine text PRIMARY KEY, at bigint NOT NULL)",
  // Read with every Ask: a table that PostgreSQL has to read whole counts as so dear there that all plans look the same.
  "CREATE INDEX IF NOT EXISTS hub_looks_of_ask ON hub_looks (machine, ask)",
  "CREATE INDEX IF NOT EXISTS hub_intents_sent ON hub_intents (machine, n) WHERE state = 'sent'",
  "CREATE INDEX IF NOT EXISTS hub_asks_newest ON hub_asks (created_at DESC, id)",
  // Browsers that were signed out, and by whom: said to whoever comes with one of them once more.
  "CREATE TABLE IF NOT EXISTS hub_signed_out (hash text PRIMARY KEY, member text NOT NULL, by_whom text NOT NULL, ends_at bigint NOT NULL)",
  // Why answers came to nothing, where a word for it was said.
  `CREATE TABLE IF NOT EXISTS hub_reasons (
     machine text NOT NULL, n bigint NOT NULL, reason text NOT NULL, PRIMARY KEY (machine, n))`,
];
