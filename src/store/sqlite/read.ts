import type { Database } from "bun:sqlite";
import type { AskState } from "../../core/ask/ask.ts";
import type { LogEvent } from "../../core/ask/event.ts";
import { FormDraft } from "../../core/form/draft.ts";
import type { Session } from "../../core/ask/session.ts";
import type { Grant } from "../../core/grant/grant.ts";
import type { Standing } from "../fold.ts";
import { quotedStates } from "../quoted-states.ts";
import { readAsk, readTask as task } from "../stored.ts";
import { ACTIVE, type AskQuery, MOST_BYTES, type Store } from "../store.ts";
import { withinBytes } from "../within-bytes.ts";

type Row = { data: string };
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
  | "problems"
>;

export function createReader(db: Database, standing: Standing): Reader {
  return {
    async used(key) {
      const use = standing.used(key);
      const known = use && standing.ask(use.ask);
      return use && known && { digest: use.digest, ask: known };
    },
    ask: async (id) => standing.ask(id),
    session: async (id) => standing.session(id),
    task: async (id) => standing.task(id),
    async tasks({ states, limit = 500, newest = false, after }) {
      const where = [
        ...(states ? [`state IN (${quotedStates(states)})`] : []),
        ...(after ? ["(created_at, id) > (?, ?)"] : []),
      ];
      const filter = where.length > 0 ? `WHERE ${where.join(" AND ")}` : "";
      const order = newest ? "created_at DESC, id DESC" : "created_at, id";
      const rows = db
        .query<Row, (string | number)[]>(`SELECT data FROM tasks ${filter} ORDER BY ${order} LIMIT ?`)
        .all(...(after ? [after.createdAt, after.id] : []), limit);
      return (newest ? rows.toReversed() : rows).map(task);
    },
    async nextTasks(limit) {
      // Word for word as the index has it.
      const sql = `SELECT data FROM tasks WHERE state = 'queued'
        ORDER BY json_extract(data, '$.order.priority') DESC, created_at, id LIMIT ?`;
      return db.query<Row, [number]>(sql).all(limit).map(task);
    },
    async busyTasks() {
      const sql = "SELECT count(*) AS n FROM tasks WHERE state = 'in_progress'";
      return db.query<{ n: number }, []>(sql).get()?.n ?? 0;
    },
    grant: async (id) => standing.grant(id),
    async grants({ live, limit = 200 }) {
      // Word for word as the index has it.
      const sql = `SELECT data FROM grants ${live ? "WHERE state = 'live'" : ""} ORDER BY given_at DESC, id DESC LIMIT ?`;
      return db
        .query<Row, [number]>(sql)
        .all(limit)
        .map(({ data }) => JSON.parse(data) as Grant);
    },
    async idsLike(prefix) {
      const sql = "SELECT id FROM asks WHERE id >= ? AND id < ? ORDER BY id LIMIT 10";
      return db
        .query<{ id: string }, [string, string]>(sql)
        .all(prefix, `${prefix}\u{10ffff}`)
        .map(({ id }) => id);
    },
    async list(query) {
      const { sql, values } = listSql(query, standing.ask);
      const found = db.query<Row, (string | number)[]>(sql);
      // Row by row only where there may be too much of it: all at once costs a third.
      const rows = query.maxBytes === undefined ? found.all(...values) : found.iterate(...values);
      return withinBytes(query.maxBytes ?? Infinity, rows).map(readAsk);
    },
    async count(states) {
      const sql = `SELECT count(*) AS n FROM asks WHERE ${isIn(states)}`;
      return db.query<{ n: number }, []>(sql).get()?.n ?? 0;
    },
    async sessions({ live, limit = 100 }) {
      const sql = `SELECT data FROM sessions ${live ? "WHERE ended_at IS NULL" : ""} ORDER BY seen_at DESC LIMIT ?`;
      return db.query<Row, [number]>(sql).all(limit).map(session);
    },
    async events({ after = 0, ask: id, task: work, limit = 1000, newest = false }) {
      const only = `${id ? "AND ask = ?" : ""} ${work ? "AND task = ?" : ""}`;
      const sql = `SELECT * FROM events WHERE seq > ? ${only} ORDER BY seq ${newest ? "DESC" : ""} LIMIT ?`;
      const rows = db
        .query<EventRow, (string | number)[]>(sql)
        .iterate(after, ...(id ? [id] : []), ...(work ? [work] : []), limit);
      const events = withinBytes(MOST_BYTES, rows).map(event);
      return newest ? events.toReversed() : events;
    },
    async lastSeq() {
      return db.query<{ seq: number | null }, []>("SELECT max(seq) AS seq FROM events").get()?.seq ?? 0;
    },
    async draft(id) {
      const sql = "SELECT by, at, data FROM drafts WHERE ask = ?";
      const row = db.query<{ by: string; at: number; data: string }, [string]>(sql).get(id);
      return row ? { by: row.by, at: row.at, draft: FormDraft.parse(JSON.parse(row.data)) } : undefined;
    },
    async problems() {
      const rows = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
      return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
    },
  };
}

const session = (row: Row) => JSON.parse(row.data) as Session;
function event({ seq, at, v, type, ask: id, session: name, task: work, data }: EventRow): LogEvent {
  const content = JSON.parse(data) as LogEvent["data"];
  const places = { ...(id && { ask: id }), ...(name && { session: name }), ...(work && { task: work }) };
  return { seq, at, v, type, data: content, ...places };
}

function listSql(query: AskQuery, askNow: Standing["ask"]): { sql: string; values: (string | number)[] } {
  const { states, kind, session, sessions, project, agent, order = "oldest", limit = 100, after } = query;
  const where: string[] = [];
  const values: (string | number)[] = [];
  const and = (sql: string, ...more: (string | number)[]) => {
    where.push(sql);
    values.push(...more);
  };
  if (states) and(isIn(states));
  if (kind) and("kind = ?", kind);
  if (session) and("session = ?", session);
  if (sessions) and("session IN (SELECT value FROM json_each(?))", JSON.stringify(sessions));
  if (project) and("project = ?", project);
  if (agent) and("json_extract(data, '$.origin.agent') = ?", agent);
  const last = after === undefined ? undefined : askNow(after);
  const time = order === "settled" ? "settled_at" : "created_at";
  if (order === "settled") and("settled_at IS NOT NULL");
  const from = order === "settled" ? (last?.settledAt ?? 0) : last?.createdAt;
  if (last) and(`(${time}, id) ${order === "oldest" ? ">" : "<"} (?, ?)`, from ?? 0, last.id);
  const direction = order === "oldest" ? "ASC" : "DESC";
  const filter = where.length > 0 ? `WHERE ${where.join(" AND ")}` : "";
  // By itself SQLite walks through all that the session ever asked.
  const index = (session || sessions) && states && areActive(states) ? "INDEXED BY asks_active_of_session" : "";
  return {
    sql: `SELECT data FROM asks ${index} ${filter} ORDER BY ${time} ${direction}, id ${direction} LIMIT ?`,
    values: [...values, limit],
  };
}

/** SQLite uses the partial index on active Asks only where its own condition stands word for word. */
function isIn(states: readonly AskState[]): string {
  const active = `state IN (${quotedStates(ACTIVE)})`;
  const wanted = states.length === 1 ? `state = ${quotedStates(states)}` : `state IN (${quotedStates(states)})`;
  return areActive(states) ? `${active} AND ${wanted}` : wanted;
}

const areActive = (states: readonly AskState[]) => states.every((state) => ACTIVE.includes(state));
