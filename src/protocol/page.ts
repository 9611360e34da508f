import { z } from "zod";

/** A browser that signed in. `name` is what it called itself. */
export const Browser = z.looseObject({
  id: z.string(),
  name: z.string(),
  createdAt: z.number(),
  seenAt: z.number(),
});
export type Browser = z.infer<typeof Browser>;

/** An agent Parley knows. `change` is the exact change of its settings file that set-up would make. */
export const AgentView = z.looseObject({
  name: z.string(),
  title: z.string(),
  found: z.boolean(),
  path: z.string(),
  setUp: z.boolean(),
  change: z.string().optional(),
  problem: z.string().optional(),
});
export type AgentView = z.infer<typeof AgentView>;
