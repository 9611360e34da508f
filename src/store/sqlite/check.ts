import { existsSync } from "node:fs";
import type { Health } from "../admin.ts";
import { openAtRest } from "./at-rest.ts";

type Counts = { asks: number; events: number; last: number | null };
const COUNTS = "SELECT (SELECT count(*) FROM asks) AS asks, count(*) AS events, max(at) AS last FROM events";

/** See `StoreAdmin.check`. Also of a database of another schema: it is not opened as a store. */
export function checkDatabase(path: string): Health {
  if (!existsSync(path)) return { type: "empty" };
  try {
    const db = openAtRest(path);
    try {
      const problem = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get()?.integrity_check;
      if (problem !== "ok") return { type: "damaged", detail: problem ?? "it cannot be checked" };
      const { asks, events, last } = db.query<Counts, []>(COUNTS).get() ?? { asks: 0, events: 0, last: null };
      return { type: "sound", asks, events, newestAt: last ?? 0 };
    } finally {
      db.close();
    }
  } catch (error) {
    return { type: "damaged", detail: error instanceof Error ? error.message : String(error) };
  }
}
