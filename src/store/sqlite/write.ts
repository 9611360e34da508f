import type { Database } from "bun:sqlite";
import type { Ask } from "../../core/ask/ask.ts";
import { type AskEvent, EVENT_VERSION, type LogEvent, type SessionEvent } from "../../core/ask/event.ts";
import { applyAskEvent, applySessionEvent } from "../../core/ask/lifecycle.ts";
import type { Session } from "../../core/ask/session.ts";
import { createPilotWriter } from "./autopilot.ts";
import { applyTaskEvent } from "../../core/task/apply-task-event.ts";
import type { Task, TaskEvent } from "../../core/task/task.ts";
import type { createReader } from "./read.ts";
import type { Appended, Change } from "../store.ts";

export type Written = { result: Appended; events: LogEvent[] };

/** Contract: runs inside a transaction of its own; whatever it throws, the caller undoes what it wrote. */
export function createWriter(db: Database, read: ReturnType<typeof createReader>): (change: Change) => Written {
  const putOnce = db.query("INSERT INTO once (key, digest, ask, at) VALUES (?, ?, ?, ?)");
  const putEvent = db.query("INSERT INTO events (at, v, type, ask, session, task, data) VALUES (?, ?, ?, ?, ?, ?, ?)");
  const putAsk = db.query(
    `INSERT INTO asks (id, version, state, kind, session, project, created_at, settled_at, data)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
     ON CONFLICT (id) DO UPDATE SET version = ?2, state = ?3, session = ?5, project = ?6, settled_at = ?8, data = ?9`,
  );
  const putSession = db.query(
    `INSERT INTO sessions (id, agent, seen_at, ended_at, data) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (id) DO UPDATE SET agent = ?2, seen_at = ?3, ended_at = ?4, data = ?5`,
  );
  const putTask = db.query(
    `INSERT INTO tasks (id, version, state, created_at, data) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (id) DO UPDATE SET version = ?2, state = ?3, data = ?5`,
  );
  const dropTask = db.query("DELETE FROM tasks WHERE id = ?");

  const savePilot = createPilotWriter(db);

  return function write(change) {
    const { at, once } = change;
    const before = once ? read.usedNow(once.key) : undefined;
    if (before) return { result: { type: "replayed", ...before }, events: [] };
    const current = change.ask ? read.askNow(change.ask.id) : undefined;
    if (change.ask && (current?.version ?? 0) !== change.ask.expected)
      return { result: { type: "conflict", ...(current && { ask: current }) }, events: [] };
    const currentTask = change.task ? read.taskNow(change.task.id) : undefined;
    if (change.task && (currentTask?.version ?? 0) !== change.task.expected)
      return { result: { type: "conflict", ...(currentTask && { task: currentTask }) }, events: [] };

    const ask = change.ask && fold(current, change.ask, at);
    const session = change.session && foldSession(read.sessionNow(change.session.id), change.session, at);
    const task = change.task && foldTask(currentTask, change.task, at);
    const events = [
      ...(change.ask?.events ?? []).map((data) => log(data, change.ask?.id, ask?.origin.session, ask?.origin.task)),
      ...(change.session?.events ?? []).map((data) => log(data, undefined, change.session?.id)),
      ...(change.task?.events ?? []).map((data) => log(data, undefined, task?.session, change.task?.id)),
    ];
    if (ask) saveAsk(ask);
    if (ask) savePilot(current, ask);
    if (session) saveSession(session);
    if (task) saveTask(task);
    if (change.task?.events.some(({ type }) => type === "task.removed")) dropTask.run(change.task.id);
    if (once && change.ask) putOnce.run(once.key, once.digest, change.ask.id, at);
    return {
      result: { type: "done", ...(ask && { ask }), ...(session && { session }), ...(task && { task }) },
      events,
    };

    function log(data: AskEvent | SessionEvent | TaskEvent, ask?: string, session?: string, task?: string): LogEvent {
      const places = [ask ?? null, session ?? null, task ?? null] as const;
      const row = [at, EVENT_VERSION, data.type, ...places, JSON.stringify(data)] as const;
      return {
        seq: Number(putEvent.run(...row).lastInsertRowid),
        at,
        v: EVENT_VERSION,
        type: data.type,
        data,
        ...(ask && { ask }),
        ...(session && { session }),
        ...(task && { task }),
      };
    }
  };

  function saveAsk(ask: Ask): void {
    const { id, version, state, kind, origin, createdAt, settledAt } = ask;
    putAsk.run(
      id,
      version,
      state,
      kind,
      origin.session ?? null,
      origin.project ?? null,
      createdAt,
      settledAt ?? null,
      JSON.stringify(ask),
    );
  }

  function saveSession(session: Session): void {
    putSession.run(session.id, session.agent, session.seenAt, session.endedAt ?? null, JSON.stringify(session));
  }

  function saveTask(task: Task): void {
    putTask.run(task.id, task.version, task.state, task.createdAt, JSON.stringify(task));
  }
}

function foldTask(
  current: Task | undefined,
  { id, events }: { id: string; events: readonly TaskEvent[] },
  at: number,
): Task | undefined {
  return events.reduce<Task | undefined>((task, event) => applyTaskEvent(task, event, { id, at }), current);
}

function fold(
  current: Ask | undefined,
  { id, events }: { id: string; events: readonly AskEvent[] },
  at: number,
): Ask | undefined {
  return events.reduce<Ask | undefined>((ask, event) => applyAskEvent(ask, event, { id, at }), current);
}

function foldSession(
  current: Session | undefined,
  { id, events }: { id: string; events: readonly SessionEvent[] },
  at: number,
): Session | undefined {
  return events.reduce<Session | undefined>((session, event) => applySessionEvent(session, event, { id, at }), current);
}
