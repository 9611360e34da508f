import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** To look at a file and leave nothing behind: an ordinary read-only open makes an empty journal, or fails for lack of one. */
export function openAtRest(path: string): Database {
  // With a journal beside it somebody may be writing, and what is in there counts.
  if (existsSync(`${path}-wal`)) return new Database(path, { readonly: true });
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return new Database(`${pathToFileURL(path).href}?immutable=1`, flags);
}
