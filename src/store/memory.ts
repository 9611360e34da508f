import type { Agreement } from "../core/ask/answer/agreement.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { LogEvent } from "../core/ask/event.ts";
import type { Grant } from "../core/grant/grant.ts";
import type { Session } from "../core/ask/session.ts";
import { FormDraft } from "../core/form/draft.ts";
import type { Task } from "../core/task/task.ts";
import { createAppendQueue } from "./append-queue.ts";
import { foldChanges, type Rows, type Standing, type Use } from "./fold.ts";
import type { TrustMark } from "../core/autopilot/trust/marks.ts";
import { isOfKey, newestOf, type Precedent, type TallyRow } from "./projections.ts";
import { type Prunable, pruneInSteps } from "./prune-in-steps.ts";
import { type AskQuery, DONE, MOST_BYTES, type Store, type TaskQuery } from "./store.ts";
import { withinBytes } from "./within-bytes.ts";

/** Kept as text too: what is read belongs to the reader, and is what a file would give back. */
type Row<T> = { value: T; data: string };
type Tables = ReturnType<typeof createTables>;

/** A store for tests: the same rules, and nothing is left of it afterwards. Every look reads all there is. */
export function openMemory(): Store {
  const tables = createTables();
  const { asks, sessions, tasks, grants, events, drafts, precedents, tallies, marks } = tables;
  const standing = standingOf(tables);
  const prunable = prunableOf(tables);
  const queue = createAppendQueue((changes) => {
    const { steps, rows } = foldChanges(changes, standing);
    write(tables, rows);
    return steps;
  });

  return {
    ...queue,
    async used(key) {
      const use = standing.used(key);
      const known = use && standing.ask(use.ask);
      return use && known && { digest: use.digest, ask: known };
    },
    ask: async (id) => standing.ask(id),
    session: async (id) => standing.session(id),
    task: async (id) => standing.task(id),
    grant: async (id) => standing.grant(id),
    async grants({ live, limit = 200 }) {
      const wanted = [...grants.values()].filter(({ value }) => !live || value.state === "live");
      return wanted
        .toSorted((a, b) => b.value.givenAt - a.value.givenAt || (a.value.id < b.value.id ? 1 : -1))
        .slice(0, limit)
        .map(read);
    },
    idsLike: async (prefix) =>
      [...asks.keys()]
        .filter((id) => id.startsWith(prefix))
        .toSorted()
        .slice(0, 10),
    list: async (query) => listed([...asks.values()], query, asks.get(query.after ?? "")?.value).map(read),
    count: async (states) => [...asks.values()].filter(({ value }) => states.includes(value.state)).length,
    tasks: async (query) => pageOfTasks([...tasks.values()], query).map(read),
    async nextTasks(limit) {
      const queued = [...tasks.values()].filter(({ value }) => value.state === "queued");
      return queued
        .toSorted((a, b) => b.value.order.priority - a.value.order.priority || byTime(a, b))
        .slice(0, limit)
        .map(read);
    },
    busyTasks: async () => [...tasks.values()].filter(({ value }) => value.state === "in_progress").length,
    async sessions({ live, limit = 100 }) {
      const wanted = [...sessions.values()].filter(({ value }) => !live || value.endedAt === undefined);
      return wanted
        .toSorted((a, b) => b.value.seenAt - a.value.seenAt)
        .slice(0, limit)
        .map(read);
    },
    async events({ after = 0, ask, task, limit = 1000, newest = false }) {
      const found = [...events.values()].filter(
        ({ value }) => value.seq > after && (!ask || value.ask === ask) && (!task || value.task === task),
      );
      const page = withinBytes(MOST_BYTES, (newest ? found.toReversed() : found).slice(0, limit));
      return (newest ? page.toReversed() : page).map(({ value, data }) => ({
        ...value,
        data: JSON.parse(data) as LogEvent["data"],
      }));
    },
    lastSeq: async () => [...events.keys()].at(-1) ?? 0,
    async draft(ask) {
      const row = drafts.get(ask);
      return row && { ...row, draft: FormDraft.parse(JSON.parse(row.draft)) };
    },
    async saveDraft(ask, kept) {
      if (!asks.has(ask)) return false;
      if (kept) drafts.set(ask, { ...kept, draft: JSON.stringify(kept.draft) });
      else drafts.delete(ask);
      return true;
    },
    async precedents(project, keys, limit) {
      const found = [...precedents].filter(
        ([, given]) => given.project === project && given.keys.some((key) => keys.includes(key)),
      );
      const ids = newestOf(
        found.map(([ask, { at }]) => ({ ask, at })),
        limit,
      );
      return ids.flatMap((id) => standing.ask(id) ?? []);
    },
    // None is older than its keys.
    keyPrecedents: async () => 0,
    async spent({ session, since = 0 }) {
      const counts = (tally: TallyRow) => (session === undefined ? tally.at >= since : tally.session === session);
      return [...tallies.values()].filter((tally) => tally.spent && counts(tally)).length;
    },
    agreements: async () => agreementsIn([...tallies.values()]),
    marks: async (key, limit) =>
      newestMarks([...marks.values()].flat().filter((mark) => isOfKey(mark, key))).slice(0, limit),
    async trusted(limit) {
      const rows = Map.groupBy(newestMarks([...marks.values()].flat()), ({ project, decider, question }) =>
        JSON.stringify([project, decider, question]),
      );
      return [...rows.values()].flatMap(([newest]) => newest ?? []).slice(0, limit);
    },
    prune: (before) => pruneInSteps(prunable, before),
    problems: async () => [],
  };
}

