import { z } from "zod";
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

export const NewTask = TaskOrder.extend({
  prompt: z.string().min(1).max(100_000),
  name: z.string().max(80).optional(),
  agent: z.string().default("claude-code"),
  /** What its agent's process finds in its environment. Never in the log. */
  environment: z.record(z.string(), z.string()).default({}),
});
export const TaskQuery = z.object({
  state: TaskState.or(z.enum(["active", "all"])).default("all"),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
