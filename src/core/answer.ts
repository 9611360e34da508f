import { z } from "zod";

/** The answer to one question. Options, free text and note are never merged into one string here. */
export const Answer = z.looseObject({
  picks: z.array(z.number().int().nonnegative()).default([]),
  text: z.string().optional(),
  note: z.string().optional(),
});
export type Answer = z.infer<typeof Answer>;
