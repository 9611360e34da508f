import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text/text.ts";
import type { Context, HubPlace } from "./context.ts";

export const PLACE_OPTIONS = {
  data: { value: "DIR", of: "file", description: "keep it in this folder (the one in Parley's home)" },
  database: { value: "URL", description: "keep it in PostgreSQL; several hosts with commas" },
  "password-file": { value: "FILE", of: "file", description: "with --database: its password" },
} as const;
export const PLACE_NOTES =
  "Environment: PARLEY_HUB_DATABASE is the URL, PARLEY_HUB_DATABASE_PASSWORD its password; others on this machine see what stands on a command line.";

/** Before the host, or among what follows the name. */
const HAS_PASSWORD = /^\w+:\/\/[^/@]*:[^/@]+@|[?&]password=[^&]/i;

type Given = { data?: string; database?: string; "password-file"?: string };

/** Where the hub keeps what it knows. Contract: no password is taken from the command line. */
export async function hubPlace(given: Given, { terminal: { env, cwd }, paths }: Context): Promise<HubPlace> {
  const database = given.database ?? (given.data === undefined ? env["PARLEY_HUB_DATABASE"] : undefined);
  if (!database) return { data: given.data === undefined ? join(paths.home, "hub") : resolve(cwd, given.data) };
  if (given.data !== undefined) throw new ParleyError("usage", "Choose one: --data or --database");
  if (!/^postgres(ql)?:\/\//.test(database))
    throw new ParleyError("usage", "--database: expected postgresql://user@host/name");
  if (given.database !== undefined && HAS_PASSWORD.test(given.database))
    throw new ParleyError(
      "usage",
      "Others see a password on the command line: give it with --password-file or PARLEY_HUB_DATABASE_PASSWORD",
    );
  const file = given["password-file"];
  const password =
    file === undefined ? env["PARLEY_HUB_DATABASE_PASSWORD"] : (await readGiven("--password-file", file, cwd)).trim();
  return { database, ...(password && { password }) };
}

/** What stands in a file that somebody named. */
export async function readGiven(option: string, file: string, cwd: string): Promise<string> {
  return readFile(resolve(cwd, file), "utf8").catch((cause: unknown) => {
    const why = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new ParleyError("usage", `${option}: ${safeLine(file, { max: 200 })} cannot be read${why}`, { cause });
  });
}
