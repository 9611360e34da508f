import type { Ask } from "../core/ask/ask.ts";
import { type AskEvent, EVENT_VERSION, type LogEvent, type SessionEvent } from "../core/ask/event.ts";
import { applyAskEvent, applySessionEvent, type Stamp } from "../core/ask/lifecycle.ts";
import type { Session } from "../core/ask/session.ts";
import { applyGrantEvent, type Grant, type GrantEvent } from "../core/grant/grant.ts";
import { applyTaskEvent } from "../core/task/apply-task-event.ts";
import type { Task, TaskEvent } from "../core/task/task.ts";
import type { Step, Written } from "./append-queue.ts";
import type { TrustMark } from "../core/autopilot/trust/marks.ts";
import { nextMarks, nextTally, type Precedent, precedentOf, type TallyRow } from "./projections.ts";
import type { Appended, Change } from "./store.ts";

/** What an idempotency key was used for. */
export type Use = { digest: string; ask: string; at: number };

/**
 * What an engine has before a batch, read inside the batch's transaction. One that cannot be asked in passing reads
 * what the changes name first.
 */
export type Standing = {
  /** The highest number an event ever got, also one that was pruned. */
  lastSeq(): number;
  ask(id: string): Ask | undefined;
  /** The engine itself fails at the row of a new Ask whose id is taken: then nobody looks for it before. */
  refusesTakenIds?: boolean;
  session(id: string): Session | undefined;
  task(id: string): Task | undefined;
  grant(id: string): Grant | undefined;
  tally(ask: string): TallyRow | undefined;
  used(key: string): Pick<Use, "digest" | "ask"> | undefined;
};

/** What an engine has to write for a batch: each row once, as it is at the end. Undefined: it is no more. */
export type Rows = {
  events: readonly Entry[];
  asks: ReadonlyMap<string, Ask>;
  /** Of these Asks the ones that were not there before. */
  created: ReadonlySet<string>;
  sessions: ReadonlyMap<string, Session>;
  tasks: ReadonlyMap<string, Task | undefined>;
  grants: ReadonlyMap<string, Grant>;
  /** By Ask; replaces what it was found by before. */
  precedents: ReadonlyMap<string, Precedent | undefined>;
  tallies: ReadonlyMap<string, TallyRow>;
  /** By Ask; replaces what it had in the ledger of trust before. */
  marks: ReadonlyMap<string, readonly TrustMark[]>;
  uses: ReadonlyMap<string, Use>;
};

type Happened = AskEvent | SessionEvent | TaskEvent | GrantEvent;
type Entry = { event: LogEvent; text: string };
type Places = { ask?: string | undefined; session?: string | undefined; task?: string | undefined };
type Batch = ReturnType<typeof createBatch>;

/**
 * What a batch of changes does, in their order: the one place that decides on versions, keys and numbers, for every engine.
 * Contract: pure; a change that fails leaves nothing behind and takes no number.
 */
export function foldChanges(changes: readonly Change[], standing: Standing): { steps: Step[]; rows: Rows } {
  const batch = createBatch(standing);
  const steps = changes.map((change): Step => {
    try {
      return { value: foldChange(change, batch) };
    } catch (error) {
      return { error };
    }
  });
  const { events, asks, created, sessions, tasks, grants, precedents, tallies, marks, uses } = batch;
  const rows = {
    asks: asks.written,
    created,
    sessions: sessions.written,
    tasks: tasks.written,
    grants: grants.written,
    precedents,
    marks,
  };
  return { steps, rows: { events, ...rows, tallies: tallies.written, uses: uses.written } };
}

