import { inParagraphs, type Task, type TaskEvent, type TaskOrder } from "./task.ts";
import { isOver, isParked } from "./task-state.ts";
import { plus, Usage } from "./usage.ts";

const NOT_LATER = { resumeAt: undefined, resumeBy: undefined };
/** What is done later was counted when it was put off. */
const tried = ({ tries, resumeAt }: Task): number => (resumeAt === undefined ? tries + 1 : tries);

/**
 * The one place where an event changes a task.
 * Contract: total, and the version grows by one. What is over stays over, except for a retry.
 */
export function applyTaskEvent(task: Task | undefined, event: TaskEvent, { id, at }: { id: string; at: number }): Task {
  if (event.type === "task.created")
    return (
      task ?? {
        ...created(event.order, id, at),
        ...(event.by && { by: event.by }),
        ...(event.request !== undefined && { request: event.request }),
      }
    );
  if (!task) throw new Error(`event ${event.type} for unknown task ${id}`);
  const changed = { ...task, ...change(task, event, at) };
  return { ...changed, parked: isParked(changed), version: task.version + 1, updatedAt: at };
}

function created(order: TaskOrder, id: string, at: number): Task {
  const usage = Usage.parse({});
  const blank = { version: 1, state: "queued", parked: false, run: 0, attempt: 1, tries: 0, usage } as const;
  const budget = order.budgetUsd === undefined ? {} : { budgetUsd: order.budgetUsd };
  return { id, ...blank, ...budget, order, createdAt: at, updatedAt: at };
}

function change(task: Task, event: Exclude<TaskEvent, { type: "task.created" }>, at: number): Partial<Task> {
  if (event.type === "task.retried") return again(task, event);
  if (event.type === "task.applied") return { applied: event.applied };
  if (event.type === "task.cleared") return { cleared: event.cleared };
  if (event.type === "task.stopped" && isLate(task, event)) return afterwards(task, event);
  if (isOver(task)) return {};
  switch (event.type) {
    case "task.placed":
      return { workdir: event.workdir };
    case "task.started": {
      const { session, start, auto, once } = event;
      const running = { state: "in_progress", waitingFor: undefined, ...NOT_LATER } as const;
      const fresh = {
        end: undefined,
        checked: undefined,
        elsewhere: undefined,
        applied: undefined,
        cleared: undefined,
      };
      // From the queue: whoever put it there has counted.
      const tries = start.how === "prompt" ? task.tries : auto ? tried(task) : 0;
      const told = once === undefined ? {} : { toldFor: once };
      return {
        ...running,
        ...fresh,
        ...told,
        session,
        start,
        tries,
        run: task.run + 1,
        startedAt: task.startedAt ?? at,
      };
    }
    case "task.session":
      return { session: event.session };
    case "task.waiting":
      return { state: "waiting", waitingFor: event.for };
    case "task.continued":
      return { state: "in_progress", waitingFor: undefined };
    case "task.stopped":
      return {
        usage: plus(task.usage, event.usage),
        end: event.end,
        elsewhere: undefined,
        ...(event.said !== undefined && { said: event.said }),
        ...(event.diff && { diff: event.diff }),
        ...(event.reported && { reported: event.reported }),
      };
    case "task.checked":
      return { checked: event.check };
    case "task.delayed": {
      const tries = event.auto ? tried(task) : 0;
      return { state: "waiting", waitingFor: "error", resumeAt: event.until, resumeBy: event.by, tries };
    }
    case "task.granted":
      return { budgetUsd: event.budgetUsd };
    case "task.used":
      return { used: [...(task.used ?? []), { ask: event.ask, call: event.call }] };
    case "task.taken":
      return { state: "in_progress", waitingFor: undefined, elsewhere: true, ...NOT_LATER };
    case "task.removed":
      return {};
    case "task.ended":
      return {
        state: event.state,
        waitingFor: undefined,
        elsewhere: undefined,
        reason: event.reason,
        endedAt: at,
        ...NOT_LATER,
      };
  }
}

/** It was ended or started again while its agent ran. */
const isLate = (task: Task, { run }: Extract<TaskEvent, { type: "task.stopped" }>): boolean =>
  isOver(task) || task.state === "queued" || (run !== undefined && run !== task.run);

/** Only what the run cost and changed is still learned. */
function afterwards({ usage }: Task, event: Extract<TaskEvent, { type: "task.stopped" }>): Partial<Task> {
  return { usage: plus(usage, event.usage), ...(event.diff && { diff: event.diff }) };
}

/** From the beginning: nothing of the attempt before is left to answer. What it cost stays counted. */
function again(task: Task, { auto, words, once }: Extract<TaskEvent, { type: "task.retried" }>): Partial<Task> {
  const nothing = {
    session: undefined,
    leftSession: task.session ?? task.leftSession,
    reported: undefined,
    start: undefined,
    end: undefined,
    waitingFor: undefined,
    said: undefined,
  };
  return {
    ...nothing,
    ...NOT_LATER,
    checked: undefined,
    used: undefined,
    elsewhere: undefined,
    ...(words !== undefined && { words: inParagraphs(task.words, words) }),
    ...(once !== undefined && { retriedFor: once, toldFor: once }),
    tries: auto ? tried(task) : 0,
    reason: undefined,
    state: "queued",
    endedAt: undefined,
    attempt: task.attempt + 1,
  };
}
