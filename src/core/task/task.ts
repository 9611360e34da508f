import { z } from "zod";
import { Actor } from "../ask/outcome.ts";
import { Check, RunEnd } from "./run-end.ts";
import { RunStart } from "./run-start.ts";
import { Sandbox } from "./sandbox.ts";
import { Reported, Usage } from "./usage.ts";

export const TaskState = z.enum(["queued", "in_progress", "waiting", "done", "failed", "cancelled"]);
export type TaskState = z.infer<typeof TaskState>;

/** Why a task waits for a person; a waiting task always says so. */
export const WaitingFor = z.enum([
  "question",
  "approval",
  "plan",
  "idle",
  "dead",
  "error",
  "gate",
  "budget",
  "review",
  "next",
]);
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
  /** A command that must succeed before the task is done. */
  gate: z.string().optional(),
  /** It waits for a person when it has cost this much. */
  budgetUsd: z.number().positive().optional(),
  /** A person looks at it before it is done. */
  review: z.boolean().default(false),
  /** What its agent, and its check, run in; without: as the person's own programs do. */
  sandbox: Sandbox.optional(),
  /** The task whose agent named this as its next step, and how many there were before. */
  follows: z.string().optional(),
  linked: z.number().int().optional(),
});
export type TaskOrder = z.infer<typeof TaskOrder>;

/** A worktree of the task's own: `path` is where the agent works in it, `base` the commit it began at. */
export const Workdir = z.looseObject({
  path: z.string(),
  root: z.string(),
  /** The git folder it belongs to. */
  repository: z.string(),
  branch: z.string(),
  base: z.string(),
  /** So many changed files of the checkout it was started in are not in it. */
  uncommitted: z.number().optional(),
});
export type Workdir = z.infer<typeof Workdir>;

/** What a worktree changed. */
export const DiffStat = z.looseObject({ files: z.number(), added: z.number(), removed: z.number() });
export type DiffStat = z.infer<typeof DiffStat>;

/** What of its worktree is in the checkout it was started in: `tip` and `tree` are what was there, `commit` what is now. */
export const Applied = z.looseObject({
  at: z.number(),
  surface: z.string().optional(),
  to: z.string(),
  tip: z.string(),
  tree: z.string(),
  commit: z.string(),
  commits: z.number(),
  files: z.number(),
});
export type Applied = z.infer<typeof Applied>;

/** Its worktree is gone; `commit`: git still finds there what was in it, for a while. */
export const Cleared = z.looseObject({
  at: z.number(),
  how: z.enum(["discarded", "pruned"]),
  commit: z.string().optional(),
});
export type Cleared = z.infer<typeof Cleared>;