function foldChange(change: Change, batch: Batch): Written {
  const { at, once } = change;
  if (!Number.isFinite(at)) throw new Error(`a change needs a time, not ${at}`);
  const use = once && batch.uses.get(once.key);
  const known = use && batch.asks.get(use.ask);
  if (use && known) return nothing({ type: "replayed", digest: use.digest, ask: known });
  const before = change.ask && batch.askBefore(change.ask);
  if (change.ask && (before?.version ?? 0) !== change.ask.expected)
    return nothing({ type: "conflict", ...(before && { ask: before }) });
  const taskBefore = change.task && batch.tasks.get(change.task.id);
  if (change.task && (taskBefore?.version ?? 0) !== change.task.expected)
    return nothing({ type: "conflict", ...(taskBefore && { task: taskBefore }) });
  const grantBefore = change.grant && batch.grants.get(change.grant.id);
  if (change.grant && (grantBefore?.version ?? 0) !== change.grant.expected)
    return nothing({ type: "conflict", ...(grantBefore && { grant: grantBefore }) });

  const ask = change.ask && fold(applyAskEvent, before, change.ask, at);
  const session = change.session && fold(applySessionEvent, batch.sessions.get(change.session.id), change.session, at);
  const task = change.task && fold(applyTaskEvent, taskBefore, change.task, at);
  const grant = change.grant && fold(applyGrantEvent, grantBefore, change.grant, at);
  const entries: Entry[] = [];
  const log = (events: readonly Happened[], places: Places) => {
    for (const data of events) entries.push(entryOf(data, batch.lastSeq() + entries.length + 1, at, places));
  };
  if (change.ask) log(change.ask.events, { ask: ask?.id, session: ask?.origin.session, task: ask?.origin.task });
  if (change.session) log(change.session.events, { session: change.session.id });
  if (change.task) log(change.task.events, { session: task?.session, task: change.task.id });
  if (change.grant) log(change.grant.events, {});
  const isDecided = ask?.outcome !== undefined && ask.outcome !== before?.outcome;
  const precedent = isDecided ? precedentOf(ask) : undefined;
  const tally = ask && nextTally(ask, batch.tallies.get);
  const marks = ask && nextMarks(ask);

  // Nothing fails from here on.
  for (const entry of entries) batch.events.push(entry);
  if (ask) batch.asks.set(ask.id, ask);
  if (ask && !before) batch.created.add(ask.id);
  if (isDecided) batch.precedents.set(ask.id, precedent);
  if (ask && tally) batch.tallies.set(ask.id, tally);
  if (ask && marks) batch.marks.set(ask.id, marks);
  if (session) batch.sessions.set(session.id, session);
  if (task) batch.tasks.set(task.id, isRemoved(change) ? undefined : task);
  if (grant) batch.grants.set(grant.id, grant);
  if (once && change.ask) batch.uses.set(once.key, { digest: once.digest, ask: change.ask.id, at });
  const result: Appended = { type: "done" };
  if (ask) result.ask = ask;
  if (session) result.session = session;
  if (task) result.task = task;
  if (grant) result.grant = grant;
  return { result, events: entries.map(({ event }) => event) };
}

const nothing = (result: Appended): Written => ({ result, events: [] });
const isRemoved = ({ task }: Change) => task?.events.some(({ type }) => type === "task.removed") ?? false;

function fold<T, E>(
  apply: (current: T | undefined, event: E, stamp: Stamp) => T,
  current: T | undefined,
  { id, events }: { id: string; events: readonly E[] },
  at: number,
): T | undefined {
  return events.reduce<T | undefined>((value, event) => apply(value, event, { id, at }), current);
}

/** As text already: what cannot be written must fail here, with its own change. */
function entryOf(data: Happened, seq: number, at: number, { ask, session, task }: Places): Entry {
  const event: LogEvent = { seq, at, v: EVENT_VERSION, type: data.type, data };
  if (ask) event.ask = ask;
  if (session) event.session = session;
  if (task) event.task = task;
  return { event, text: JSON.stringify(data) };
}

/** It is asked for the first time: nothing of its id stands, or it is taken. */
export const isCapture = ({ expected, events: [first] }: NonNullable<Change["ask"]>): boolean =>
  expected === 0 && first?.type === "ask.captured";

/** What stands, with what the changes before this one did to it. */
function createBatch(standing: Standing) {
  const events: Entry[] = [];
  const lastSeq = standing.lastSeq();
  const asks = overlay<Ask>(standing.ask);
  return {
    events,
    lastSeq: () => events.at(-1)?.event.seq ?? lastSeq,
    asks,
    created: new Set<string>(),
    askBefore: (ask: NonNullable<Change["ask"]>): Ask | undefined =>
      standing.refusesTakenIds && isCapture(ask) ? asks.written.get(ask.id) : asks.get(ask.id),
    sessions: overlay<Session>(standing.session),
    tasks: overlay<Task | undefined>(standing.task),
    grants: overlay<Grant>(standing.grant),
    precedents: new Map<string, Precedent | undefined>(),
    marks: new Map<string, readonly TrustMark[]>(),
    tallies: overlay<TallyRow>(standing.tally),
    uses: overlay<Use, Pick<Use, "digest" | "ask">>(standing.used),
  };
}

function overlay<T extends Below | undefined, Below = T>(below: (id: string) => Below | undefined) {
  const written = new Map<string, T>();
  return {
    written,
    get: (id: string): Below | undefined => (written.has(id) ? written.get(id) : below(id)),
    set: (id: string, value: T) => void written.set(id, value),
  };
}
