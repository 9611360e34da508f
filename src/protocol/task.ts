import { z } from "zod";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { Task, TaskOrder, TaskState } from "../core/task.ts";

const AgentsQuestion = z.looseObject({
  ask: z.string(),
  question: z.string(),
  header: z.string(),
  options: z.array(z.looseObject({ label: z.string(), description: z.string() })),
  multiSelect: z.boolean(),
});

/** A task as surfaces get it. */
export const TaskView = Task.extend({
  /** While it waits on questions: all open ones in order, in the agent's own field names. */
  pending_questions: z.array(AgentsQuestion).optional(),
  tool: z.looseObject({ name: z.string(), summary: z.string() }).optional(),
  asks: z.array(z.string()),
});
export type TaskView = z.infer<typeof TaskView>;

const NewTask = TaskOrder.extend({
  prompt: z.string().min(1).max(100_000),
  name: z.string().max(80).optional(),
  agent: z.string().default("claude-code"),
  /** What its agent's process finds in its environment. Never in the log. */
  environment: z.record(z.string(), z.string()).default({}),
});
const TaskQuery = z.object({
  state: TaskState.or(z.enum(["active", "all"])).default("all"),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});

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
    about: "Tasks, in the order they were made",
    query: TaskQuery,
    result: z.looseObject({ tasks: z.array(TaskView) }),
  },
  getTask: {
    ...ADDRESSES.getTask,
    needs: "human",
    about: "One task; a unique prefix of its id is enough",
    result: TaskView,
  },
  taskFeedback: {
    ...ADDRESSES.taskFeedback,
    needs: "human",
    about: "Free text for a waiting task; its agent goes on with it",
    body: z.strictObject({ message: z.string().trim().min(1).max(10_000) }),
    result: TaskView,
  },
  taskRetry: { ...ADDRESSES.taskRetry, needs: "human", about: "Start again", result: TaskView },
  taskCancel: { ...ADDRESSES.taskCancel, needs: "human", about: "Stop it", result: TaskView },
  taskDone: { ...ADDRESSES.taskDone, needs: "human", about: "Call it done", result: TaskView },
} as const satisfies Record<string, Endpoint>;