/** A piece of work that an agent does unattended. One process of the agent is a run; a retry begins a new session. */
export const Task = z.looseObject({
  id: z.string(),
  version: z.number().int(),
  order: TaskOrder,
  state: TaskState,
  waitingFor: WaitingFor.optional(),
  /** It waits without a process; the next answer starts one. */
  parked: z.boolean(),
  session: z.string().optional(),
  /** Of the attempt before: whatever it still asks is withdrawn. */
  leftSession: z.string().optional(),
  /** Numbers the runs from 1; each has a folder of its own. */
  run: z.number().int(),
  start: RunStart.optional(),
  end: RunEnd.optional(),
  /** Of the last run's work. */
  checked: Check.optional(),
  attempt: z.number().int(),
  /** How often it was made to go on by a policy since a person last decided. */
  tries: z.number().int().default(0),
  /** It goes on by itself then, and how. */
  resumeAt: z.number().optional(),
  resumeBy: z.enum(["resume", "retry"]).optional(),
  /** Approvals that were given while no agent ran, and that a run of this attempt has used up. */
  used: z.array(z.looseObject({ ask: z.string(), call: z.string() })).optional(),
  /** What it may cost by now: the order's budget, and what was granted later. */
  budgetUsd: z.number().optional(),
  /** Somebody goes on with its session in a terminal. */
  elsewhere: z.boolean().optional(),
  /** Where the agent works, where that is not the order's folder. */
  workdir: Workdir.optional(),
  usage: Usage,
  /** By the last run of its session. */
  reported: Reported.optional(),
  /** What its worktree changed, measured when a run stopped. */
  diff: DiffStat.optional(),
  applied: Applied.optional(),
  cleared: Cleared.optional(),
  /** What people said when its session could not be resumed any more: told with the prompt. */
  words: z.string().optional(),
  /** What the agent said last. */
  said: z.string().optional(),
  reason: z.string().optional(),
  /** Which agent gave it, or which member of a hub; without, a person of this machine did. */
  by: Actor.optional(),
  /** A digest of the request that made it: its idempotency key is refused for any other. */
  request: z.string().optional(),
  /** The idempotency keys of the last words to it while it waited for its time, and of its last retry. */
  toldFor: z.string().optional(),
  retriedFor: z.string().optional(),
  createdAt: z.number(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  updatedAt: z.number(),
});
export type Task = z.infer<typeof Task>;

/** The idempotency key of what a person asked for with it. */
const request = { once: z.string().optional() };

export const TaskEvent = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("task.created"),
    order: TaskOrder,
    by: Actor.optional(),
    request: z.string().optional(),
  }),
  z.looseObject({ type: z.literal("task.placed"), workdir: Workdir }),
  /** `auto`: by a policy, not by a person. */
  z.looseObject({
    type: z.literal("task.started"),
    session: z.string(),
    start: RunStart,
    auto: z.boolean().optional(),
    ...request,
  }),
  /** The agent itself has named the session of this run. */
  z.looseObject({ type: z.literal("task.session"), session: z.string() }),
  z.looseObject({ type: z.literal("task.waiting"), for: WaitingFor, ask: z.string().optional() }),
  /** Nothing is open any more: the agent goes on in the process it has, or is about to get one. */
  z.looseObject({ type: z.literal("task.continued") }),
  /** The agent's process has ended. */
  z.looseObject({
    type: z.literal("task.stopped"),
    /** Which run; what was written before this was told is about the last one. */
    run: z.number().int().optional(),
    usage: Usage,
    said: z.string().optional(),
    end: RunEnd,
    diff: DiffStat.optional(),
    reported: Reported.optional(),
  }),
  z.looseObject({ type: z.literal("task.checked"), check: Check }),
  /** It waits for nobody and goes on by itself. */
  z.looseObject({
    type: z.literal("task.delayed"),
    until: z.number(),
    by: z.enum(["resume", "retry"]),
    auto: z.boolean().optional(),
  }),
  z.looseObject({ type: z.literal("task.granted"), budgetUsd: z.number() }),
  /** The one call that this Ask allowed was made. */
  z.looseObject({ type: z.literal("task.used"), ask: z.string(), call: z.string() }),
  /** Its session goes on in a terminal of the person. */
  z.looseObject({ type: z.literal("task.taken") }),
  /** `words`: to be told with the prompt from now on. */
  z.looseObject({
    type: z.literal("task.retried"),
    auto: z.boolean().optional(),
    words: z.string().optional(),
    ...request,
  }),
  z.looseObject({
    type: z.literal("task.ended"),
    state: z.enum(["done", "failed", "cancelled"]),
    reason: z.string().optional(),
  }),
  z.looseObject({ type: z.literal("task.applied"), applied: Applied }),
  z.looseObject({ type: z.literal("task.cleared"), cleared: Cleared }),
  /** Nothing is left of it but this log. */
  z.looseObject({ type: z.literal("task.removed"), kept: z.array(z.string()) }),
]);
export type TaskEvent = z.infer<typeof TaskEvent>;

export const inParagraphs = (...texts: (string | undefined)[]): string => texts.filter(Boolean).join("\n\n");
