import { connect } from "node:net";
import postgres from "postgres";
import { ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text/text.ts";
import { codeOf, type Run, type Target } from "./line.ts";

/** Why a database cannot be used, in words that hold no password, and what somebody can do about it. */
export type Refusal = { words: string; fix: string };
type Place = { host: string; port: number };
type Named = { user: string; database: string; places: Place[]; hasPassword: boolean };

/** What every server of PostgreSQL, and every pooler, answers with one letter: does it speak TLS? */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
/** One letter, or an error in words. */
const ITS_WORDS = /^(?:[SN]$|E)/;
/** Long for a letter, also on a busy machine. */
export const LETTER_MS = 10_000;
/** Who starts a hub waits for a silent server as for one that is away, and has that wait before them. */
const SHORT_MS = 2000;
const ADDRESS = "Correct the host and the port in the URL";

/**
 * What nobody has to wait for: all that the URL names is no server of PostgreSQL. Undefined: it may be one, now or in a moment.
 * `silentMs`: whoever takes a connection and says nothing for so long is none either.
 */
export async function unreachable(target: Target, silentMs?: number): Promise<Refusal | undefined> {
  const named = namedIn(target);
  if (!named) return NO_URL;
  if (named.places.length === 0) return undefined;
  const refusals = named.places.map(async (place) => {
    const refusal = await refusalAt(place, silentMs);
    if (!refusal) throw new Error("this one may be");
    return refusal;
  });
  // The first that may be one is enough: nobody waits for a host that has no power.
  const all = await Promise.all(refusals).catch(() => []);
  const [first] = all;
  return first && { words: all.map(({ words }) => words).join("; "), fix: first.fix };
}

/** What the server said when it was asked to serve. `run` asks it for more. Undefined: that is none of its refusals. */
export async function refusalOf(error: unknown, target: Target, run: Run): Promise<Refusal | undefined> {
  const code = codeOf(error);
  const named = namedIn(target);
  if (!named) return NO_URL;
  const [user, database] = [quoted(named.user), quoted(named.database)];
  const said = safeLine(error instanceof Error ? error.message : "", { max: 300 });
  if (code === "28P01" && !named.hasPassword)
    return {
      words: `PostgreSQL wants a password of ${user}, and none was given`,
      fix: "Give it with --password-file or PARLEY_HUB_DATABASE_PASSWORD",
    };
  if (code === "28P01")
    return {
      words: `PostgreSQL does not take this password of ${user}`,
      fix: "Correct it in --password-file or PARLEY_HUB_DATABASE_PASSWORD, or the user in the URL",
    };
  if (code.startsWith("28"))
    return {
      words: `PostgreSQL does not let ${user} in (${said})`,
      fix: "Correct the user in the URL, or let it in: CREATE ROLE, and pg_hba.conf on the server",
    };
  if (code === "3D000")
    return {
      words: `There is no database ${database} on that server`,
      fix: `Correct the name at the end of the URL, or make it: CREATE DATABASE ${database} OWNER ${user}`,
    };
  if (code === "42501" || code === "3F000") return (await missingRights(run, target.schema)) ?? notAllowed(user, said);
  if (/startup parameter/.test(said))
    return {
      words: `A pooler such as pgbouncer is in between and refuses what a connection asks for (${said})`,
      fix: "Connect to the server itself; parley hub doctor says more",
    };
  return undefined;
}

/** Whether whoever is connected may make and change what Parley keeps there. */
export async function missingRights(run: Run, schema: string): Promise<Refusal | undefined> {
  const [found] = await run<Rights>(RIGHTS, [schema]);
  if (!found) return undefined;
  const [user, database, its] = [quoted(found.user), quoted(found.database), quoted(schema)];
  if (found.owner === null && !found.mayMake)
    return {
      words: `${user} may not make the schema ${its} in the database ${database}`,
      fix: `As its owner: GRANT CREATE ON DATABASE ${database} TO ${user}`,
    };
  if (found.owner === null) return undefined;
  if (found.other !== null)
    return {
      words: `The tables in the schema ${its} of the database ${database} belong to ${quoted(found.other)}, not to ${user}`,
      fix: `Name ${quoted(found.other)} in the URL`,
    };
  if (found.mayUse) return undefined;
  return {
    words: `${user} may not make tables in the schema ${its} of the database ${database}`,
    fix: `As ${quoted(found.owner)}: GRANT USAGE, CREATE ON SCHEMA ${its} TO ${user}`,
  };
}

/** For whoever starts a hub. */
export const refused = ({ words, fix }: Refusal, cause?: unknown): ParleyError =>
  new ParleyError("usage", `${words}. ${fix}`, { cause });

type Rights = {
  user: string;
  database: string;
  owner: string | null;
  mayMake: boolean;
  mayUse: boolean;
  other: string | null;
};
const RIGHTS = `
  SELECT current_user::text AS "user", current_database()::text AS database, pg_get_userbyid(n.nspowner)::text AS owner,
    has_database_privilege(current_database(), 'CREATE') AS "mayMake",
    n.oid IS NULL OR (has_schema_privilege(n.oid, 'CREATE') AND has_schema_privilege(n.oid, 'USAGE')) AS "mayUse",
    (SELECT pg_get_userbyid(c.relowner)::text FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind = 'r'
       AND NOT pg_has_role(c.relowner, 'USAGE') LIMIT 1) AS other
  FROM (SELECT $1::text AS name) wanted LEFT JOIN pg_namespace n ON n.nspname = wanted.name`;

const NO_URL: Refusal = {
  words: "What was given as the database cannot be read as an address",
  fix: "It is postgresql://user@host:port/name, and what is special in a name stands there with % as in every URL",
};

/** Contract: undefined for what cannot be read. A password with an @, / or ? in it would be taken for a host or a name. */
function namedIn({ url, password }: Target): Named | undefined {
  const [, authority = "", rest = ""] = /^\w+:\/\/([^/?]*)(.*)$/s.exec(url) ?? [];
  if (authority.split("@").length > 2 || rest.includes("@")) return undefined;
  try {
    // It connects when it is first asked something, and is asked nothing.
    const { user, database, host, port, path, pass, sslnegotiation } = postgres(url, {
      ...(password !== undefined && { password }),
    }).options as unknown as Record<string, unknown> & {
      host: string[];
      port: number[];
      user: string;
      database: string;
    };
    if (!port.every((each) => Number.isInteger(each) && each > 0 && each < 65_536)) return undefined;
    const isByAddress = !path && sslnegotiation !== "direct";
    const places = isByAddress ? host.map((each, i) => ({ host: each, port: port[i] ?? 0 })) : [];
    return { user, database: decodeURIComponent(database), places, hasPassword: pass !== "" };
  } catch {
    return undefined;
  }
}

async function refusalAt({ host, port }: Place, silentMs: number | undefined): Promise<Refusal | undefined> {
  const answer = await firstWord({ host, port }, silentMs ?? SHORT_MS);
  const where = `${safeLine(host, { max: 100 })}:${port}`;
  if (answer === "ENOTFOUND") return { words: `There is no host ${quoted(host)}`, fix: "Correct its name in the URL" };
  if (answer === "silence" && silentMs !== undefined)
    return { words: `What listens at ${where} says nothing; PostgreSQL would`, fix: ADDRESS };
  if (answer === "other") return { words: `What answers at ${where} is not PostgreSQL`, fix: ADDRESS };
  return undefined;
}

/** `postgres`; `other`: something else; `silence`; or the code of an error. */
function firstWord(place: Place, waitMs: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(place, () => void socket.write(SSL_REQUEST));
  socket.setTimeout(waitMs, () => resolve(socket.connecting ? "ETIMEDOUT" : "silence"));
  socket.on("data", (bytes) => resolve(ITS_WORDS.test(bytes.toString("latin1")) ? "postgres" : "other"));
  socket.on("error", (error) => resolve(codeOf(error)));
  // Whoever hangs up without a word may be a proxy that has no server just now.
  socket.on("close", () => resolve("closed"));
  return promise.finally(() => socket.destroy());
}

const notAllowed = (user: string, said: string): Refusal => ({
  words: `PostgreSQL does not allow ${user} what a hub needs (${said})`,
  fix: "Name a database that it owns",
});

const quoted = (name: string): string => `"${safeLine(name, { max: 100 })}"`;
