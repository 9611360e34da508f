import type { Ask } from "../../core/ask/ask.ts";
import type { Rows } from "../fold.ts";
import type { Run, Value } from "./line.ts";

type Cell = string | number | null;
/** `json`: text that holds no control character, as `JSON.stringify` writes it. */
type Column = { name: string; type: "text" | "json" | "bigint" | "float8" | "int" };

/** Contract: runs inside a transaction; one statement for each table, sent together and not waited for. */
export function writeRows(run: Run, rows: Rows): Promise<unknown>[] {
  const { events, asks, created, sessions, tasks, grants, precedents, tallies, marks, uses } = rows;
  const gone = [...tasks].filter(([, task]) => !task).map(([id]) => id);
  return [
    put(
      "events (seq:bigint, at:float8, v:int, type:text, ask:text, session:text, task:text, data:json)",
      events.map(({ event: { seq, at, v, type, ask, session, task }, text }) => [
        seq,
        at,
        v,
        type,
        ask ?? null,
        session ?? null,
        task ?? null,
        text,
      ]),
    ),
    // One that is new is known to be: the server need not look for what it would replace.
    put(ASKS, askCells([...asks.values()].filter(({ id }) => created.has(id)))),
    put(ASKS, askCells([...asks.values()].filter(({ id }) => !created.has(id))), "id"),
    put(
      "sessions (id:text, agent:text, seen_at:float8, ended_at:float8, data:json)",
      [...sessions.values()].map((one) => [one.id, one.agent, one.seenAt, one.endedAt ?? null, JSON.stringify(one)]),
      "id",
    ),
    put(
      "tasks (id:text, version:bigint, state:text, priority:float8, created_at:float8, data:json)",
      [...tasks.values()].flatMap((task) =>
        task
          ? [[task.id, task.version, task.state, task.order.priority, task.createdAt, JSON.stringify(task)]]
          : ([] as Cell[][]),
      ),
      "id",
    ),
    gone.length > 0 ? run("DELETE FROM tasks WHERE id = ANY($1::text[])", [gone]) : nothing,
    put(
      "grants (id:text, state:text, given_at:float8, data:json)",
      [...grants.values()].map((grant) => [grant.id, grant.state, grant.givenAt, JSON.stringify(grant)]),
      "id",
    ),
    precedents.size > 0 ? run("DELETE FROM precedents WHERE ask = ANY($1::text[])", [[...precedents.keys()]]) : nothing,
    put(
      "precedents (project:text, key:text, at:float8, ask:text)",
      [...precedents].flatMap(([ask, given]) =>
        [...new Set(given?.keys)].map((key) => [given?.project ?? null, key, given?.at ?? null, ask]),
      ),
    ),
    put(
      "piloted (ask:text, at:float8, session:text, decider:text, result:text, spent:int)",
      [...tallies].map(([ask, { at, session, decider, result, spent }]) => [
        ask,
        at,
        session ?? null,
        decider,
        result,
        spent ? 1 : 0,
      ]),
      "ask",
    ),
    marks.size > 0 ? run("DELETE FROM marks WHERE ask = ANY($1::text[])", [[...marks.keys()]]) : nothing,
    put(
      "marks (project:text, decider:text, question:text, at:float8, ask:text, part:int, data:json)",
      [...marks].flatMap(([ask, own]) =>
        own.map(({ project, decider, question, at, part, ...more }) => [
          project,
          decider,
          question,
          at,
          ask,
          part,
          JSON.stringify(more),
        ]),
      ),
    ),
    put(
      "once (key:text, digest:text, ask:text, at:float8)",
      [...uses].map(([key, { digest, ask, at }]) => [key, digest, ask, at]),
    ),
  ];

  /** `key`: the rows replace those of the same one. */
  function put(table: string, cells: readonly (readonly Cell[])[], key?: string): Promise<object[]> {
    if (cells.length === 0) return nothing;
    return run(
      insertInto(table, key),
      columnsOf(table).map(({ type }, i): Value => {
        const column = cells.map((row) => row[i] ?? null);
        return type === "json" ? column.join(BETWEEN) : arrayOf(column);
      }),
    );
  }
}

const ASKS = `asks (id:text, version:bigint, state:text, kind:text, agent:text, session:text, project:text, created_at:float8,
  settled_at:float8, data:json)`;

const askCells = (asks: readonly Ask[]): Cell[][] =>
  asks.map((ask) => [
    ask.id,
    ask.version,
    ask.state,
    ask.kind,
    ask.origin.agent,
    ask.origin.session ?? null,
    ask.origin.project ?? null,
    ask.createdAt,
    ask.settledAt ?? null,
    JSON.stringify(ask),
  ]);

const nothing = Promise.resolve([]);
/** In what is written as JSON it does not occur, so nothing has to be escaped: contents are most of the bytes. */
const BETWEEN = "\u0001";

/** As PostgreSQL writes an array: the library takes a multiple of the time for it. */
function arrayOf(cells: readonly Cell[]): string {
  const text = (cell: Cell) =>
    cell === null
      ? "NULL"
      : typeof cell === "number"
        ? cell
        : `"${/["\\]/.test(cell) ? cell.replaceAll(/["\\]/g, "\\$&") : cell}"`;
  return `{${cells.map(text).join(",")}}`;
}

const statements = new Map<string, string>();

function insertInto(table: string, key: string | undefined): string {
  const name = `${key} ${table}`;
  const known = statements.get(name) ?? writeInsert(table, key);
  statements.set(name, known);
  return known;
}

function writeInsert(table: string, key: string | undefined): string {
  const own = columnsOf(table);
  const names = own.map(({ name }) => name);
  const arrays = own.map(({ type }, i) =>
    type === "json" ? `string_to_array($${i + 1}, E'\\x01')` : `$${i + 1}::${type}[]`,
  );
  const set = names.filter((name) => name !== key).map((name) => `${name} = excluded.${name}`);
  const replace = key === undefined ? "" : ` ON CONFLICT (${key}) DO UPDATE SET ${set.join(", ")}`;
  return `INSERT INTO ${/^\w+/.exec(table)?.[0]} (${names.join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})${replace}`;
}

const columns = new Map<string, Column[]>();

function columnsOf(table: string): Column[] {
  const known =
    columns.get(table) ??
    [...table.matchAll(/(\w+):(\w+)/g)].map(([, name = "", type]) => ({ name, type: type as Column["type"] }));
  columns.set(table, known);
  return known;
}
