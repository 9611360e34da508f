import { z } from "zod";

/** One entry of a task's log. `n` grows over all runs; `key` joins a call and what it returned. */
export const TaskLogEntry = z.looseObject({
  n: z.number().int(),
  at: z.number(),
  run: z.number().int(),
  kind: z.enum(["started", "said", "called", "asked", "returned", "ended"]),
  text: z.string(),
  tool: z.string().optional(),
  key: z.string().optional(),
  /** The rest of a long text, or what a call was made with. */
  detail: z.string().optional(),
  isError: z.boolean().optional(),
});
export type TaskLogEntry = z.infer<typeof TaskLogEntry>;
