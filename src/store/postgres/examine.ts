import { type Finding, note, ok, problem } from "../../core/finding.ts";
import { type Line, openLine, type Run, type Target } from "./line.ts";
import { POSTGRES_MIGRATIONS } from "./migrations.ts";
import { LETTER_MS, missingRights, refusalOf, unreachable } from "./refusal.ts";

/** Long for a round trip, also on a busy machine: whoever has transaction pooling waits for ever. */
const ROUND_TRIP_MS = 20_000;
const CHANNEL = "parley_doctor";
const DIRECT = "Connect to the server itself, or to a pooler in session mode that keeps a connection's settings.";

/** What is wrong with a server that is to keep everything, seen through the very URL. Contract: changes nothing, never throws. */
export async function examinePostgres(target: Target, roundTripMs = ROUND_TRIP_MS): Promise<Finding[]> {
  const nowhere = await unreachable(target, LETTER_MS);
  if (nowhere) return [problem("server", nowhere.words, nowhere.fix)];
  const { here, notifications, end } = openTrip(target, roundTripMs);
  try {
    const [server] = await here.run<{ version: string; standby: boolean }>(
      "SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS standby",
    );
    const isStandby = server?.standby === true;
    return [
      ok("server", `PostgreSQL ${server?.version}`),
      await writing(here.run),
      await settings(here.run, target.schema),
      await standbys(here.run, isStandby),
      await schemaOf(here.run, target.schema),
      isStandby ? note("notifications", "a standby takes none") : await notifications(),
    ];
  } catch (error) {
    const detail = error instanceof Error ? error.message || error.name : String(error);
    if (/startup parameter/.test(detail)) return refusingPooler(target, detail, roundTripMs);
    const refusal = await refusalOf(error, target, here.run).catch(() => undefined);
    if (refusal) return [problem("server", refusal.words, refusal.fix)];
    return [
      problem(
        "server",
        `PostgreSQL does not answer (${detail})`,
        "Start it, or correct the host and the port in the URL",
      ),
    ];
  } finally {
    await end();
  }
}

/** Only a pooler refuses what a connection asks for; whether it passes notifications on is seen without asking for anything. */
async function refusingPooler(target: Target, detail: string, roundTripMs: number): Promise<Finding[]> {
  const words = `a pooler such as pgbouncer is in between and refuses what a connection asks for: ${detail}`;
  const { notifications, end } = openTrip(target, roundTripMs, true);
  try {
    return [problem("server", words, DIRECT), await notifications()];
  } catch {
    return [problem("server", words, DIRECT)];
  } finally {
    await end();
  }
}

/** Two connections, and whether what is told on one arrives on the other. */
function openTrip(target: Target, roundTripMs: number, bare = false) {
  const heard = Promise.withResolvers<true>();
  const token = crypto.randomUUID();
  const here = openLine(target, { size: 1, bare, heard: (_, payload) => payload === token && heard.resolve(true) });
  const there = openLine(target, { size: 1, bare });
  return {
    here,
    notifications,
    async end(): Promise<void> {
      await Promise.all([here, there].map((line) => line.end().catch(() => undefined)));
    },
  };

  async function notifications(): Promise<Finding> {
    await here.run(`LISTEN "${CHANNEL}"`);
    await there.run("SELECT pg_notify($1, $2)", [CHANNEL, token]);
    const isPooled = await isBehindPooler(here);
    const arrived = await Promise.race([heard.promise, Bun.sleep(roundTripMs).then(() => false)]);
    if (arrived && !isPooled) return ok("notifications", "they arrive");
    if (arrived) return note("notifications", "they arrive, through a pooler such as pgbouncer");
    const cause = isPooled
      ? "a pooler such as pgbouncer is in between, and in transaction mode it passes none on"
      : "something in between passes none on";
    return problem("notifications", `LISTEN is taken and nothing arrives: ${cause}`, DIRECT);
  }
}

/** A pooler says a number of its own for the process that serves a connection. */
async function isBehindPooler(line: Line): Promise<boolean> {
  const [backend] = await line.run<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return backend !== undefined && line.pid() !== undefined && backend.pid !== line.pid();
}

async function writing(run: Run): Promise<Finding> {
  const [found] = await run<{ standby: boolean; readonly: string }>(
    "SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS readonly",
  );
  const all = "Name all hosts in the URL, with ?target_session_attrs=read-write";
  if (found?.standby) return problem("writing", "this is a standby: nothing can be written to it", all);
  if (found?.readonly === "on") return problem("writing", "the server takes no changes (read only)", all);
  return ok("writing", "it takes changes");
}

async function settings(run: Run, schema: string): Promise<Finding> {
  const [found] = await run<{ path: string; limit: string; encoding: string }>(
    `SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS limit,
       current_setting('server_encoding') AS encoding`,
  );
  if (found?.encoding !== "UTF8")
    return problem("settings", `the database holds ${found?.encoding}`, "Make one with ENCODING 'UTF8'.");
  if (found.path !== schema || found.limit === "0")
    return problem(
      "settings",
      "what a connection asks for is dropped on the way (search_path, statement_timeout)",
      DIRECT,
    );
  return ok("settings", "UTF8, and every statement has a limit");
}

/** A standby made from a primary inherits whom that waits for; promoted, it waits for nobody that exists. */
async function standbys(run: Run, isStandby: boolean): Promise<Finding> {
  const [found] = await run<{ names: string; synced: number }>(
    `SELECT current_setting('synchronous_standby_names') AS names,
       (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS synced`,
  );
  const names = found?.names ?? "";
  if (isStandby && names !== "")
    return problem(
      "standby",
      `it has inherited synchronous_standby_names '${names}' from its primary: once promoted, every commit waits until a standby follows it`,
      "Before or after it is promoted: ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf()",
    );
  if (isStandby) return ok("standby", "once promoted it waits for nobody");
  if (names === "") return note("standby", "no commit waits for a standby: a disk lost is what was acknowledged lost");
  if (found?.synced === 0)
    return problem(
      "standby",
      `synchronous_standby_names is '${names}' and no such standby is connected: every commit waits without end. A standby that was promoted inherits it from its primary`,
      "ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf()",
    );
  return ok("standby", "a commit is on a standby before it is acknowledged");
}

async function schemaOf(run: Run, schema: string): Promise<Finding> {
  const known = POSTGRES_MIGRATIONS.length;
  const refusal = await missingRights(run, schema);
  if (refusal) return problem("schema", refusal.words, refusal.fix);
  const [there] = await run<{ name: string | null }>("SELECT to_regclass($1)::text AS name", [
    `${schema}.parley_schema`,
  ]);
  if (!there || there.name === null) return ok("schema", `"${schema}" is not there yet and will be made`);
  const [row] = await run<{ steps: number }>("SELECT steps FROM parley_schema");
  const steps = row?.steps ?? 0;
  if (steps > known)
    return problem("schema", `it is of a newer Parley (${steps}, this one knows ${known})`, "Update Parley.");
  return ok(
    "schema",
    steps < known ? `of an earlier Parley (${steps} of ${known}), will be brought up to date` : "up to date",
  );
}
