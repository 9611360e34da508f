import type { Rows } from "../fold.ts";
import { type Run, together, type Value } from "./line.ts";

type Cell = string | number | null;
type Column = { name: string; type: "text" | "bigint" | "float8" | "int" };

/** Contract: runs inside a transaction; one statement for each table, sent together. */
export async function writeRows(run: Run, rows: Rows): Promise<void> {
  const { events, asks, sessions, tasks, grants, precedents, tallies, marks, uses } = rows;
  const gone = [...tasks].filter(([, task]) => !task).map(([id]) => id);
  await together([
    put(
      "events (seq:bigint, at:float8, v:int, type:text, ask:text, session:text, task:text, data:text)",
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
    put(
      `asks (id:text, version:bigint, state:text, kind:text, agent:text, session:text, project:text, created_at:float8,
        settled_at:float8, data:text)`,
      [...asks.values()].map((ask) => [
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
      ]),
      "id",
    ),
    put(
      "sessions (id:text, agent:text, seen_at:float8, ended_at:float8, data:text)",
      [...sessions.values()].map((one) => [one.id, one.agent, one.seenAt, one.endedAt ?? null, JSON.stringify(one)]),
      "id",
    ),
    put(
      "tasks (id:text, version:bigint, state:text, priority:float8, created_at:float8, data:text)",
      [...tasks.values()].flatMap((task) =>
        task
          ? [[task.id, task.version, task.state, task.order.priority, task.createdAt, JSON.stringify(task)]]
          : ([] as Cell[][]),
      ),
      "id",
    ),
    gone.length > 0 ? run("DELETE FROM tasks WHERE id = ANY($1::text[])", [gone]) : nothing,
    put(
      "grants (id:text, state:text, given_at:float8, data:text)",
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
      "marks (project:text, decider:text, question:text, at:float8, ask:text, part:int, data:text)",
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
  ]);

  /** `key`: the rows replace those of the same one. */
  function put(table: string, cells: readonly (readonly Cell[])[], key?: string): Promise<object[]> {
    if (cells.length === 0) return nothing;
    return run(
      insertInto(table, key),
      columnsOf(table).map((_, i): Value => cells.map((row) => row[i] ?? null)),
    );
  }
}

const nothing = Promise.resolve([]);

function insertInto(table: string, key: string | undefined): string {
  const columns = columnsOf(table);
  const names = columns.map(({ name }) => name);
  const arrays = columns.map(({ type }, i) => `$${i + 1}::${type}[]`);
  const set = names.filter((name) => name !== key).map((name) => `${name} = excluded.${name}`);
  const replace = key === undefined ? "" : ` ON CONFLICT (${key}) DO UPDATE SET ${set.join(", ")}`;
  return `INSERT INTO ${/^\w+/.exec(table)?.[0]} (${names.join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})${replace}`;
}

const columnsOf = (table: string): Column[] =>
  [...table.matchAll(/(\w+):(\w+)/g)].map(([, name = "", type]) => ({ name, type: type as Column["type"] }));
