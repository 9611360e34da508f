import type { Database } from "bun:sqlite";
import { Ask } from "../core/ask.ts";
import { LogEvent, upcast } from "../core/event.ts";
import { Session } from "../core/session.ts";
import { Task } from "../core/task.ts";
import type { AskQuery, Store } from "./store.ts";

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
  | "events"
  | "lastSeq"
  | "problems"
> & {
  askNow(id: string): Ask | undefined;
  sessionNow(id: string): Session | undefined;
  taskNow(id: string): Task | undefined;
  usedNow(key: string): { digest: string; ask: Ask } | undefined;
};

export function createReader(db: Database): Reader {
  const askNow = (id: string) => ask(db.query<Row, [string]>("SELECT data FROM asks WHERE id = ?").get(id));
  const sessionNow = (id: string) => {
    const row = db.query<Row, [string]>("SELECT data FROM sessions WHERE id = ?").get(id);
    return row ? Session.parse(JSON.parse(row.data)) : undefined;
  };
  const taskNow = (id: string) => {
    const row = db.query<Row, [string]>("SELECT data FROM tasks WHERE id = ?").get(id);
    return row ? Task.parse(JSON.parse(row.data)) : undefined;
  };
  const usedNow = (key: string) => {
    const row = db
      .query<{ digest: string; ask: string }, [string]>("SELECT digest, ask FROM once WHERE key = ?")
      .get(key);
    const known = row ? askNow(row.ask) : undefined;
    return row && known ? { digest: row.digest, ask: known } : undefined;
  };
  return {
    askNow,
    sessionNow,
    taskNow,
    usedNow,
    used: async (key) => usedNow(key),
    ask: async (id) => askNow(id),
    session: async (id) => sessionNow(id),
    task: async (id) => taskNow(id),
    async tasks({ states, limit = 500 }) {
      const where = states ? `WHERE state IN (${quotedStates(states)})` : "";
      const sql = `SELECT data FROM tasks ${where} ORDER BY created_at, id LIMIT ?`;
      return db
        .query<Row, [number]>(sql)
        .all(limit)
        .map((row) => Task.parse(JSON.parse(row.data)));
    },
    async idsLike(prefix) {
      const sql = "SELECT id FROM asks WHERE id >= ? AND id < ? ORDER BY id LIMIT 10";
      return db
        .query<{ id: string }, [string, string]>(sql)
        .all(prefix, `${prefix}\u{10ffff}`)
        .map(({ id }) => id);
    },
    async list(query) {
      const { sql, values } = listSql(query, askNow);
      return db
        .query<Row, (string | number)[]>(sql)
        .all(...values)
        .flatMap((row) => ask(row) ?? []);
    },
    async count(states) {
      const sql = `SELECT count(*) AS n FROM asks WHERE state IN (${quotedStates(states)})`;
      return db.query<{ n: number }, []>(sql).get()?.n ?? 0;
    },
    async sessions({ live, limit = 100 }) {
      const sql = `SELECT data FROM sessions ${live ? "WHERE ended_at IS NULL" : ""} ORDER BY seen_at DESC LIMIT ?`;
      return db
        .query<Row, [number]>(sql)
        .all(limit)
        .map((row) => Session.parse(JSON.parse(row.data)));
    },
    async events({ after = 0, ask: id, limit = 1000, newest = false }) {
      const sql = `SELECT * FROM events WHERE seq > ? ${id ? "AND ask = ?" : ""} ORDER BY seq ${newest ? "DESC" : ""} LIMIT ?`;
      const rows = db.query<EventRow, (string | number)[]>(sql).all(...(id ? [after, id, limit] : [after, limit]));
      const events = rows.map(event);
      return newest ? events.toReversed() : events;
    },
    async lastSeq() {
      return db.query<{ seq: number | null }, []>("SELECT max(seq) AS seq FROM events").get()?.seq ?? 0;
    },
    async problems() {
      const rows = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
      return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
    },
  };
}

function ask(row: Row | null): Ask | undefined {
  return row ? Ask.parse(JSON.parse(row.data)) : undefined;
}

function event({ data, ask: id, session, task, ...row }: EventRow): LogEvent {
  const parsed = LogEvent.parse({
    ...row,
    data: JSON.parse(data),
    ...(id && { ask: id }),
    ...(session && { session }),
    ...(task && { task }),
  });
  return upcast(parsed);
}

function listSql(
  query: AskQuery,
  askNow: (id: string) => Ask | undefined,
): { sql: string; values: (string | number)[] } {
  const { states, kind, session, project, order = "oldest", limit = 100, after } = query;
  const where: string[] = [];
  const values: (string | number)[] = [];
  const and = (sql: string, ...more: (string | number)[]) => {
    where.push(sql);
    values.push(...more);
  };
  if (states) and(`state IN (${quotedStates(states)})`);
  if (kind) and("kind = ?", kind);
  if (session) and("session = ?", session);
  if (project) and("project = ?", project);
  const last = after === undefined ? undefined : askNow(after);
  if (last) and(`(created_at, id) ${order === "oldest" ? ">" : "<"} (?, ?)`, last.createdAt, last.id);
  const direction = order === "oldest" ? "ASC" : "DESC";
  const filter = where.length > 0 ? `WHERE ${where.join(" AND ")}` : "";
  return {
    sql: `SELECT data FROM asks ${filter} ORDER BY created_at ${direction}, id ${direction} LIMIT ?`,
    values: [...values, limit],
  };
}

/** Literals, not parameters: only so does SQLite use the partial index on active Asks. */
export function quotedStates(states: readonly string[]): string {
  return states.map((state) => `'${state.replaceAll("'", "")}'`).join(", ");
}
