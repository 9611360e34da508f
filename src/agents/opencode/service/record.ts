import { Database } from "bun:sqlite";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { tailText } from "../../../core/text/text.ts";
import type { AgentRecord, SessionAbout } from "../../capability/record.ts";
import { callIn } from "../call-name.ts";
import { questionsOf } from "../payload.ts";
import { UNTITLED } from "../record.ts";
import { receivedOf } from "./call-result.ts";
import { CallPart, Message } from "./payload.ts";

const ANY = "opencode*.db";
const [BUSY_MS, MOST_BYTES, LAST_TEXT_BYTES] = [500, 16 * 1024 * 1024, 4000];

/** Each channel has a database of its own in that folder; the one that holds the session is its record. */
export const locateIn = (folder: string, session: string): string => `${join(folder, ANY)}#${session}`;
export const isServiceRecord = (path: string): boolean => path.includes(`${ANY}#`);

export const serviceRecord: AgentRecord = {
  pathOf: (path, subagent) => (subagent === undefined ? path : locateIn(partsOf(path).folder, subagent)),
  open(path) {
    const received = (key: string) => look(path, (database, session) => readCall(database, session, key));
    return {
      refresh: () => Promise.resolve(),
      received,
      results: (key) => (received(key) === undefined ? 0 : 1),
      keysOf: () => [],
      mentions: () => false,
      unanswered: () => [],
      wasTold: () => false,
    };
  },
  versionOf: () => Promise.resolve(undefined),
  before: (path, key) =>
    Promise.resolve(
      look(path, (database, session) => {
        const { turn } = callIn(key);
        const row = turn === undefined ? undefined : rowOf(database, session, turn);
        if (!row) return undefined;
        return { lastText: said(database, session, { type: "assistant", order: "DESC", until: row.seq }), position: 0 };
      }),
    ),
  lastSaid: (path) =>
    Promise.resolve(
      look(path, (database, session) => said(database, session, { type: "assistant", order: "DESC" })) ?? "",
    ),
  about: (path) => Promise.resolve(look(path, aboutOf) ?? {}),
};

function partsOf(path: string): { folder: string; session: string } {
  const mark = path.lastIndexOf(`${ANY}#`);
  return { folder: path.slice(0, Math.max(mark - 1, 0)), session: path.slice(mark + ANY.length + 1) };
}

function readCall(database: Database, session: string, key: string) {
  const { key: id, turn } = callIn(key);
  const row = turn === undefined ? undefined : rowOf(database, session, turn);
  const call = row && contentOf(row.data).find((part) => part.id === id);
  if (!call || !["completed", "error"].includes(call.state.status)) return undefined;
  const { error, metadata, structured, content, input } = call.state;
  const questions = (call.name === "question" ? questionsOf(input) : undefined) ?? [];
  return receivedOf({ tool: call.name, error, answers: (metadata ?? structured)?.["answers"], content }, questions);
}

type Row = { data: string; seq: number };
const rowOf = (database: Database, session: string, message: string): Row | undefined =>
  database
    .query<Row, [string, string, number]>(
      "SELECT data, seq FROM session_message WHERE session_id = ?1 AND id = ?2 AND length(data) <= ?3",
    )
    .get(session, message, MOST_BYTES) ?? undefined;

function contentOf(data: string): CallPart[] {
  const content = Message.safeParse(parsed(data)).data?.content ?? [];
  return content.flatMap((part) => CallPart.safeParse(part).data ?? []);
}

const Said = z.looseObject({
  text: z.string().optional().catch(undefined),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().catch("") })).catch([]),
});

type Wanted = { type: "user" | "assistant"; order: "ASC" | "DESC"; until?: number };

/** The first or last text of one side. */
function said(database: Database, session: string, { type, order, until = Number.MAX_SAFE_INTEGER }: Wanted): string {
  const rows = database
    .query<{ data: string }, [string, string, number, number]>(
      `SELECT data FROM session_message
       WHERE session_id = ?1 AND type = ?2 AND seq <= ?3 AND length(data) <= ?4 ORDER BY seq ${order} LIMIT 50`,
    )
    .all(session, type, until, MOST_BYTES);
  for (const { data } of rows) {
    const { text, content = [] } = Said.safeParse(parsed(data)).data ?? {};
    const words = text ?? content.findLast((part) => part.type === "text" && part.text !== "")?.text;
    if (words) return tailText(words, LAST_TEXT_BYTES);
  }
  return "";
}

function aboutOf(database: Database, session: string): SessionAbout {
  const { title = "" } =
    database.query<{ title: string }, [string]>("SELECT title FROM session WHERE id = ?1").get(session) ?? {};
  const prompt = said(database, session, { type: "user", order: "ASC" });
  const last = database
    .query<{ seq: number | null }, [string]>(
      "SELECT max(seq) AS seq FROM session_message WHERE session_id = ?1 AND type = 'user'",
    )
    .get(session)?.seq;
  return {
    ...(title !== "" && !UNTITLED.test(title) && { title }),
    ...(prompt !== "" && { prompt }),
    ...(typeof last === "number" && { lastPrompt: last }),
  };
}

/** In the database that has the session; what cannot be read is not there. */
function look<T>(path: string, read: (database: Database, session: string) => T): T | undefined {
  const { folder, session } = partsOf(path);
  for (const file of databasesIn(folder)) {
    try {
      using database = new Database(file, { readonly: true });
      database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
      const found = database.query("SELECT 1 AS found FROM session_message WHERE session_id = ?1 LIMIT 1").get(session);
      if (found) return read(database, session);
    } catch {
      // One of 1.x, without that table.
    }
  }
  return undefined;
}

function databasesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^opencode(?:-[\w.-]+)?\.db$/.test(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
