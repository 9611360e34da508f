import type { Database } from "bun:sqlite";
import type { Ask } from "../../core/ask/ask.ts";
import type { LogEvent } from "../../core/ask/event.ts";
import type { Session } from "../../core/ask/session.ts";
import type { Task } from "../../core/task/task.ts";
import type { Grant } from "../../core/grant/grant.ts";
import type { Rows, Use } from "../fold.ts";
import { createPilotWriter } from "./autopilot.ts";

/** Contract: runs inside a transaction; whatever it throws, the caller undoes what it wrote. */
export function createWriter(db: Database): (rows: Rows) => void {
  const putUse = db.query("INSERT INTO once (key, digest, ask, at) VALUES (?, ?, ?, ?)");
  const putEvent = db.query(
    "INSERT INTO events (seq, at, v, type, ask, session, task, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const addAsk = db.query(
    `INSERT INTO asks (version, state, session, project, settled_at, data, id, kind, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const changeAsk = db.query(
    "UPDATE asks SET version = ?, state = ?, session = ?, project = ?, settled_at = ?, data = ? WHERE id = ?",
  );
  const putSession = db.query(
    `INSERT INTO sessions (id, agent, seen_at, ended_at, data) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (id) DO UPDATE SET agent = ?2, seen_at = ?3, ended_at = ?4, data = ?5`,
  );
  const putTask = db.query(
    `INSERT INTO tasks (id, version, state, created_at, data) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (id) DO UPDATE SET version = ?2, state = ?3, created_at = ?4, data = ?5`,
  );
  const dropTask = db.query("DELETE FROM tasks WHERE id = ?");
  const putGrant = db.query(
    `INSERT INTO grants (id, state, given_at, data) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (id) DO UPDATE SET state = ?2, data = ?4`,
  );
  const { putPrecedent, putTally, putMarks } = createPilotWriter(db);

  return ({ events, asks, created, sessions, tasks, grants, precedents, tallies, marks, uses }) => {
    for (const { event, text } of events) saveEvent(event, text);
    for (const ask of asks.values()) saveAsk(ask, created.has(ask.id));
    for (const session of sessions.values()) saveSession(session);
    for (const [id, task] of tasks)
      if (task) saveTask(task);
      else dropTask.run(id);
    for (const grant of grants.values()) saveGrant(grant);
    for (const [ask, precedent] of precedents) putPrecedent(ask, precedent);
    for (const [ask, tally] of tallies) putTally(ask, tally);
    for (const [ask, own] of marks) putMarks(ask, own);
    for (const [key, use] of uses) saveUse(key, use);
  };

  function saveEvent({ seq, at, v, type, ask, session, task }: LogEvent, text: string): void {
    putEvent.run(seq, at, v, type, ask ?? null, session ?? null, task ?? null, text);
  }

  function saveAsk(ask: Ask, isNew: boolean): void {
    const { id, version, state, kind, origin, createdAt, settledAt = null } = ask;
    const { session = null, project = null } = origin;
    const data = JSON.stringify(ask);
    if (isNew) addAsk.run(version, state, session, project, settledAt, data, id, kind, createdAt);
    else changeAsk.run(version, state, session, project, settledAt, data, id);
  }

  function saveSession(session: Session): void {
    putSession.run(session.id, session.agent, session.seenAt, session.endedAt ?? null, JSON.stringify(session));
  }

  function saveTask(task: Task): void {
    putTask.run(task.id, task.version, task.state, task.createdAt, JSON.stringify(task));
  }

  function saveGrant(grant: Grant): void {
    putGrant.run(grant.id, grant.state, grant.givenAt, JSON.stringify(grant));
  }

  function saveUse(key: string, { digest, ask, at }: Use): void {
    putUse.run(key, digest, ask, at);
  }
}
