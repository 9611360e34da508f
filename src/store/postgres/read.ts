import type { Ask, AskState } from "../../core/ask/ask.ts";
import type { LogEvent } from "../../core/ask/event.ts";
import { FormDraft } from "../../core/form/draft.ts";
import type { Session } from "../../core/ask/session.ts";
import type { Grant } from "../../core/grant/grant.ts";
import { quotedStates } from "../quoted-states.ts";
import { ACTIVE, type AskQuery, MOST_BYTES, type Store } from "../store.ts";
import { readAsk, readTask } from "../stored.ts";
import { withinBytes } from "../within-bytes.ts";
import type { Run, Value } from "./line.ts";
import type { Row } from "./standing.ts";

type EventRow = {
  seq: number;
  at: number;
  v: number;
  type: string;
  ask: string | null;
  session: string | null;
  task: string | null;
  data: string;
};
type Reader = Pick<
  Store,
  | "used"
  | "ask"
  | "idsLike"
  | "list"
  | "count"
  | "session"
  | "sessions"
  | "task"
  | "tasks"
  | "nextTasks"
  | "busyTasks"
  | "grant"
  | "grants"
  | "events"
  | "lastSeq"
  | "draft"
  | "saveDraft"
>;

export function createReader(run: Run): Reader {
  const first = async <T>(text: string, values: readonly Value[], read: (row: Row) => T): Promise<T | undefined> => {
    const [row] = await run<Row>(text, values);
    return row && read(row);
  };
  const number = async (text: string) => (await run<{ n: number | null }>(text))[0]?.n ?? 0;

  return {
    async used(key) {
      const sql = "SELECT o.digest, a.data FROM once o JOIN asks a ON a.id = o.ask WHERE o.key = $1";
      const [row] = await run<Row & { digest: string }>(sql, [key]);
      return row && { digest: row.digest, ask: readAsk(row) };
    },
    ask: (id) => first("SELECT data FROM asks WHERE id = $1", [id], readAsk),
    session: (id) => first("SELECT data FROM sessions WHERE id = $1", [id], session),
    task: (id) => first("SELECT data FROM tasks WHERE id = $1", [id], readTask),
    grant: (id) => first("SELECT data FROM grants WHERE id = $1", [id], grant),
    async tasks({ states, limit = 500, newest = false, after }) {
      const where = [
        ...(states ? [`state IN (${quotedStates(states)})`] : []),
        ...(after ? ["(created_at, id) > ($2, $3)"] : []),
      ];
      const order = newest ? "created_at DESC, id DESC" : "created_at, id";
      const rows = await run<Row>(`SELECT data FROM tasks ${all(where)} ORDER BY ${order} LIMIT $1`, [
        limit,
        ...(after ? [after.createdAt, after.id] : []),
      ]);
      return (newest ? rows.toReversed() : rows).map(readTask);
    },
    async nextTasks(limit) {
      const sql = `SELECT data FROM tasks WHERE state = 'queued' ORDER BY priority DESC, created_at, id LIMIT $1`;
      return (await run<Row>(sql, [limit])).map(readTask);
    },
    busyTasks: () => number("SELECT count(*) AS n FROM tasks WHERE state = 'in_progress'"),
    async grants({ live, limit = 200 }) {
      const sql = `SELECT data FROM grants ${live ? "WHERE state = 'live'" : ""} ORDER BY given_at DESC, id DESC LIMIT $1`;
      return (await run<Row>(sql, [limit])).map(grant);
    },
    async idsLike(prefix) {
      const sql = "SELECT id FROM asks WHERE id >= $1 AND id < $2 ORDER BY id LIMIT 10";
      return (await run<{ id: string }>(sql, [prefix, `${prefix}\u{10ffff}`])).map(({ id }) => id);
    },
    async list(query) {
      const last =
        query.after === undefined
          ? undefined
          : (await run<Place>("SELECT id, created_at, settled_at FROM asks WHERE id = $1", [query.after]))[0];
      const { sql, values } = listSql(query, last);
      return withinBytes(query.maxBytes ?? Infinity, await run<Row>(sql, values)).map(readAsk);
    },
    count: (states) => number(`SELECT count(*) AS n FROM asks WHERE ${isIn(states)}`),
    async sessions({ live, limit = 100 }) {
      const sql = `SELECT data FROM sessions ${live ? "WHERE ended_at IS NULL" : ""} ORDER BY seen_at DESC LIMIT $1`;
      return (await run<Row>(sql, [limit])).map(session);
    },
    async events({ after = 0, ask, task, limit = 1000, newest = false }) {
      const values: Value[] = [after, limit];
      const and = (column: string, value: string | undefined) =>
        value === undefined ? "" : `AND ${column} = $${values.push(value)}`;
      const order = `seq ${newest ? "DESC" : ""}`;
      const page = `SELECT * FROM events WHERE seq > $1 ${and("ask", ask)} ${and("task", task)} ORDER BY ${order} LIMIT $2`;
      const rows = await run<EventRow>(within(page, order, `$${values.push(MOST_BYTES)}`), values);
      const events = withinBytes(MOST_BYTES, rows).map(event);
      return newest ? events.toReversed() : events;
    },
    lastSeq: () => number("SELECT max(seq) AS n FROM events"),
    async draft(id) {
      const sql = "SELECT by, at, data FROM drafts WHERE ask = $1";
      const [row] = await run<Row & { by: string; at: number }>(sql, [id]);
      return row && { by: row.by, at: row.at, draft: FormDraft.parse(JSON.parse(row.data)) };
    },
    async saveDraft(id, kept) {
      if (!kept) {
        await run("DELETE FROM drafts WHERE ask = $1", [id]);
        return (await run("SELECT 1 FROM asks WHERE id = $1", [id])).length > 0;
      }
      const saved = await run(
        `INSERT INTO drafts (ask, by, at, data) SELECT id, $2, $3::float8, $4 FROM asks WHERE id = $1
         ON CONFLICT (ask) DO UPDATE SET by = excluded.by, at = excluded.at, data = excluded.data RETURNING ask`,
        [id, kept.by, kept.at, JSON.stringify(kept.draft)],
      );
      return saved.length > 0;
    },
  };
}

