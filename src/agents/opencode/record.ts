import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { tailText } from "../../core/text/text.ts";
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
  if (!existsSync(path)) return undefined;
  try {
    using database = new Database(path, { readonly: true });
    database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
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
  } catch {
    return undefined;
  }
}

/** What the agent said last before that call, in the same session. Undefined: the call is not written down yet. */
export function readLastText(path: string, { session, key, turn }: CallName): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    using database = new Database(path, { readonly: true });
    database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    const call = database
      .query<{ at: number }, [string, string, string | null]>(
        `SELECT time_created AS at FROM part
         WHERE session_id = ?1 AND (?3 IS NULL OR message_id = ?3)
           AND json_valid(data) AND json_extract(data, '$.callID') = ?2
         ORDER BY time_created DESC, id DESC LIMIT 1`,
      )
      .get(session, key, turn ?? null);
    if (!call) return undefined;
    const said = database
      .query<{ text: string }, [string, number, number]>(
        `SELECT json_extract(part.data, '$.text') AS text FROM part JOIN message ON message.id = part.message_id
         WHERE part.session_id = ?1 AND part.time_created <= ?2 AND length(part.data) <= ?3
           AND json_valid(part.data) AND json_extract(part.data, '$.type') = 'text'
           AND json_valid(message.data) AND json_extract(message.data, '$.role') = 'assistant'
         ORDER BY part.time_created DESC, part.id DESC LIMIT 1`,
      )
      .get(session, call.at, MOST_BYTES);
    return tailText(said?.text ?? "", LAST_TEXT_BYTES);
  } catch {
    return undefined;
  }
}