function createTables() {
  return {
    asks: new Map<string, Row<Ask>>(),
    sessions: new Map<string, Row<Session>>(),
    tasks: new Map<string, Row<Task>>(),
    grants: new Map<string, Row<Grant>>(),
    /** By number, in their order. */
    events: new Map<number, Row<LogEvent>>(),
    last: { seq: 0 },
    drafts: new Map<string, { draft: string; by: string; at: number }>(),
    precedents: new Map<string, Precedent>(),
    tallies: new Map<string, TallyRow>(),
    marks: new Map<string, readonly TrustMark[]>(),
    uses: new Map<string, Use>(),
  };
}

function standingOf({ asks, sessions, tasks, grants, tallies, uses, last }: Tables): Standing {
  return {
    lastSeq: () => last.seq,
    ask: (id) => maybe(asks.get(id)),
    session: (id) => maybe(sessions.get(id)),
    task: (id) => maybe(tasks.get(id)),
    grant: (id) => maybe(grants.get(id)),
    tally: (ask) => tallies.get(ask),
    used: (key) => uses.get(key),
  };
}

function write(tables: Tables, rows: Rows): void {
  for (const { event, text } of rows.events) {
    tables.events.set(event.seq, { value: event, data: text });
    tables.last.seq = event.seq;
  }
  for (const [id, ask] of rows.asks) tables.asks.set(id, row(ask));
  for (const [id, session] of rows.sessions) tables.sessions.set(id, row(session));
  for (const [id, task] of rows.tasks) put(tables.tasks, id, task && row(task));
  for (const [id, grant] of rows.grants) tables.grants.set(id, row(grant));
  for (const [ask, precedent] of rows.precedents) put(tables.precedents, ask, precedent);
  for (const [ask, tally] of rows.tallies) tables.tallies.set(ask, tally);
  for (const [ask, marks] of rows.marks) tables.marks.set(ask, marks);
  for (const [key, use] of rows.uses) tables.uses.set(key, use);
}

