import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { duration } from "../../../core/words/time.ts";
import type { Paths } from "../../../machine/home.ts";
import { counted } from "../../../core/words/number.ts";
import { type Finding, ok, problem } from "./finding.ts";

/** A clock that is a little off does no harm. */
const SLACK_MS = 60_000;

/** Reads the database without changing anything, whether the daemon runs or not; and holds the clock against it. */
export function checkStore({ database }: Paths, now: number): Finding[] {
  if (!existsSync(database)) return [ok("store", "nothing is kept yet")];
  try {
    const db = openReadOnly(database);
    try {
      const integrity = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get()?.integrity_check;
      if (integrity !== "ok") return [damaged(database, integrity ?? "it cannot be checked")];
      const { asks, events, last } = db
        .query<{ asks: number; events: number; last: number | null }, []>(
          "SELECT (SELECT count(*) FROM asks) AS asks, count(*) AS events, max(at) AS last FROM events",
        )
        .get() ?? { asks: 0, events: 0, last: null };
      return [
        ok("store", `${database} is sound: ${counted(asks, "question")}, ${counted(events, "event")}`),
        clock(now, last ?? 0),
      ];
    } finally {
      db.close();
    }
  } catch (error) {
    return [damaged(database, error instanceof Error ? error.message : String(error))];
  }
}

/** Without a journal beside it nobody writes, and an ordinary read-only open would leave an empty journal behind. */
function openReadOnly(path: string): Database {
  if (existsSync(`${path}-wal`)) return new Database(path, { readonly: true });
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return new Database(`${pathToFileURL(path).href}?immutable=1`, flags);
}

function damaged(path: string, what: string): Finding {
  const fix = `parley down, move ${path} and its -wal aside (keep both), parley up: it begins with an empty inbox`;
  return problem("store", `${path} is damaged: ${what}`, fix);
}

function clock(now: number, last: number): Finding {
  const time = new Date(now).toISOString().replace("T", " ").slice(0, 16);
  if (last <= now + SLACK_MS) return ok("clock", `${time} UTC, later than everything that is kept`);
  const ahead = duration(last - now);
  return problem("clock", `${time} UTC is ${ahead} before the newest event that is kept`, "set this machine's clock");
}
