import { z } from "zod";

/** How a run ended. `deferred`: with this call put off. `code` null: by a signal, or nobody saw it. */
export const RunEnd = z.looseObject({
  ok: z.boolean(),
  /** The agent itself said that it has ended; without that it died. */
  told: z.boolean().optional(),
  /** It said nothing: what the task said last is of an earlier run. */
  silent: z.boolean().optional(),
  /** It stopped because it had cost as much as it may. */
  overBudget: z.boolean().optional(),
  /** The person's own terminal had the session, and has ended. */
  elsewhere: z.boolean().optional(),
  deferred: z.string().optional(),
  code: z.number().nullable(),
  /** The end of what it wrote for people when it failed. */
  errors: z.string().optional(),
});
export type RunEnd = z.infer<typeof RunEnd>;

/** What the order's check command said about the work of a run. */
export const Check = z.looseObject({ ok: z.boolean(), code: z.number().nullable(), output: z.string() });
export type Check = z.infer<typeof Check>;
