import { z } from "zod";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { TaskLogEntry } from "../core/task/task-log.ts";
import { SandboxNetwork } from "../core/task/sandbox.ts";
import { DiffStat, Task, TaskOrder, TaskState } from "../core/task/task.ts";

const AgentsQuestion = z.looseObject({
  ask: z.string(),
  question: z.string(),
  header: z.string(),
  options: z.array(z.looseObject({ label: z.string(), description: z.string(), preview: z.string().optional() })),
  multiSelect: z.boolean(),
});

const Change = z.looseObject({ path: z.string(), added: z.number(), removed: z.number() });

/** A task as surfaces get it. */
export const TaskView = Task.extend({
  /** The repository it works in, whatever its worktree is called. */
  project: z.string().optional(),
  /** While it waits on questions: all open ones in order, in the agent's own field names. */
  pending_questions: z.array(AgentsQuestion).optional(),
  /** What the agent does right now. */
  tool: z.looseObject({ name: z.string(), summary: z.string() }).optional(),
  /** What it asks first, whatever it waits for. */
  asking: z.string().optional(),
  /** Open ones, oldest first. */
  asks: z.array(z.string()),
  /** From its first start to its end, or now. */
  elapsedMs: z.number(),
  waitingSince: z.number().optional(),
  /** Against the commit its worktree began at. In lists without `paths`, as last measured. */
  diff: DiffStat.extend({ paths: z.array(Change).optional() }).optional(),
});
export type TaskView = z.infer<typeof TaskView>;

const NewTask = TaskOrder.extend({
  prompt: z.string().trim().min(1).max(100_000),
  name: z.string().trim().min(1).max(80).optional(),
  cwd: z.string().min(1).max(4096),
  /** Without: the first one that can work without a terminal. */
  agent: z.string().optional(),
  /** In a sandbox; without: as `tasks.sandbox` says. */
  sandbox: z.boolean().optional(),
  /** What that reaches; without: as `tasks.sandbox_network` says. */
  network: SandboxNetwork.optional(),
  /** What its agent's process finds in its environment. Never in the log. */
  environment: z.record(z.string(), z.string()).default({}),
}).strict();
const TaskQuery = z.object({
  state: TaskState.or(z.enum(["active", "over", "all"])).default("all"),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
/** Where the person sits who says so. */
const By = z.strictObject({ surface: z.string().max(40).default("api") });

export const TASK_ENDPOINTS = {
  createTask: {
    ...ADDRESSES.createTask,
    needs: "human",
    about: "Give an agent a piece of work to do unattended",
    body: NewTask,
    result: TaskView,
  },
  listTasks: {
    ...ADDRESSES.listTasks,
    needs: "human",
    about: "Tasks, in the order they were made; the newest ones when there are more than the limit",
    query: TaskQuery,
    result: z.looseObject({ tasks: z.array(TaskView) }),
  },
  getTask: {
    ...ADDRESSES.getTask,
    needs: "human",
    about: "One task; a unique prefix of its id is enough, or its name",
    result: TaskView,
  },
  taskLog: {
    ...ADDRESSES.taskLog,
    needs: "human",
    about: "What its agent said and did, over all runs; `tail` for the newest",
    query: z.object({
      after: z.coerce.number().int().min(0).default(0),
      tail: z.stringbool().default(false),
      limit: z.coerce.number().int().min(1).max(1000).default(200),
    }),
    result: z.looseObject({ entries: z.array(TaskLogEntry), next: z.number(), more: z.boolean() }),
  },
  taskFeedback: {
    ...ADDRESSES.taskFeedback,
    needs: "human",
    about: "Free text for a waiting task; its agent goes on with it, also before the time it would by itself",
    body: By.extend({
      message: z.string().trim().min(1).max(10_000),
      /** The agent session the caller runs inside, if any: such a caller is an agent, not a person. */
      session: z.string().max(200).optional(),
    }),
    result: TaskView,
  },
  taskRetry: { ...ADDRESSES.taskRetry, needs: "human", about: "Start again", body: By, result: TaskView },
  taskCancel: { ...ADDRESSES.taskCancel, needs: "human", about: "Stop it", body: By, result: TaskView },
  taskDone: { ...ADDRESSES.taskDone, needs: "human", about: "Mark it done", body: By, result: TaskView },
  taskDiff: {
    ...ADDRESSES.taskDiff,
    needs: "human",
    about: "All that its worktree changed, committed or not, as a patch; of a long one the beginning",
    result: DiffStat.extend({ paths: z.array(Change), patch: z.string(), isCut: z.boolean() }),
  },
  taskApply: {
    ...ADDRESSES.taskApply,
    needs: "human",
    about:
      "Bring its commits and uncommitted changes into the checkout it was started in; refused where they would conflict or overwrite something",
    body: By,
    result: TaskView,
  },
  taskDiscard: {
    ...ADDRESSES.taskDiscard,
    needs: "human",
    about: "Remove its worktree and branch with all that is in them; only of a task that is over",
    body: By,
    result: TaskView,
  },
  taskRemove: {
    ...ADDRESSES.taskRemove,
    needs: "human",
    about: "Forget a task that is over: its folder, and its worktree and branch where nothing would be lost",
    result: z.looseObject({ id: z.string(), name: z.string(), kept: z.array(z.string()) }),
  },
} as const satisfies Record<string, Endpoint>;
