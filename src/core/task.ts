import { z } from "zod";

export const TaskState = z.enum(["queued", "in_progress", "waiting", "done", "failed", "cancelled"]);
export type TaskState = z.infer<typeof TaskState>;

/** Why a task waits for a person; a waiting task always says so. */
export const WaitingFor = z.enum(["question", "approval", "plan", "idle", "error", "gate", "budget", "review"]);
export type WaitingFor = z.infer<typeof WaitingFor>;

/** What a person asked for. */
export const TaskOrder = z.looseObject({
  prompt: z.string(),
  name: z.string(),
  agent: z.string(),
  cwd: z.string(),
  model: z.string().optional(),
  permissionMode: z.string().optional(),
  priority: z.number().int().default(0),
  /** A git worktree and branch of its own. */
  worktree: z.boolean().default(false),
});
export type TaskOrder = z.infer<typeof TaskOrder>;

export const Usage = z.looseObject({
  turns: z.number().default(0),
  inputTokens: z.number().default(0),
  outputTokens: z.number().default(0),
  costUsd: z.number().default(0),
});
export type Usage = z.infer<typeof Usage>;

/** What a run is started with: the prompt, a message into the same session, or nothing, for a call that was put off. */
export const RunStart = z.discriminatedUnion("how", [
  z.looseObject({ how: z.literal("prompt") }),
  z.looseObject({ how: z.literal("message"), message: z.string() }),
  z.looseObject({ how: z.literal("deferred") }),
]);
export type RunStart = z.infer<typeof RunStart>;

/** How a run ended. `deferred`: with this call put off. `code` null: by a signal, or nobody saw it. */
export const RunEnd = z.looseObject({
  ok: z.boolean(),
  deferred: z.string().optional(),
  code: z.number().nullable(),
  /** The end of what it wrote for people when it failed. */
  errors: z.string().optional(),
});
export type RunEnd = z.infer<typeof RunEnd>;

/** A piece of work that an agent does unattended. One process of the agent is a run; a retry begins a new session. */
export const Task = z.looseObject({
  id: z.string(),
  version: z.number().int(),
  order: TaskOrder,
  state: TaskState,
  waitingFor: WaitingFor.optional(),
  /** The agent's process has ended; the next answer starts another one. */
  parked: z.boolean(),
  session: z.string().optional(),
  /** Numbers the runs from 1; each has a folder of its own. */
  run: z.number().int(),
  start: RunStart.optional(),
  end: RunEnd.optional(),
  attempt: z.number().int(),
  /** Where the agent works, where that is not the order's folder. */
  workdir: z.looseObject({ path: z.string(), branch: z.string(), base: z.string() }).optional(),
  usage: Usage,
  /** What the agent said last. */
  said: z.string().optional(),
  reason: z.string().optional(),
  createdAt: z.number(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  updatedAt: z.number(),
});
export type Task = z.infer<typeof Task>;

export const TaskEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("task.created"), order: TaskOrder }),
  z.looseObject({ type: z.literal("task.placed"), workdir: Task.shape.workdir.unwrap() }),
  z.looseObject({ type: z.literal("task.started"), session: z.string(), start: RunStart }),
  z.looseObject({ type: z.literal("task.waiting"), for: WaitingFor, ask: z.string().optional() }),
  /** Nothing is open any more: the agent goes on in the process it has, or is about to get one. */
  z.looseObject({ type: z.literal("task.continued") }),
  /** The agent's process has ended. */
  z.looseObject({ type: z.literal("task.stopped"), usage: Usage, said: z.string().optional(), end: RunEnd }),
  z.looseObject({ type: z.literal("task.retried") }),
  z.looseObject({
    type: z.literal("task.ended"),
    state: z.enum(["done", "failed", "cancelled"]),
    reason: z.string().optional(),
  }),
]);
export type TaskEvent = z.infer<typeof TaskEvent>;

export const isOver = ({ state }: Task): boolean => ["done", "failed", "cancelled"].includes(state);

/**
 * The one place where an event changes a task.
 * Contract: total, and the version grows by one. What is over stays over, except for a retry.
 */
export function applyTaskEvent(task: Task | undefined, event: TaskEvent, { id, at }: { id: string; at: number }): Task {
  if (event.type === "task.created") return task ?? created(event.order, id, at);
  if (!task) throw new Error(`event ${event.type} for unknown task ${id}`);
  return { ...task, ...change(task, event, at), version: task.version + 1, updatedAt: at };
}

function created(order: TaskOrder, id: string, at: number): Task {
  const usage = Usage.parse({});
  const blank = { version: 1, state: "queued", parked: false, run: 0, attempt: 1, usage } as const;
  return { id, ...blank, order, createdAt: at, updatedAt: at };
}

function change(task: Task, event: Exclude<TaskEvent, { type: "task.created" }>, at: number): Partial<Task> {
  if (event.type === "task.retried") return again(task);
  if (isOver(task)) return event.type === "task.stopped" ? { usage: plus(task.usage, event.usage) } : {};
  switch (event.type) {
    case "task.placed":
      return { workdir: event.workdir };
    case "task.started": {
      const { session, start } = event;
      const running = { state: "in_progress", waitingFor: undefined, parked: false } as const;
      return { ...running, session, start, run: task.run + 1, end: undefined, startedAt: task.startedAt ?? at };
    }
    case "task.waiting":
      return { state: "waiting", waitingFor: event.for };
    case "task.continued":
      return { state: "in_progress", waitingFor: undefined };
    case "task.stopped":
      return {
        parked: true,
        usage: plus(task.usage, event.usage),
        end: event.end,
        ...(event.said !== undefined && { said: event.said }),
      };
    case "task.ended":
      return { state: event.state, waitingFor: undefined, parked: true, reason: event.reason, endedAt: at };
  }
}

/** From the beginning: nothing of the attempt before is left to answer. What it cost stays counted. */
function again(task: Task): Partial<Task> {
  const nothing = { session: undefined, start: undefined, end: undefined, waitingFor: undefined, said: undefined };
  return {
    ...nothing,
    reason: undefined,
    state: "queued",
    parked: false,
    endedAt: undefined,
    attempt: task.attempt + 1,
  };
}

function plus(a: Usage, b: Usage): Usage {
  return {
    turns: a.turns + b.turns,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}