type Place = Pick<Ask, "id"> & { created_at: number; settled_at: number | null };

const session = (row: Row) => JSON.parse(row.data) as Session;
const grant = (row: Row) => JSON.parse(row.data) as Grant;
const all = (where: readonly string[]) => (where.length > 0 ? `WHERE ${where.join(" AND ")}` : "");

function event({ seq, at, v, type, ask, session: name, task, data }: EventRow): LogEvent {
  const places = { ...(ask && { ask }), ...(name && { session: name }), ...(task && { task }) };
  return { seq, at, v, type, data: JSON.parse(data) as LogEvent["data"], ...places };
}

/** Of a page as many rows as fit, one at least: what is too much does not cross the wire. */
const within = (page: string, order: string, bytes: string) =>
  `SELECT * FROM (SELECT *, sum(length(data)) OVER (ORDER BY ${order}) - length(data) AS before FROM (${page}) AS page)
   AS sized WHERE before < ${bytes}::float8 ORDER BY ${order}`;

function listSql(query: AskQuery, last: Place | undefined): { sql: string; values: Value[] } {
  const { states, kind, session: name, sessions, project, agent, order = "oldest", limit = 100, maxBytes } = query;
  const values: Value[] = [];
  const where: string[] = states ? [isIn(states)] : [];
  const given = Object.entries({ kind, session: name, project, agent });
  for (const [column, value] of given) if (value) where.push(`${column} = $${values.push(value)}`);
  if (sessions)
    where.push(`session IN (SELECT json_array_elements_text($${values.push(JSON.stringify(sessions))}::text::json))`);
  const time = order === "settled" ? "settled_at" : "created_at";
  if (order === "settled") where.push("settled_at IS NOT NULL");
  if (last) {
    const places = `($${values.push(last[time] ?? 0)}, $${values.push(last.id)})`;
    where.push(`(${time}, id) ${order === "oldest" ? ">" : "<"} ${places}`);
  }
  const direction = order === "oldest" ? "ASC" : "DESC";
  const sorted = `${time} ${direction}, id ${direction}`;
  const page = `SELECT ${time}, id, data FROM asks ${all(where)} ORDER BY ${sorted} LIMIT $${values.push(limit)}`;
  const sql = maxBytes === undefined ? page : within(page, sorted, `$${values.push(maxBytes)}`);
  return { sql, values };
}

/** With the condition of the partial index on active Asks, where that holds. */
function isIn(states: readonly AskState[]): string {
  if (states.length === 0) return "false";
  const wanted = `state IN (${quotedStates(states)})`;
  return states.every((state) => ACTIVE.includes(state)) ? `state IN (${quotedStates(ACTIVE)}) AND ${wanted}` : wanted;
}
