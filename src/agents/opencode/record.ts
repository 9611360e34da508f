import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { KEPT_MARK } from "../../core/receipt/send.ts";
import { tailText } from "../../core/text/text.ts";
import type { SessionAbout } from "../capability/record.ts";
import { type PartReading, readPart } from "./receipt.ts";

/** How long is waited for a writer. */
const BUSY_MS = 250;
const MOST_BYTES = 4 * 1024 * 1024;
const LAST_TEXT_BYTES = 4000;

/** `turn`: the message with the call, because some providers name calls of different messages the same. */
export type CallName = { session: string; key: string; turn?: string | undefined };

/**
 * What opencode's own database says of one call; the newest where it is named twice. 1.1.11 has no database: it keeps a
 * file for each part, and is asked over its own interface instead.
 * Contract: never throws, never writes. Undefined: no such file, not opencode's, locked, or nothing about this call.
 */
export function readRecord(path: string, { session, key, turn }: CallName): PartReading | undefined {
  return looking(path, (database) => {
    const row = database
      .query<{ message: string; data: string }, [string, string, string | null, number]>(
        `SELECT message_id AS message, data FROM part
         WHERE session_id = ?1 AND (?3 IS NULL OR message_id = ?3) AND length(data) <= ?4
           AND json_valid(data) AND json_extract(data, '$.callID') = ?2
         ORDER BY time_created DESC, id DESC LIMIT 1`,
      )
      .get(session, key, turn ?? null, MOST_BYTES);
    return row
      ? readPart({ ...(JSON.parse(row.data) as object), sessionID: session, messageID: row.message })
      : undefined;
  });
}

/** What the agent said last before that call, in the same session. Undefined: the call is not written down yet. */
export function readLastText(path: string, { session, key, turn }: CallName): string | undefined {
  return looking(path, (database) => {
    const call = database
      .query<{ at: number }, [string, string, string | null]>(
        `SELECT time_created AS at FROM part
         WHERE session_id = ?1 AND (?3 IS NULL OR message_id = ?3)
           AND json_valid(data) AND json_extract(data, '$.callID') = ?2
         ORDER BY time_created DESC, id DESC LIMIT 1`,
      )
      .get(session, key, turn ?? null);
    return call ? textOf(database, session, { role: "assistant", order: "DESC", until: call.at }) : undefined;
  });
}

/** Empty: it said nothing, or that cannot be read. */
export const readLastSaid = (path: string, session: string): string =>
  looking(path, (database) => textOf(database, session, { role: "assistant", order: "DESC" })) ?? "";

/** A message to the agent holds these words. */
export const readTold = (path: string, session: string, words: string): boolean =>
  looking(
    path,
    (database) =>
      database
        .query<{ id: string }, [string, string, number]>(
          `SELECT part.id AS id FROM part JOIN message ON message.id = part.message_id
           WHERE part.session_id = ?1 AND length(part.data) <= ?3
             AND json_valid(part.data) AND instr(json_extract(part.data, '$.text'), ?2) > 0
             AND json_valid(message.data) AND json_extract(message.data, '$.role') = 'user' LIMIT 1`,
        )
        .get(session, words, MOST_BYTES) !== null,
  ) ?? false;

/** `New session - <time>` until its model has found a title. */
export const UNTITLED = /^(?:New|Child) session - /;

export function readAbout(path: string, session: string): SessionAbout {
  const about = looking(path, (database): SessionAbout => {
    const { title = "" } =
      database.query<{ title: string }, [string]>("SELECT title FROM session WHERE id = ?1").get(session) ?? {};
    const prompt = textOf(database, session, { role: "user", order: "ASC" });
    const last = database
      .query<{ at: number | null }, [string, string]>(
        `SELECT max(time_created) AS at FROM message
         WHERE session_id = ?1 AND json_valid(data) AND json_extract(data, '$.role') = 'user'
           AND NOT EXISTS (SELECT 1 FROM part WHERE part.message_id = message.id AND instr(part.data, ?2) > 0)`,
      )
      // What Parley told it is no prompt of a person's.
      .get(session, KEPT_MARK)?.at;
    return {
      ...(title !== "" && !UNTITLED.test(title) && { title }),
      ...(prompt !== "" && { prompt }),
      ...(typeof last === "number" && { lastPrompt: last }),
    };
  });
  return about ?? {};
}

type Wanted = { role: "user" | "assistant"; order: "ASC" | "DESC"; until?: number };

/** The first or last text of one side. */
function textOf(database: Database, session: string, { role, order, until = Number.MAX_SAFE_INTEGER }: Wanted): string {
  const said = database
    .query<{ text: string | null }, [string, number, number, string]>(
      `SELECT json_extract(part.data, '$.text') AS text FROM part JOIN message ON message.id = part.message_id
       WHERE part.session_id = ?1 AND part.time_created <= ?2 AND length(part.data) <= ?3
         AND json_valid(part.data) AND json_extract(part.data, '$.type') = 'text'
         AND json_extract(part.data, '$.synthetic') IS NOT 1
         AND json_valid(message.data) AND json_extract(message.data, '$.role') = ?4
       ORDER BY part.time_created ${order}, part.id ${order} LIMIT 1`,
    )
    .get(session, until, MOST_BYTES, role);
  return tailText(said?.text ?? "", LAST_TEXT_BYTES);
}

function looking<T>(path: string, look: (database: Database) => T): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    using database = new Database(path, { readonly: true });
    database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    return look(database);
  } catch {
    return undefined;
  }
}
