import { z } from "zod";

/** The answer to one question. Options, free text and note are never merged into one string here. */
export const Answer = z.looseObject({
  picks: z.array(z.number().int().nonnegative()).default([]),
  text: z.string().optional(),
  note: z.string().optional(),
  /** Somebody answered, but the agent's record of it cannot be read: what stands there; empty if nothing does. */
  unread: z.string().optional(),
  /** A secret was given, which is not kept. */
  secret: z.literal(true).optional().catch(undefined),
});
export type Answer = z.infer<typeof Answer>;