function prunableOf({ asks, sessions, events, drafts, precedents, marks, uses }: Tables): Prunable {
  const dropEvents = (isOf: (event: LogEvent) => boolean) => {
    for (const [seq, { value }] of events) if (isOf(value)) events.delete(seq);
  };
  return {
    doneAsks: (before, limit) =>
      [...asks.values()]
        .filter(({ value }) => DONE.includes(value.state) && (value.settledAt ?? Infinity) < before)
        .slice(0, limit)
        .map(({ value }) => value.id),
    removeAsks(ids) {
      const gone = new Set(ids);
      dropEvents(({ ask }) => ask !== undefined && gone.has(ask));
      for (const [key, { ask }] of uses) if (gone.has(ask)) uses.delete(key);
      for (const table of [asks, drafts, precedents, marks]) for (const id of ids) table.delete(id);
    },
    endedSessions(before, limit) {
      const asked = new Set([...asks.values()].map(({ value }) => value.origin.session));
      return [...sessions.values()]
        .filter(({ value }) => (value.endedAt ?? Infinity) < before && !asked.has(value.id))
        .slice(0, limit)
        .map(({ value }) => value.id);
    },
    removeSessions(ids) {
      const gone = new Set(ids);
      dropEvents(({ ask, session }) => ask === undefined && session !== undefined && gone.has(session));
      for (const id of ids) sessions.delete(id);
    },
  };
}

function listed(rows: readonly Row<Ask>[], query: AskQuery, after: Ask | undefined): Row<Ask>[] {
  const { states, kind, session, sessions, project, agent, order = "oldest", limit = 100, maxBytes = Infinity } = query;
  const sign = order === "oldest" ? 1 : -1;
  const timed = ({ id, createdAt, settledAt = 0 }: Ask) => ({
    id,
    createdAt: order === "settled" ? settledAt : createdAt,
  });
  const compared = (a: Ask, b: Ask) => sign * compare(timed(a), timed(b));
  const found = rows.filter(
    ({ value }) =>
      (order !== "settled" || value.settledAt !== undefined) &&
      (!states || states.includes(value.state)) &&
      (!kind || value.kind === kind) &&
      (!session || value.origin.session === session) &&
      (!sessions || (value.origin.session !== undefined && sessions.includes(value.origin.session))) &&
      (!project || value.origin.project === project) &&
      (!agent || value.origin.agent === agent) &&
      (!after || compared(value, after) > 0),
  );
  return withinBytes(maxBytes, found.toSorted((a, b) => compared(a.value, b.value)).slice(0, limit));
}

function pageOfTasks(
  rows: readonly Row<Task>[],
  { states, limit = 500, newest = false, after }: TaskQuery,
): Row<Task>[] {
  const found = rows
    .filter(({ value }) => (!states || states.includes(value.state)) && (!after || compare(value, after) > 0))
    .toSorted(byTime);
  return newest ? found.slice(-limit || found.length) : found.slice(0, limit);
}

function agreementsIn(tallies: readonly TallyRow[]): { decider: string; result: Agreement; count: number }[] {
  const groups = Map.groupBy(tallies, ({ decider, result }) => JSON.stringify([decider, result]));
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...more]]) =>
      first ? [{ decider: first.decider, result: first.result, count: 1 + more.length }] : [],
    );
}

const newestMarks = (marks: readonly TrustMark[]) =>
  marks.toSorted((a, b) => b.at - a.at || (a.ask < b.ask ? 1 : -1) || b.part - a.part);

type Timed = { id: string; createdAt: number };
const compare = (a: Timed, b: Timed) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : Number(a.id > b.id));
const byTime = (a: Row<Timed>, b: Row<Timed>) => compare(a.value, b.value);

function row<T>(value: T): Row<T> {
  const data = JSON.stringify(value);
  return { value: JSON.parse(data) as T, data };
}

const read = <T>({ data }: Row<T>) => JSON.parse(data) as T;
const maybe = <T>(found: Row<T> | undefined) => found && read(found);

function put<T>(table: Map<string, T>, id: string, value: T | undefined): void {
  if (value === undefined) table.delete(id);
  else table.set(id, value);
}
