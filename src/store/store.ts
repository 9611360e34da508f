import type { Agreement } from "../core/ask/answer/agreement.ts";
import type { Ask, AskState, Kind } from "../core/ask/ask.ts";
import type { AskEvent, LogEvent, SessionEvent } from "../core/ask/event.ts";
import type { Grant, GrantEvent } from "../core/grant/grant.ts";
import type { FormDraft } from "../core/form/draft.ts";
import type { Session } from "../core/ask/session.ts";
import type { Task, TaskEvent, TaskState } from "../core/task/task.ts";
import type { TrustKey, TrustMark } from "../core/autopilot/trust/marks.ts";
import type { StoreUpkeep } from "./admin.ts";

/** One step of history. Everything in it happens together or not at all. */
export type Change = {
  at: number;
  /** `expected`: the version these events were decided on; 0 for a new Ask. */
  ask?: { id: string; expected: number; events: readonly AskEvent[] };
  session?: { id: string; events: readonly SessionEvent[] };
  task?: { id: string; expected: number; events: readonly TaskEvent[] };
  grant?: { id: string; expected: number; events: readonly GrantEvent[] };
  /** The caller's idempotency key, and a digest of what it asked for. */
  once?: { key: string; digest: string };
};

export type Appended =
  | { type: "done"; ask?: Ask; session?: Session; task?: Task; grant?: Grant }
  /** The key was used before: nothing happened now; this is the Ask as it is. */
  | { type: "replayed"; digest: string; ask: Ask }
  /** Somebody else changed the Ask first: decide again on what it is now. */
  | { type: "conflict"; ask?: Ask; task?: Task; grant?: Grant };

export type AskQuery = {
  states?: readonly AskState[];
  kind?: Kind;
  session?: string;
  /** Of any of these. */
  sessions?: readonly string[];
  project?: string;
  agent?: string;
  /** By when they were asked; `settled`: by when they were settled, the last one first, and only those that were. */
  order?: "oldest" | "newest" | "settled";
  limit?: number;
  /** The last id of the page before. */
  after?: string;
  /** The page ends before it gets larger than this; it has one Ask at least. */
  maxBytes?: number;
};

/** An Ask or an event can have a mebibyte; what is read at once is bounded by its size too. */
export const MOST_BYTES = 8 * 1024 * 1024;

/** What somebody has filled in and not sent, who on which surface, and when. No event: only the newest is kept. */
export type KeptDraft = { draft: FormDraft; by: string; at: number };

export type TaskQuery = {
  states?: readonly TaskState[];
  limit?: number;
  newest?: boolean;
  /** The last one of the page before, which may have been removed since. */
  after?: Pick<Task, "id" | "createdAt">;
};

/** `task`: what happened to it and to everything it asked. */
export type EventQuery = { after?: number; ask?: string; task?: string; limit?: number; newest?: boolean };

/**
 * Contract: `append` resolves only after the change is on disk, in the order of the calls; listeners hear the
 * committed events in sequence order, before `append` resolves. A conflict or replay changes nothing.
 */
export interface Store extends StoreUpkeep {
  append(change: Change): Promise<Appended>;
  onCommit(listener: (events: readonly LogEvent[]) => void): () => void;
  /** What an idempotency key was used for. */
  used(key: string): Promise<{ digest: string; ask: Ask } | undefined>;
  ask(id: string): Promise<Ask | undefined>;
  /** Ids that begin with the prefix, at most ten. */
  idsLike(prefix: string): Promise<string[]>;
  list(query: AskQuery): Promise<Ask[]>;
  count(states: readonly AskState[]): Promise<number>;
  session(id: string): Promise<Session | undefined>;
  task(id: string): Promise<Task | undefined>;
  /** In the order they were made; `newest`: the last ones, where there are more than the limit. */
  tasks(query: TaskQuery): Promise<Task[]>;
  /** Of the queued ones those that come next, the most urgent first. What it costs does not grow with the queue. */
  nextTasks(limit: number): Promise<Task[]>;
  /** How many have a process of theirs running, or to be started. */
  busyTasks(): Promise<number>;
  grant(id: string): Promise<Grant | undefined>;
  /** Newest first; `live`: those that neither a person nor an event of theirs has ended. */
  grants(query: { live?: boolean; limit?: number }): Promise<Grant[]>;
  sessions(query: { live?: boolean; limit?: number }): Promise<Session[]>;
  /** Fewer than the limit when they would be larger than MOST_BYTES together; one at least. */
  events(query: EventQuery): Promise<LogEvent[]>;
  lastSeq(): Promise<number>;
  draft(ask: string): Promise<KeptDraft | undefined>;
  /** On disk when it resolves. Undefined forgets it. Answers false, and keeps nothing, when there is no such Ask. */
  saveDraft(ask: string, draft: KeptDraft | undefined): Promise<boolean>;
  /** What people answered in this project to what has one of these keys, newest first. */
  precedents(project: string, keys: readonly string[], limit: number): Promise<Ask[]>;
  /** How many answers and brains of the autopilot count against a budget: of this session, or since that time. */
  spent(query: { session?: string; since?: number }): Promise<number>;
  /** What became of what the autopilot proposed. */
  agreements(): Promise<{ decider: string; result: Agreement; count: number }[]>;
  /** What is known about this trust, newest first. */
  marks(key: TrustKey, limit: number): Promise<TrustMark[]>;
  /** Whom anybody could trust, the newest mark of each; newest first. */
  trusted(limit: number): Promise<TrustMark[]>;
  close(): Promise<void>;
}

export { ACTIVE, DONE } from "../core/ask/ask-state.ts";
